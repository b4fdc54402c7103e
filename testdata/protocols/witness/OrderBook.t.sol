// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OrderBookProperties, OrderBookTest, OrderBookBugTest} from "../test/OrderBook.t.sol";
import {OrderBookHandler} from "../test/OrderBookHandler.sol";

contract OrderBookWitness is Test {
    function _fails(OrderBookProperties suite, bytes4 invariant) internal returns (bool) {
        (bool ok,) = address(suite).call(abi.encodePacked(invariant));
        return !ok;
    }

    function _both(function(OrderBookProperties, bool) internal run) internal {
        OrderBookProperties correct = new OrderBookTest();
        correct.setUp();
        run(correct, false);
        OrderBookProperties buggy = new OrderBookBugTest();
        buggy.setUp();
        run(buggy, true);
    }

    // Medium, 5 calls. Removal that leaves a dangling entry: removing a middle level does not fix the back link of
    // the level behind it; removing that one then leaves it in the list, empty. Width: any amounts, three different
    // prices on one side, cancelled in this order.
    function test_OrderBook_danglingLevel() public {
        _both(_danglingLevel);
    }

    function _danglingLevel(OrderBookProperties suite, bool expected) internal {
        OrderBookHandler h = suite.handler();
        h.placeAsk(0, 2_010, 500, 1);
        h.placeAsk(1, 2_012, 500, 1);
        h.placeAsk(2, 2_015, 500, 1);
        h.cancel(1, 0);
        suite.invariant_bookShape();
        h.cancel(2, 0);
        assertEq(_fails(suite, suite.invariant_bookShape.selector), expected, "bookShape");
        assertFalse(_fails(suite, suite.invariant_ordersBacked.selector), "ordersBacked");
        assertFalse(_fails(suite, suite.invariant_feeTiers.selector), "feeTiers");
    }

    // Deep, 6 calls. Stale versus current rate: reduce() recomputes the escrow of a bid with the fee of today, not
    // with the one that the order was placed (and is filled) with. Width: any lower maker fee, any bid, two warps to
    // pass the delay of two days. (Also by a better tier in the next week.)
    function test_OrderBook_reduceWithCurrentFee() public {
        _both(_reduceWithCurrentFee);
    }

    function _reduceWithCurrentFee(OrderBookProperties suite, bool expected) internal {
        OrderBookHandler h = suite.handler();
        h.placeBid(0, 1_990, 5_000, 1);
        h.scheduleFees(400, 2_000);
        h.warp(1 days);
        h.warp(1 days);
        h.applyFees();
        suite.invariant_ordersBacked();
        h.reduce(0, 0, 3_000);
        assertEq(_fails(suite, suite.invariant_ordersBacked.selector), expected, "ordersBacked");
        assertFalse(_fails(suite, suite.invariant_bookShape.selector), "bookShape");
        assertFalse(_fails(suite, suite.invariant_feeTiers.selector), "feeTiers");
    }

    // Deep, 10 calls. Missed checkpoint: the weekly volume is rolled without looking how many weeks have passed, so a
    // trader idle for a whole week keeps the discount. Width: one trade of 12.5 ether or more (of 40), then more
    // than a week in steps of at most a day in which that trader has no trade.
    function test_OrderBook_idleWeekKeepsTier() public {
        _both(_idleWeekKeepsTier);
    }

    function _idleWeekKeepsTier(OrderBookProperties suite, bool expected) internal {
        OrderBookHandler h = suite.handler();
        h.placeAsk(0, 2_000, 20_000, 1);
        h.take(1, true, 20_000);
        for (uint256 i; i < 7; ++i) {
            h.warp(1 days);
        }
        suite.invariant_feeTiers();
        h.warp(1 days);
        assertEq(_fails(suite, suite.invariant_feeTiers.selector), expected, "feeTiers");
        assertFalse(_fails(suite, suite.invariant_bookShape.selector), "bookShape");
        assertFalse(_fails(suite, suite.invariant_ordersBacked.selector), "ordersBacked");
    }
}
