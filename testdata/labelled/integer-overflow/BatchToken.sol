// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable integer-overflow batchTransfer(address[],uint256)
/** The sum of a batch is multiplied without a check, so it wraps to a small amount (BeautyChain). */
contract BatchTokenBad {
    string public constant name = "Batch Token";
    uint256 public totalSupply;
    mapping(address => uint256) private balances;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) public {
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address who) public view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(value <= balances[msg.sender]);
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= 20);
        uint256 amount = count * value;
        require(value > 0 && balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) {
            balances[receivers[i]] += value;
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }
}

/// @custom:safe
/** The product is checked by a division. */
contract BatchTokenGood {
    string public constant name = "Batch Token";
    uint256 public totalSupply;
    mapping(address => uint256) private balances;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) public {
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address who) public view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(value <= balances[msg.sender]);
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= 20);
        uint256 amount = count * value;
        require(amount / count == value);
        require(value > 0 && balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) {
            balances[receivers[i]] += value;
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }
}
