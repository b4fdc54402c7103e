// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "solady/auth/Ownable.sol";

/// @notice Price of the collateral in dollars (18 decimals), reported by the owner.
contract PriceFeed is Ownable {
    uint256 public price;

    event PriceSet(uint256 price);

    error ZeroPrice();

    constructor(uint256 price_) {
        _initializeOwner(msg.sender);
        price = price_;
    }

    function setPrice(uint256 price_) external onlyOwner {
        if (price_ == 0) revert ZeroPrice();
        price = price_;
        emit PriceSet(price_);
    }
}
