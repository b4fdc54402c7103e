// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {LendingMarket, MarketToken, PriceFeed} from "./LendingMarket.sol";

contract LendingMarketHandler is Actors {
    LendingMarket public immutable market;
    MarketToken public immutable bitcoin;
    MarketToken public immutable dollar;
    PriceFeed public immutable feed;

    /// Loans and withdrawals that left an account with more debt than its collateral covers.
    uint256 public ghost_uncoveredLoans;
    uint256 public ghost_borrowed;
    uint256 public ghost_repaid;

    constructor(LendingMarket market_, MarketToken bitcoin_, MarketToken dollar_) {
        (market, bitcoin, dollar, feed) = (market_, bitcoin_, dollar_, market_.feed());
        _addActors("borrower", 3);
        for (uint256 i; i < actors.length; ++i) {
            vm.startPrank(actors[i]);
            bitcoin.approve(address(market), type(uint256).max);
            dollar.approve(address(market), type(uint256).max);
            vm.stopPrank();
        }
    }

    function deposit(uint256 actorSeed, uint256 amount) external {
        address borrower = actor(actorSeed);
        amount = bound(amount, 1e4, 1000e8);
        bitcoin.mint(borrower, amount);
        vm.prank(borrower);
        market.deposit(amount);
    }

    function withdraw(uint256 actorSeed, uint256 amount) external {
        address borrower = actor(actorSeed);
        amount = bound(amount, 0, market.collateralOf(borrower));
        vm.prank(borrower);
        market.withdraw(amount);
        _noteCover(borrower);
    }

    function borrow(uint256 actorSeed, uint256 amount) external {
        address borrower = actor(actorSeed);
        amount = bound(amount, 1, dollar.balanceOf(address(market)));
        vm.prank(borrower);
        market.borrow(amount);
        ghost_borrowed += amount;
        _noteCover(borrower);
    }

    function repay(uint256 actorSeed, uint256 amount) external {
        address borrower = actor(actorSeed);
        amount = bound(amount, 0, market.debtOf(borrower));
        dollar.mint(borrower, amount);
        vm.prank(borrower);
        market.repay(amount);
        ghost_repaid += amount;
    }

    function liquidate(uint256 actorSeed, uint256 accountSeed) external {
        uint256 debt = market.debtOf(actor(accountSeed));
        dollar.mint(actor(actorSeed), debt);
        vm.prank(actor(actorSeed));
        market.liquidate(actor(accountSeed));
        ghost_repaid += debt;
    }

    function report(uint256 price) external {
        feed.report(bound(price, 20_000e8, 120_000e8));
    }

    /// The same comparison as the market's, without a division.
    function _noteCover(address borrower) private {
        uint256 cover = market.collateralOf(borrower) * feed.price() * market.LOAN_TO_VALUE_BPS();
        if (market.debtOf(borrower) * market.SCALE() > cover) ghost_uncoveredLoans++;
    }
}
