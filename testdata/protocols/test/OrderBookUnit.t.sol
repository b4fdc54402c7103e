// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OrderBook} from "../src/OrderBook.sol";
import {TestToken} from "../src/common/TestToken.sol";

contract OrderBookUnitTest is Test {
    TestToken base = new TestToken("Wrapped Ether", "WETH", 18);
    TestToken quote = new TestToken("USD Coin", "USDC", 6);
    OrderBook book = new OrderBook(base, quote, OrderBook.Fees(1_000, 2_500), address(this));
    address alice = makeAddr("alice");
    address bob = makeAddr("bob");

    function setUp() public {
        _fund(alice);
        _fund(bob);
    }

    function _fund(address who) internal {
        base.mint(who, 100e18);
        quote.mint(who, 500_000e6);
        vm.startPrank(who);
        base.approve(address(book), type(uint256).max);
        quote.approve(address(book), type(uint256).max);
        book.depositBase(100e18);
        book.depositQuote(500_000e6);
        vm.stopPrank();
    }

    function _place(address who, uint8 side, uint64 price, uint128 amount) internal returns (uint64) {
        vm.prank(who);
        return book.place(side, price, amount, 0, OrderBook.Kind.GoodTillCancelled);
    }

    function test_restingBidLocksQuoteAndFee() public {
        _place(alice, 0, 2_000e6, 1e18);
        (,, uint128 free, uint128 locked) = book.accounts(alice);
        assertEq(locked, 2_002e6);
        assertEq(free, 500_000e6 - 2_002e6);
        assertEq(book.best(0), 2_000e6);
    }

    function test_takerBuysFromBestAsk() public {
        _place(alice, 1, 2_010e6, 1e18);
        _place(alice, 1, 2_000e6, 1e18);
        assertEq(_place(bob, 0, 2_010e6, 1e18), 0);
        (uint128 bobBase,, uint128 bobQuote,) = book.accounts(bob);
        assertEq(bobBase, 101e18);
        assertEq(bobQuote, 500_000e6 - 2_000e6 - 5e6);
        (,, uint128 aliceQuote,) = book.accounts(alice);
        assertEq(aliceQuote, 500_000e6 + 1_998e6);
        assertEq(book.feesAccrued(), 7e6);
        assertEq(book.best(1), 2_010e6);
    }

    function test_partialFillRests() public {
        _place(alice, 1, 2_000e6, 1e18);
        uint64 id = _place(bob, 0, 2_000e6, 3e18);
        assertEq(book.getOrder(id).owner, bob);
        assertEq(book.getOrder(id).remaining, 2e18);
        assertEq(book.best(1), 0);
    }

    function test_cancelReturnsFunds() public {
        uint64 id = _place(alice, 1, 2_000e6, 5e18);
        vm.prank(alice);
        book.cancel(id);
        (uint128 free, uint128 locked,,) = book.accounts(alice);
        assertEq(free, 100e18);
        assertEq(locked, 0);
    }

    function test_volumeGivesDiscountNextWeek() public {
        _place(alice, 1, 2_000e6, 15e18);
        _place(bob, 0, 2_000e6, 15e18);
        assertEq(book.tierOf(bob), 0);
        vm.warp(block.timestamp + 1 weeks);
        assertEq(book.tierOf(bob), 1);
        assertEq(book.takerRate(bob), 2_000);
    }

    function test_reduceReturnsEscrow() public {
        uint64 id = _place(alice, 0, 2_000e6, 4e18);
        vm.prank(alice);
        book.reduce(id, 1e18);
        (,,, uint128 locked) = book.accounts(alice);
        assertEq(locked, 2_002e6);
    }

    function test_revertPostOnlyCross() public {
        _place(alice, 1, 2_000e6, 1e18);
        vm.prank(bob);
        vm.expectRevert(OrderBook.WouldCross.selector);
        book.place(0, 2_000e6, 1e18, 0, OrderBook.Kind.PostOnly);
    }

    function test_revertFeesBeforeDelay() public {
        book.scheduleFees(500, 1_000);
        vm.expectRevert(OrderBook.TooEarly.selector);
        book.applyFees();
    }
}
