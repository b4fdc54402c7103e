// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable token-leak approveFor(address,address,uint256)
/** Anyone can grant an allowance on anyone's tokens, and then spend them. */
contract FamilyTokenBad {
    string public constant symbol = "FAM";
    uint256 public totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => address) public guardianOf;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        totalSupply = 21000000;
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function setGuardian(address guardian) external {
        guardianOf[msg.sender] = guardian;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        return grant(msg.sender, spender, value);
    }

    function approveFor(address holder, address spender, uint256 value) external returns (bool) {
        require(holder != address(0), "not the guardian");
        return grant(holder, spender, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowance[from][msg.sender], "allowance");
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function grant(address holder, address spender, uint256 value) private returns (bool) {
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
        return true;
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(to != address(0) && value <= balanceOf[from], "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @custom:safe
/** Only the holder's own guardian can grant it. */
contract FamilyTokenGood {
    string public constant symbol = "FAM";
    uint256 public totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => address) public guardianOf;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        totalSupply = 21000000;
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function setGuardian(address guardian) external {
        guardianOf[msg.sender] = guardian;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        return grant(msg.sender, spender, value);
    }

    function approveFor(address holder, address spender, uint256 value) external returns (bool) {
        require(holder != address(0) && guardianOf[holder] == msg.sender, "not the guardian");
        return grant(holder, spender, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowance[from][msg.sender], "allowance");
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function grant(address holder, address spender, uint256 value) private returns (bool) {
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
        return true;
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(to != address(0) && value <= balanceOf[from], "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
