// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on the lending markets of 2021 and 2022 that paid a loan out before they booked it, so that the borrower took the
// collateral back from within the payment (a reentrancy across two functions).

/// A loan is paid out before it is booked as a debt, so that the collateral can be redeemed from within the payment.
/// @custom:vulnerable reentrancy borrow(uint256)
contract MarginPoolBad {
    struct Account {
        uint256 supplied;
        uint256 debt;
    }

    uint256 public constant FEE_PERCENT = 1;

    address payable public immutable treasurer;
    mapping(address => Account) public accounts;
    uint256 public reserves;

    event Supplied(address indexed who, uint256 amount);
    event Redeemed(address indexed who, uint256 amount);
    event Borrowed(address indexed who, uint256 amount);
    event Repaid(address indexed who, uint256 amount);

    constructor() {
        treasurer = payable(msg.sender);
    }

    function supply() external payable {
        require(msg.value > 0, "nothing sent");
        accounts[msg.sender].supplied += msg.value;
        emit Supplied(msg.sender, msg.value);
    }

    /// Collateral must stay twice the debt.
    function redeem(uint256 amount) external {
        Account storage account = accounts[msg.sender];
        require(amount > 0 && amount <= account.supplied, "not supplied");
        require(account.supplied - amount >= 2 * account.debt, "needed as collateral");
        account.supplied -= amount;
        _pay(payable(msg.sender), amount);
        emit Redeemed(msg.sender, amount);
    }

    /// Lends up to one half of the collateral; the fee is kept back at once.
    function borrow(uint256 amount) external {
        Account storage account = accounts[msg.sender];
        require(amount > 0 && amount <= address(this).balance - reserves, "no liquidity");
        require(account.supplied >= 2 * (account.debt + amount), "too little collateral");
        uint256 fee = (amount * FEE_PERCENT) / 100;
        reserves += fee;
        _pay(payable(msg.sender), amount - fee); // <- bug
        account.debt += amount; // <- bug
        emit Borrowed(msg.sender, amount);
    }

    function repay() external payable {
        Account storage account = accounts[msg.sender];
        require(msg.value > 0 && msg.value <= account.debt, "more than owed");
        account.debt -= msg.value;
        emit Repaid(msg.sender, msg.value);
    }

    function collect() external {
        require(msg.sender == treasurer, "treasurer only");
        uint256 amount = reserves;
        reserves = 0;
        _pay(treasurer, amount);
    }

    function _pay(address payable to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// The debt is booked after the payment, but no function can be entered meanwhile.
/// @custom:safe
contract MarginPoolGood {
    struct Account {
        uint256 supplied;
        uint256 debt;
    }

    uint256 public constant FEE_PERCENT = 1;

    address payable public immutable treasurer;
    mapping(address => Account) public accounts;
    uint256 public reserves;
    bool private busy;

    event Supplied(address indexed who, uint256 amount);
    event Redeemed(address indexed who, uint256 amount);
    event Borrowed(address indexed who, uint256 amount);
    event Repaid(address indexed who, uint256 amount);

    constructor() {
        treasurer = payable(msg.sender);
    }

    modifier nonReentrant() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function supply() external payable nonReentrant {
        require(msg.value > 0, "nothing sent");
        accounts[msg.sender].supplied += msg.value;
        emit Supplied(msg.sender, msg.value);
    }

    /// Collateral must stay twice the debt.
    function redeem(uint256 amount) external nonReentrant {
        Account storage account = accounts[msg.sender];
        require(amount > 0 && amount <= account.supplied, "not supplied");
        require(account.supplied - amount >= 2 * account.debt, "needed as collateral");
        account.supplied -= amount;
        _pay(payable(msg.sender), amount);
        emit Redeemed(msg.sender, amount);
    }

    /// Lends up to one half of the collateral; the fee is kept back at once.
    function borrow(uint256 amount) external nonReentrant {
        Account storage account = accounts[msg.sender];
        require(amount > 0 && amount <= address(this).balance - reserves, "no liquidity");
        require(account.supplied >= 2 * (account.debt + amount), "too little collateral");
        uint256 fee = (amount * FEE_PERCENT) / 100;
        reserves += fee;
        _pay(payable(msg.sender), amount - fee);
        account.debt += amount;
        emit Borrowed(msg.sender, amount);
    }

    function repay() external payable nonReentrant {
        Account storage account = accounts[msg.sender];
        require(msg.value > 0 && msg.value <= account.debt, "more than owed");
        account.debt -= msg.value;
        emit Repaid(msg.sender, msg.value);
    }

    function collect() external nonReentrant {
        require(msg.sender == treasurer, "treasurer only");
        uint256 amount = reserves;
        reserves = 0;
        _pay(treasurer, amount);
    }

    function _pay(address payable to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}
