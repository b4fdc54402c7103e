// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable integer-overflow borrow(uint256)
/** The sum of the debt and a new loan wraps, so a member who owes something passes the limit with a huge loan. */
contract CreditLineBad {
    uint256 public constant LIMIT = 1000;

    mapping(address => uint256) public debt;
    mapping(address => uint256) public spendable;

    event Borrowed(address indexed member, uint256 amount);
    event Repaid(address indexed member, uint256 amount);

    function borrow(uint256 amount) external {
        require(amount > 0, "nothing");
        require(debt[msg.sender] + amount <= LIMIT, "over the limit");
        debt[msg.sender] += amount;
        spendable[msg.sender] += amount;
        emit Borrowed(msg.sender, amount);
    }

    function spend(address to, uint256 amount) external {
        require(amount <= spendable[msg.sender], "not that much");
        spendable[msg.sender] -= amount;
        spendable[to] += amount;
    }

    function repay(uint256 amount) external {
        require(amount <= spendable[msg.sender] && amount <= debt[msg.sender], "too much");
        spendable[msg.sender] -= amount;
        debt[msg.sender] -= amount;
        emit Repaid(msg.sender, amount);
    }
}

/// @custom:safe
/** The loan is compared with what is left of the limit. */
contract CreditLineGood {
    uint256 public constant LIMIT = 1000;

    mapping(address => uint256) public debt;
    mapping(address => uint256) public spendable;

    event Borrowed(address indexed member, uint256 amount);
    event Repaid(address indexed member, uint256 amount);

    function borrow(uint256 amount) external {
        require(amount > 0, "nothing");
        require(amount <= LIMIT - debt[msg.sender], "over the limit");
        debt[msg.sender] += amount;
        spendable[msg.sender] += amount;
        emit Borrowed(msg.sender, amount);
    }

    function spend(address to, uint256 amount) external {
        require(amount <= spendable[msg.sender], "not that much");
        spendable[msg.sender] -= amount;
        spendable[to] += amount;
    }

    function repay(uint256 amount) external {
        require(amount <= spendable[msg.sender] && amount <= debt[msg.sender], "too much");
        spendable[msg.sender] -= amount;
        debt[msg.sender] -= amount;
        emit Repaid(msg.sender, amount);
    }
}
