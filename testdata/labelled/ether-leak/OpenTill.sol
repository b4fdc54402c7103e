// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Anyone can take the takings.
/// @custom:vulnerable ether-leak take(uint256)
contract OpenTillBad {
    address public immutable shopkeeper = msg.sender;
    uint256 public sales;

    event Sold(address indexed to, uint256 price);
    event Taken(address indexed by, uint256 amount);

    function buy() external payable {
        require(msg.value >= 0.001 ether, "price");
        sales += 1;
        emit Sold(msg.sender, msg.value);
    }

    function take(uint256 amount) external {
        require(amount > 0 && amount <= address(this).balance, "amount");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Taken(msg.sender, amount);
    }
}

/// Only the shopkeeper can.
/// @custom:safe
contract OpenTillGood {
    address public immutable shopkeeper = msg.sender;
    uint256 public sales;

    event Sold(address indexed to, uint256 price);
    event Taken(address indexed by, uint256 amount);

    function buy() external payable {
        require(msg.value >= 0.001 ether, "price");
        sales += 1;
        emit Sold(msg.sender, msg.value);
    }

    function take(uint256 amount) external {
        require(msg.sender == shopkeeper, "shopkeeper only");
        require(amount > 0 && amount <= address(this).balance, "amount");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Taken(msg.sender, amount);
    }
}
