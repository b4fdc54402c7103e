// Modelled on the CVEs of 2018 about token contracts with proxied transfers (the proxyOverflow family, CVE-2018-10376):
// the value and the fee are added before they are compared with the balance, and the sum wraps (SWC-101).
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract CourierLedger {
    string public constant name = "Courier Coin";
    string public constant symbol = "COUR";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function balanceOf(address who) public view returns (uint256) {
        return balances[who];
    }

    function allowance(address owner, address spender) public view returns (uint256) {
        return allowed[owner][spender];
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowed[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(balances[from] >= value && allowed[from][msg.sender] >= value);
        allowed[from][msg.sender] -= value;
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @custom:vulnerable integer-overflow tipTransfer(address,uint256,address,uint256)
/** The sum of value and tip wraps past the check of the balance, while both are credited in full. */
contract CourierCoinBad is CourierLedger {
    struct Courier {
        uint256 minTip;
        uint256 carried;
        uint256 lastTip;
    }

    mapping(address => Courier) public couriers;
    address public issuer;

    event Carried(address indexed courier, address indexed from, uint256 value, uint256 tip);
    event TipSet(address indexed courier, uint256 minTip);

    constructor(uint256 supply) public {
        require(supply > 0);
        issuer = msg.sender;
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function setMinTip(uint256 minTip) public {
        couriers[msg.sender].minTip = minTip;
        emit TipSet(msg.sender, minTip);
    }

    // a transfer that also pays a courier, who announces it off the chain
    function tipTransfer(address to, uint256 value, address courier, uint256 tip) public returns (bool) {
        Courier storage c = couriers[courier];
        require(to != address(0) && courier != address(0));
        require(tip >= c.minTip);
        require(balances[msg.sender] >= value + tip); // <- bug
        balances[msg.sender] -= value + tip;
        balances[to] += value;
        balances[courier] += tip;
        c.carried++;
        c.lastTip = tip;
        emit Transfer(msg.sender, to, value);
        emit Transfer(msg.sender, courier, tip);
        emit Carried(courier, msg.sender, value, tip);
        return true;
    }

    // burning is for everybody's own tokens
    function burn(uint256 value) public {
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }
}

/// @custom:safe
/** The sum may wrap, but then the call reverts. */
contract CourierCoinGood is CourierLedger {
    struct Courier {
        uint256 minTip;
        uint256 carried;
        uint256 lastTip;
    }

    mapping(address => Courier) public couriers;
    address public issuer;

    event Carried(address indexed courier, address indexed from, uint256 value, uint256 tip);
    event TipSet(address indexed courier, uint256 minTip);

    constructor(uint256 supply) public {
        require(supply > 0);
        issuer = msg.sender;
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function setMinTip(uint256 minTip) public {
        couriers[msg.sender].minTip = minTip;
        emit TipSet(msg.sender, minTip);
    }

    // a transfer that also pays a courier, who announces it off the chain
    function tipTransfer(address to, uint256 value, address courier, uint256 tip) public returns (bool) {
        Courier storage c = couriers[courier];
        require(to != address(0) && courier != address(0));
        require(tip >= c.minTip);
        uint256 sum = value + tip;
        require(sum >= value && balances[msg.sender] >= sum);
        balances[msg.sender] -= sum;
        balances[to] += value;
        balances[courier] += tip;
        c.carried++;
        c.lastTip = tip;
        emit Transfer(msg.sender, to, value);
        emit Transfer(msg.sender, courier, tip);
        emit Carried(courier, msg.sender, value, tip);
        return true;
    }

    // burning is for everybody's own tokens
    function burn(uint256 value) public {
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }
}
