// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ClearinghouseBugTest, ClearinghouseProperties, ClearinghouseTest} from "../test/Clearinghouse.t.sol";
import {ClearinghouseTester} from "../test/ClearinghouseTester.sol";

contract ClearinghouseWitness is Test {
    bytes internal constant PANIC = abi.encodeWithSignature("Panic(uint256)", 1);

    ClearinghouseProperties internal suite;
    ClearinghouseTester internal h;

    function _start(bool bug) internal {
        suite = bug ? ClearinghouseProperties(new ClearinghouseBugTest()) : new ClearinghouseTest();
        suite.setUp();
        h = suite.harness();
    }

    /// @dev The invariant holds before the last call, and after it only in the correct suite.
    function _invariant(bool bug, bytes4 selector, bytes memory last) internal {
        (bool ok,) = address(suite).staticcall(abi.encodeWithSelector(selector));
        assertTrue(ok, "holds before");
        (ok,) = address(h).call(last);
        assertTrue(ok, "last call");
        (ok,) = address(suite).staticcall(abi.encodeWithSelector(selector));
        assertEq(ok, !bug, "after");
    }

    /// @dev The last call panics by an assertion in the buggy suite only.
    function _assertion(bool bug, bytes memory last, bool correctReverts) internal {
        (bool ok, bytes memory data) = address(h).call(last);
        if (bug) {
            assertFalse(ok, "no panic");
            assertEq(data, PANIC, "not an assertion");
        } else {
            assertEq(ok, !correctReverts, "correct");
            assertTrue(keccak256(data) != keccak256(PANIC), "correct panics");
        }
    }

    // Double count in a transfer to oneself. 2 calls, width: any amount, one actor.
    function test_clearinghouse_selfTransfer() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.vault_deposit(1, 2, 1_000e6);
            _invariant(
                i == 0, suite.invariant_vaultTotals.selector, abi.encodeCall(h.vault_transfer, (1, 1, 2, 400e6))
            );
        }
    }

    // Delegated weight is not released with the stake. 3 calls, any amount.
    function test_clearinghouse_weightNotReleased() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.staking_stake(0, 100e18);
            h.staking_delegate(0, 1);
            _assertion(i == 0, abi.encodeCall(h.staking_requestUnstake, (0, 10e18)), false);
        }
    }

    // A cancelled exit stays in the total of the queue. 3 calls, any amount.
    function test_clearinghouse_queueTotal() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.fund_deposit(2, 50e18);
            h.fund_requestExit(2, 1e20);
            _invariant(i == 0, suite.invariant_fundQueue.selector, abi.encodeCall(h.fund_cancelExit, (2, 1e18)));
        }
    }

    // The step is only checked in the queue. 5 calls; the two values on either side of the present one.
    function test_clearinghouse_staleStep() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.governor_queue(5, 140);
            h.governor_queue(5, 60);
            h.warp_days(3);
            h.governor_execute(0);
            _assertion(i == 0, abi.encodeCall(h.governor_execute, (1)), true);
        }
    }

    // A merge that removes a tranche from the middle leaves the position of the moved one. 4 calls; the later tranche
    // matures no later than the first.
    function test_clearinghouse_danglingPosition() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.vault_deposit(0, 0, 100e18);
            h.lines_draw(0, 10_000e18, 8);
            h.lines_draw(0, 20_000e18, 4);
            _invariant(i == 0, suite.invariant_trancheIndex.selector, abi.encodeCall(h.lines_merge, (0, 0, 1)));
        }
    }

    // A partial repayment loses the mark of the late fee. 6 calls; a term of one to four weeks against the warp.
    function test_clearinghouse_lateTwice() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.vault_deposit(0, 0, 100e18);
            h.lines_draw(0, 10_000e18, 2);
            h.warp_weeks(3);
            h.lines_chargeLate(0, 0);
            h.lines_repay(1, 0, 0, 100e18);
            _assertion(i == 0, abi.encodeCall(h.lines_chargeLate, (0, 0)), true);
        }
    }

    // A restake is not settled first, so that it earns for the time that it cooled. 6 calls; part of the stake cools
    // while a cycle streams.
    function test_clearinghouse_restakeRewards() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.staking_stake(0, 100e18);
            h.staking_notify(700e18, 1);
            h.staking_requestUnstake(0, 60e18);
            h.warp_nextWeek();
            h.warp_days(4);
            _invariant(
                i == 0, suite.invariant_rewardsAccrued.selector, abi.encodeCall(h.staking_cancelUnstake, (0, 60e18))
            );
        }
    }

    // A week counts as closed at its very end, so that its total is fixed before the last stakes of that second.
    // 6 calls, two actors; a claim and a stake at the boundary itself.
    function test_clearinghouse_weekBoundary() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.staking_stake(0, 100e18);
            h.warp_days(1);
            h.ledger_accrue();
            h.warp_nextWeek();
            h.fees_claim(0);
            _invariant(i == 0, suite.invariant_feeShares.selector, abi.encodeCall(h.staking_stake, (1, 500e18)));
        }
    }

    // A restarted auction forgets what it has raised. 8 calls, two actors; a drop of 7 to 10 %, partial bids of more
    // than half of the target each.
    function test_clearinghouse_auctionTarget() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.vault_deposit(0, 0, 100e18);
            h.lines_drawMax(0, 20);
            h.feed_drop(0, 900);
            h.auction_start(0, 0);
            h.auction_bid(1, 0, h.auctions().auctionOf(0).lot / 2);
            h.warp_days(3);
            h.auction_redo(0);
            _assertion(i == 0, abi.encodeCall(h.auction_bid, (1, 0, h.auctions().auctionOf(0).lotLeft)), false);
        }
    }

    // A write-off takes the debt at a stale index. 8 calls, two actors; a drop of 16 % or more, the whole lot sold in
    // the second half of the auction, time before the write-off.
    function test_clearinghouse_staleWriteOff() public {
        for (uint256 i; i < 2; ++i) {
            _start(i == 0);
            h.vault_deposit(0, 0, 100e18);
            h.lines_drawMax(0, 20);
            h.feed_drop(0, 1900);
            h.auction_start(0, 0);
            h.warp_hours(24);
            h.auction_bidAll(1, 0);
            h.warp_days(2);
            _assertion(i == 0, abi.encodeCall(h.auction_writeOff, (0)), false);
        }
    }
}
