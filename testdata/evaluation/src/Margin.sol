// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Positions with collateral and debt at a price that the keeper sets; who is exactly at the limit is no longer safe
/// and not yet for liquidation.
contract Margin {
    uint256 public price = 2_000;

    mapping(address => uint256) public collateralOf;
    mapping(address => uint256) public debtOf;
    uint256 public frozen;

    function setPrice(uint256 price_) external {
        require(price_ >= 1_000 && price_ <= 4_000, "no such price");
        price = price_;
    }

    function deposit(uint256 amount) external {
        require(amount != 0 && amount <= 1e9, "too much");
        collateralOf[msg.sender] += amount;
    }

    function borrow(uint256 amount) external {
        debtOf[msg.sender] += amount;
        require(debtOf[msg.sender] * 3 < collateralOf[msg.sender] * price * 2, "too much debt");
    }

    function repay(uint256 amount) external {
        debtOf[msg.sender] -= amount;
        require(debtOf[msg.sender] * 3 != collateralOf[msg.sender] * price * 2, "at the limit");
    }

    function check(address account) external {
        uint256 limit = collateralOf[account] * price * 2;
        require(debtOf[account] > 10_000, "hardly any debt");
        // The bug: a price can bring a position to the limit, where it is neither.
        if (debtOf[account] * 3 == limit) frozen += 1;
    }
}
