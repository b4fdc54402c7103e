// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// initialize() can be called again by anyone, who thereby becomes the owner (Parity, July 2017) and may
/// withdraw.
/// @custom:vulnerable ether-leak withdraw(address,uint256)
contract InitWalletBad {
    address public owner;
    uint256 public paymentLimit;

    event Deposit(address indexed from, uint256 amount);
    event Withdrawal(address indexed to, uint256 amount);

    function initialize(address owner_, uint256 paymentLimit_) external {
        require(owner_ != address(0) && paymentLimit_ > 0, "arguments");
        owner = owner_;
        paymentLimit = paymentLimit_;
    }

    receive() external payable {
        require(owner != address(0), "initialize first");
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(address to, uint256 amount) external {
        require(msg.sender == owner && to != address(0), "owner only");
        require(amount <= paymentLimit && amount <= address(this).balance, "amount");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawal(to, amount);
    }
}

/// initialize() can be called once, by the deployer.
/// @custom:safe
contract InitWalletGood {
    address private immutable deployer = msg.sender;
    address public owner;
    uint256 public paymentLimit;

    event Deposit(address indexed from, uint256 amount);
    event Withdrawal(address indexed to, uint256 amount);

    function initialize(address owner_, uint256 paymentLimit_) external {
        require(msg.sender == deployer && owner == address(0), "once, by the deployer");
        require(owner_ != address(0) && paymentLimit_ > 0, "arguments");
        owner = owner_;
        paymentLimit = paymentLimit_;
    }

    receive() external payable {
        require(owner != address(0), "initialize first");
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(address to, uint256 amount) external {
        require(msg.sender == owner && to != address(0), "owner only");
        require(amount <= paymentLimit && amount <= address(this).balance, "amount");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawal(to, amount);
    }
}
