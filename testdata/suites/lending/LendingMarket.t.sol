// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: a limit is rounded up where it must be rounded down.
// Calls: 2 (deposit, borrow). Width: very narrow; of 10^15 amounts that may be asked for, one shows it: the product of
// collateral, price and ratio, divided and rounded up. (A withdrawal can show it too, with one of some 10^11 amounts
// and only if the debt fits.)

import {BugShown} from "../common/BugShown.sol";
import {LendingMarket, LendingMarketBug, MarketToken, PriceFeed} from "./LendingMarket.sol";
import {LendingMarketHandler} from "./LendingMarketHandler.sol";

abstract contract LendingMarketProperties is BugShown {
    uint256 internal constant CASH = 1e15;

    MarketToken internal bitcoin;
    MarketToken internal dollar;
    LendingMarket internal market;
    LendingMarketHandler internal handler;

    function _deploy(PriceFeed feed) internal virtual returns (LendingMarket);

    function setUp() public {
        bitcoin = new MarketToken("BTC", 8);
        dollar = new MarketToken("USD", 6);
        // The handler is the reporter; its address is known before it is there.
        address reporter = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 2);
        market = _deploy(new PriceFeed(reporter, 61_234.56789012e8));
        handler = new LendingMarketHandler(market, bitcoin, dollar);
        dollar.mint(address(market), CASH);
        targetContract(address(handler));
        excludeSender(address(market));
    }

    function invariant_loansAreCovered() external view {
        assertEq(handler.ghost_uncoveredLoans(), 0);
    }

    function invariant_cashIsLentOrThere() external view {
        assertEq(dollar.balanceOf(address(market)) + handler.ghost_borrowed() - handler.ghost_repaid(), CASH);
    }

    function invariant_booksMatch() external view {
        uint256 debt;
        uint256 collateral;
        for (uint256 i; i < handler.actorCount(); ++i) {
            debt += market.debtOf(handler.actor(i));
            collateral += market.collateralOf(handler.actor(i));
        }
        assertEq(debt, handler.ghost_borrowed() - handler.ghost_repaid(), "debt");
        assertEq(collateral, bitcoin.balanceOf(address(market)), "collateral");
    }
}

/// @custom:expect invariant_loansAreCovered PASS
/// @custom:expect invariant_cashIsLentOrThere PASS
/// @custom:expect invariant_booksMatch PASS
contract LendingMarketTest is LendingMarketProperties {
    function _deploy(PriceFeed feed) internal override returns (LendingMarket) {
        return new LendingMarket(address(bitcoin), address(dollar), feed);
    }
}

/// @custom:bug calls=2
/// @custom:expect invariant_loansAreCovered FAIL
/// @custom:expect invariant_cashIsLentOrThere PASS
/// @custom:expect invariant_booksMatch PASS
contract LendingMarketBugTest is LendingMarketProperties {
    function _deploy(PriceFeed feed) internal override returns (LendingMarket) {
        return new LendingMarketBug(address(bitcoin), address(dollar), feed);
    }

    function test_bug_shown() public {
        handler.deposit(0, 1.23456789e8);
        this.invariant_loansAreCovered();
        handler.borrow(0, 1.23456789e8 * uint256(61_234.56789012e8) * 7500 / 1e14 + 1);
        assertBroken(this.invariant_loansAreCovered);
    }
}
