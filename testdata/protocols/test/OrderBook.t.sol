// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OrderBook} from "../src/OrderBook.sol";
import {OrderBookBug} from "../src/OrderBookBug.sol";
import {TestToken} from "../src/common/TestToken.sol";
import {OrderBookHandler} from "./OrderBookHandler.sol";

abstract contract OrderBookProperties is Test {
    TestToken public base;
    TestToken public quote;
    OrderBook public book;
    OrderBookHandler public handler;
    address public admin = address(0xAD);
    address[] public actors;

    function _deploy(OrderBook.Fees memory fees) internal virtual returns (OrderBook);

    function setUp() public virtual {
        vm.warp(1_700_020_000);
        base = new TestToken("Wrapped Ether", "WETH", 18);
        quote = new TestToken("USD Coin", "USDC", 6);
        book = _deploy(OrderBook.Fees(1_000, 2_500));
        for (uint160 i = 1; i <= 4; ++i) {
            address actor = address(0xA000 + i);
            actors.push(actor);
            base.mint(actor, 400e18);
            quote.mint(actor, 1_000_000e6);
            vm.startPrank(actor);
            base.approve(address(book), type(uint256).max);
            quote.approve(address(book), type(uint256).max);
            book.depositBase(400e18);
            book.depositQuote(1_000_000e6);
            vm.stopPrank();
        }
        handler = new OrderBookHandler(book, base, quote, admin, actors);
        targetContract(address(handler));
    }

    /// Tokens held cover all accounts and fees.
    function invariant_solvency() public view {
        uint256 sumBase;
        uint256 sumQuote = book.feesAccrued();
        for (uint256 i; i < actors.length; ++i) {
            (uint128 fb, uint128 lb, uint128 fq, uint128 lq) = book.accounts(actors[i]);
            sumBase += uint256(fb) + lb;
            sumQuote += uint256(fq) + lq;
        }
        assertGe(base.balanceOf(address(book)), sumBase, "base");
        assertGe(quote.balanceOf(address(book)), sumQuote, "quote");
    }

    /// Locked funds of an account are the escrows of its open orders.
    function invariant_lockedMatchesOrders() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint256[2] memory sums;
            uint64[] memory open = book.openOrders(actors[i]);
            for (uint256 j; j < open.length; ++j) {
                OrderBook.Order memory order = book.getOrder(open[j]);
                assertEq(order.owner, actors[i], "owner");
                sums[order.side] += order.escrow;
            }
            (, uint128 lb,, uint128 lq) = book.accounts(actors[i]);
            assertEq(lq, sums[0], "locked quote");
            assertEq(lb, sums[1], "locked base");
        }
    }

    /// The escrow of an order pays for its open amount and for the fee it was placed with.
    function invariant_ordersBacked() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint64[] memory open = book.openOrders(actors[i]);
            for (uint256 j; j < open.length; ++j) {
                OrderBook.Order memory order = book.getOrder(open[j]);
                assertGt(order.remaining, 0, "empty order");
                if (order.side == 1) {
                    assertEq(order.escrow, order.remaining, "ask escrow");
                } else {
                    uint256 needed = book.bidEscrow(order.remaining, order.price, order.rate);
                    assertGe(order.escrow, needed, "bid escrow too small");
                    assertLe(order.escrow, needed + order.fills, "bid escrow too large");
                }
            }
        }
    }

    /// Both sides are sorted, linked both ways, without empty levels, and do not cross.
    function invariant_bookShape() public view {
        for (uint8 side; side < 2; ++side) {
            uint64 prev;
            uint64 cur = book.best(side);
            uint256 count;
            while (cur != 0) {
                OrderBook.Level memory level = book.getLevel(side, cur);
                assertGt(level.count, 0, "empty level");
                if (prev != 0) assertTrue(side == 0 ? cur < prev : cur > prev, "not sorted");
                assertLe(++count, book.MAX_LEVELS(), "too long");
                prev = cur;
                cur = level.next;
            }
            assertEq(count, book.levelCount(side), "level count");
        }
        (uint64 bid, uint64 ask) = (book.best(0), book.best(1));
        if (bid != 0 && ask != 0) assertLt(bid, ask, "crossed");
    }

    /// The queue of a level holds its orders, and its total is the sum of them.
    function invariant_levelQueues() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint64[] memory open = book.openOrders(actors[i]);
            for (uint256 j; j < open.length; ++j) {
                OrderBook.Order memory first = book.getOrder(open[j]);
                if (first.prev != 0) continue;
                OrderBook.Level memory level = book.getLevel(first.side, first.price);
                assertEq(level.head, open[j], "head");
                uint256 total;
                uint256 count;
                uint64 last;
                for (uint64 id = open[j]; id != 0 && count <= 32; ++count) {
                    OrderBook.Order memory order = book.getOrder(id);
                    total += order.remaining;
                    last = id;
                    id = order.next;
                }
                assertEq(level.tail, last, "tail");
                assertEq(level.count, count, "count");
                assertEq(level.total, total, "total");
            }
        }
    }

    /// The discount follows the volume of the week before.
    function invariant_feeTiers() public view {
        uint256 week = block.timestamp / 1 weeks;
        for (uint256 i; i < actors.length; ++i) {
            uint256 volume = week == 0 ? 0 : handler.weeklyVolume(week - 1, actors[i]);
            uint256 tier = volume >= 250_000e6 ? 2 : volume >= 25_000e6 ? 1 : 0;
            assertEq(book.tierOf(actors[i]), tier, "tier");
        }
    }

    /// All fees are accounted for and do not exceed the highest rates.
    function invariant_feesAccounted() public view {
        uint256 total = book.feesAccrued() + book.feesCollected() + book.referralsPaid();
        assertEq(total, book.lifetimeFees(), "fee split");
        uint256 cap = book.tradedVolume() * (book.MAX_MAKER() + book.MAX_TAKER()) / 1e6;
        assertLe(total, cap + uint256(book.lastOrderId()) * 64 + 64, "fee cap");
        assertEq(quote.balanceOf(admin), book.feesCollected(), "collected");
    }
}

/// @custom:expect invariant_solvency PASS
/// @custom:expect invariant_lockedMatchesOrders PASS
/// @custom:expect invariant_ordersBacked PASS
/// @custom:expect invariant_bookShape PASS
/// @custom:expect invariant_levelQueues PASS
/// @custom:expect invariant_feeTiers PASS
/// @custom:expect invariant_feesAccounted PASS
contract OrderBookTest is OrderBookProperties {
    function _deploy(OrderBook.Fees memory fees) internal override returns (OrderBook) {
        return new OrderBook(base, quote, fees, admin);
    }
}

/// @custom:bug calls=10
/// @custom:expect invariant_solvency PASS
/// @custom:expect invariant_lockedMatchesOrders PASS
/// @custom:expect invariant_ordersBacked FAIL
/// @custom:expect invariant_bookShape FAIL
/// @custom:expect invariant_levelQueues PASS
/// @custom:expect invariant_feeTiers FAIL
/// @custom:expect invariant_feesAccounted PASS
contract OrderBookBugTest is OrderBookProperties {
    function _deploy(OrderBook.Fees memory fees) internal override returns (OrderBook) {
        return new OrderBookBug(base, quote, fees, admin);
    }
}
