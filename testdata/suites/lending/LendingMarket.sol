// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "solady/tokens/ERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

contract MarketToken is ERC20 {
    string private symbol_;
    uint8 private immutable decimals_;

    constructor(string memory symbol__, uint8 decimals__) {
        (symbol_, decimals_) = (symbol__, decimals__);
    }

    function name() public view override returns (string memory) {
        return symbol_;
    }

    function symbol() public view override returns (string memory) {
        return symbol_;
    }

    function decimals() public view override returns (uint8) {
        return decimals_;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// The price of one whole collateral token in dollars, with eight decimals.
contract PriceFeed {
    address public immutable reporter;
    uint256 public price;

    constructor(address reporter_, uint256 price_) {
        (reporter, price) = (reporter_, price_);
    }

    function report(uint256 price_) external {
        require(msg.sender == reporter, "not the reporter");
        price = price_;
    }
}

/// Lends dollars (6 decimals) against bitcoin (8 decimals), up to three quarters of its value.
contract LendingMarket {
    using FixedPointMathLib for uint256;
    using SafeTransferLib for address;

    uint256 public constant LOAN_TO_VALUE_BPS = 7500;
    uint256 public constant LIQUIDATION_BPS = 8500;
    uint256 public constant BONUS_BPS = 500;
    /// 8 decimals of the collateral, 8 of the price and 4 of basis points to the 6 of a dollar.
    uint256 public constant SCALE = 1e14;

    address public immutable bitcoin;
    address public immutable dollar;
    PriceFeed public immutable feed;

    mapping(address => uint256) public collateralOf;
    mapping(address => uint256) public debtOf;

    constructor(address bitcoin_, address dollar_, PriceFeed feed_) {
        (bitcoin, dollar, feed) = (bitcoin_, dollar_, feed_);
    }

    function deposit(uint256 amount) external {
        collateralOf[msg.sender] += amount;
        bitcoin.safeTransferFrom(msg.sender, address(this), amount);
    }

    function withdraw(uint256 amount) external {
        collateralOf[msg.sender] -= amount;
        require(debtOf[msg.sender] <= borrowLimit(msg.sender), "too little collateral left");
        bitcoin.safeTransfer(msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        debtOf[msg.sender] += amount;
        require(debtOf[msg.sender] <= borrowLimit(msg.sender), "beyond the limit");
        dollar.safeTransfer(msg.sender, amount);
    }

    function repay(uint256 amount) external {
        debtOf[msg.sender] -= amount;
        dollar.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// Pays somebody's whole debt for collateral of that value and a bonus.
    function liquidate(address account) external {
        uint256 debt = debtOf[account];
        uint256 price = feed.price();
        require(debt > collateralOf[account].fullMulDiv(price * LIQUIDATION_BPS, SCALE), "healthy");
        uint256 seized = debt.fullMulDiv((10_000 + BONUS_BPS) * 1e6, price).min(collateralOf[account]);
        debtOf[account] = 0;
        collateralOf[account] -= seized;
        dollar.safeTransferFrom(msg.sender, address(this), debt);
        bitcoin.safeTransfer(msg.sender, seized);
    }

    /// How many dollars the account may owe.
    function borrowLimit(address account) public view virtual returns (uint256) {
        return collateralOf[account].fullMulDiv(feed.price() * LOAN_TO_VALUE_BPS, SCALE);
    }
}

/// Bug: the limit is rounded up, so that one unit more can be borrowed than the collateral covers.
contract LendingMarketBug is LendingMarket {
    using FixedPointMathLib for uint256;

    constructor(address bitcoin_, address dollar_, PriceFeed feed_) LendingMarket(bitcoin_, dollar_, feed_) {}

    function borrowLimit(address account) public view override returns (uint256) {
        return collateralOf[account].fullMulDivUp(feed.price() * LOAN_TO_VALUE_BPS, SCALE);
    }
}
