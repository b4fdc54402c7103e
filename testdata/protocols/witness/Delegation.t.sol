// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {DelegationProperties, DelegationTest, DelegationBugTest} from "../test/Delegation.t.sol";
import {Delegation} from "../src/Delegation.sol";
import {DelegationHandler} from "../test/DelegationHandler.sol";

contract DelegationWitness is Test {
    Delegation dao;
    DelegationHandler helper;
    address ada;
    address ben;

    function start(DelegationProperties suite) internal {
        suite.setUp();
        dao = suite.dao();
        helper = suite.helper();
        ada = suite.actors(0);
        ben = suite.actors(1);
    }

    /// Off-by-one in a removal (medium), 4 calls. Width: wide, any two requests of different amounts and the older one
    /// taken first, after 10 days.
    function test_delegation_dangling_exit() public {
        DelegationProperties[2] memory suites = [DelegationProperties(new DelegationTest()), new DelegationBugTest()];
        for (uint256 k; k < 2; ++k) {
            start(suites[k]);
            vm.prank(ada);
            dao.requestExit(1000e18);
            vm.prank(ada);
            dao.requestExit(5);
            helper.sleep(10 days);
            suites[k].invariant_exits_add_up();
            vm.prank(ada);
            dao.completeExit(0);
            check(suites[k], k == 1, suites[k].invariant_exits_add_up.selector);
        }
    }

    /// Double count: the override of a vote already cast is forgotten when the delegate votes again (deep), 7 calls.
    /// Width: wide in amounts, but needs two roles, the voting window, and override between two votes.
    function test_delegation_vote_after_override() public {
        DelegationProperties[2] memory suites = [DelegationProperties(new DelegationTest()), new DelegationBugTest()];
        for (uint256 k; k < 2; ++k) {
            start(suites[k]);
            vm.prank(ada);
            dao.delegate(ben);
            helper.warp(1 hours);
            vm.prank(ben);
            uint256 id = dao.proposeQuorum(1000);
            helper.warp(2 days);
            vm.prank(ben);
            dao.castVote(id, 1);
            vm.prank(ada);
            dao.castOverride(id, 0);
            suites[k].invariant_ballots_within_votes();
            vm.prank(ben);
            dao.castVote(id, 0);
            check(suites[k], k == 1, suites[k].invariant_ballots_within_votes.selector);
        }
    }

    /// State checked by its current name: a queued spending that expired keeps its reservation when it is canceled
    /// (deep), 7 calls. Width: wide in amounts (any spending below the limit), but a whole life of a proposal in time.
    function test_delegation_cancel_after_expiry() public {
        DelegationProperties[2] memory suites = [DelegationProperties(new DelegationTest()), new DelegationBugTest()];
        for (uint256 k; k < 2; ++k) {
            start(suites[k]);
            vm.prank(ada);
            uint256 id = dao.proposeSpend(0, ben, 100e6);
            helper.warp(2 days);
            vm.prank(ada);
            dao.castVote(id, 1);
            helper.sleep(5 days);
            vm.prank(ben);
            dao.queue(id);
            helper.sleep(10 days);
            suites[k].invariant_reservations_match_queue();
            vm.prank(ada);
            dao.cancel(id);
            check(suites[k], k == 1, suites[k].invariant_reservations_match_queue.selector);
        }
    }

    /// The invariant is broken in the buggy suite only; all the others hold in both.
    function check(DelegationProperties suite, bool buggy, bytes4 selector) internal view {
        bytes4[8] memory all = [
            suite.invariant_underlying_backs_supply.selector,
            suite.invariant_votes_match_balances.selector,
            suite.invariant_exits_add_up.selector,
            suite.invariant_snapshots_within_supply.selector,
            suite.invariant_ballots_within_votes.selector,
            suite.invariant_tally_is_sum_of_ballots.selector,
            suite.invariant_reservations_match_queue.selector,
            suite.invariant_treasury_limits.selector
        ];
        for (uint256 i; i < all.length; ++i) {
            (bool ok,) = address(suite).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, !(buggy && all[i] == selector));
        }
    }
}
