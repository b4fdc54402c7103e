// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @notice A price in dollars with 8 decimals, kept by its owner. One update moves it by a fifth at most.
contract PriceOracle is Ownable {
    uint256 public constant MAX_MOVE_BPS = 2_000;

    uint256 public price;
    uint256 public updatedAt;

    event PriceUpdated(uint256 price);

    error MoveTooLarge();

    constructor(uint256 price_, address owner_) Ownable(owner_) {
        price = price_;
        updatedAt = block.timestamp;
    }

    function update(uint256 newPrice) external onlyOwner {
        uint256 diff = newPrice > price ? newPrice - price : price - newPrice;
        if (newPrice == 0 || diff > price * MAX_MOVE_BPS / 1e4) revert MoveTooLarge();
        price = newPrice;
        updatedAt = block.timestamp;
        emit PriceUpdated(newPrice);
    }
}
