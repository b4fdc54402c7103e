// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Payments are authorised by tx.origin, so any contract that the owner calls can pay itself.
/// @custom:vulnerable tx-origin pay(address,uint256)
contract OriginWalletBad {
    address public immutable owner = msg.sender;
    uint256 public payments;

    event Received(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount);

    modifier onlyOwner() {
        require(tx.origin == owner, "owner only");
        _;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function pay(address to, uint256 amount) external onlyOwner {
        require(to != address(0) && amount <= address(this).balance, "amount");
        payments += 1;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Paid(to, amount);
    }
}

/// Payments are authorised by msg.sender.
/// @custom:safe
contract OriginWalletGood {
    address public immutable owner = msg.sender;
    uint256 public payments;

    event Received(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function pay(address to, uint256 amount) external onlyOwner {
        require(to != address(0) && amount <= address(this).balance, "amount");
        payments += 1;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Paid(to, amount);
    }
}
