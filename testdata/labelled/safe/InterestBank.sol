// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Savings at 5% a year. Interest comes from a reserve that the bank pays in, and
/// only as long as it lasts; the savers' own money is never used for it.
/// @custom:safe
contract InterestBankGood {
    struct Account {
        uint256 principal;
        uint256 interest;
        uint256 since;
    }

    uint256 public constant RATE = 5;
    address public immutable bank;
    uint256 public reserve;
    mapping(address => Account) public accounts;

    event Saved(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 principal, uint256 interest);

    constructor() payable {
        bank = msg.sender;
        reserve = msg.value;
    }

    function fundReserve() external payable {
        require(msg.sender == bank, "not the bank");
        reserve += msg.value;
    }

    function reduceReserve(uint256 amount, address to) external {
        require(msg.sender == bank, "not the bank");
        require(amount > 0 && amount <= reserve, "amount");
        require(to != address(0), "to");
        reserve -= amount;
        pay(to, amount);
    }

    function accrue(Account storage a) internal {
        uint256 due = a.principal * RATE * (block.timestamp - a.since) / (100 * 365 days);
        if (due > reserve) due = reserve;
        reserve -= due;
        a.interest += due;
        a.since = block.timestamp;
    }

    function save() external payable {
        require(msg.value > 0, "nothing");
        Account storage a = accounts[msg.sender];
        accrue(a);
        a.principal += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function withdraw(uint256 amount, address to) external {
        require(to != address(0), "to");
        Account storage a = accounts[msg.sender];
        require(amount <= a.principal, "amount");
        accrue(a);
        a.principal -= amount;
        uint256 interest = a.interest;
        a.interest = 0;
        require(amount + interest > 0, "nothing");
        emit Withdrawn(msg.sender, amount, interest);
        pay(to, amount + interest);
    }

    /// Interest on interest, for those who ask for it.
    function compound() external {
        Account storage a = accounts[msg.sender];
        accrue(a);
        a.principal += a.interest;
        a.interest = 0;
    }

    function pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
