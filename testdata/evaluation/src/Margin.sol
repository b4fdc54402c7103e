// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Positions with collateral and debt at a price that the keeper sets; who is exactly at the limit is no longer safe
/// and not yet for liquidation.
contract Margin {
    uint256 public price = 2_000;

    mapping(address => uint256) public collateralOf;
    mapping(address => uint256) public debtOf;
    uint256 public frozen;

    /// Prices go in steps of a hundred.
    function setPrice(uint8 hundreds) external {
        require(hundreds >= 10 && hundreds <= 40, "no such price");
        price = uint256(hundreds) * 100;
    }

    function deposit(uint8 amount) external {
        require(amount != 0 && amount <= 100, "too much");
        collateralOf[msg.sender] += amount;
    }

    function borrow(uint8 thousands) external {
        debtOf[msg.sender] += uint256(thousands) * 1_000;
        require(debtOf[msg.sender] * 3 < collateralOf[msg.sender] * price * 2, "too much debt");
    }

    function repay(uint8 thousands) external {
        debtOf[msg.sender] -= uint256(thousands) * 1_000;
        require(debtOf[msg.sender] * 3 != collateralOf[msg.sender] * price * 2, "at the limit");
    }

    function check() external {
        uint256 limit = collateralOf[msg.sender] * price * 2;
        require(debtOf[msg.sender] > 10_000, "hardly any debt");
        // The bug: a price can bring a position to the limit, where it is neither.
        if (debtOf[msg.sender] * 3 == limit) frozen += 1;
    }
}
