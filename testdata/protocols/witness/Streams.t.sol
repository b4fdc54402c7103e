// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {StreamsProperties, StreamsTest, StreamsBugTest} from "../test/Streams.t.sol";
import {StreamsHandler} from "../test/StreamsHandler.sol";
import {Streams} from "../src/Streams.sol";

contract StreamsWitness is Test {
    function _suite(bool bug) internal returns (StreamsProperties suite) {
        suite = bug ? StreamsProperties(new StreamsBugTest()) : new StreamsTest();
        suite.setUp();
    }

    function _holds(StreamsProperties suite, bytes4 selector) internal view returns (bool ok) {
        (ok,) = address(suite).staticcall(abi.encodeWithSelector(selector));
    }

    /// Kind: off by one at the boundary of an epoch (closing refunds the committed cycle in progress). 4 calls.
    /// Width: wide; the balance must fund a cycle, and a week must have begun since the last change.
    function test_p_closeRefundsTheCurrentCycle() public {
        for (uint256 i; i < 2; ++i) {
            StreamsProperties suite = _suite(i == 1);
            Streams s = suite.streams();
            address alice = suite.actors(0);
            address bob = suite.actors(1);
            vm.prank(alice);
            s.addReceiver(bob, 1000e18);
            vm.prank(alice);
            s.topUp(alice, 5000e18);
            suite.handler().warpDays(7);
            assertTrue(_holds(suite, suite.invariant_solvency.selector));
            vm.prank(alice);
            s.close();
            assertEq(_holds(suite, suite.invariant_solvency.selector), i == 0);
        }
    }

    /// Kind: missed update in one branch (the end of the stream stays with the old receiver when places
    /// are merged). 5 calls of three actors. Width: any amounts that fund a cycle; both receivers must be actors,
    /// in the same stream.
    function test_p_mergedPlaceHasNoEnd() public {
        for (uint256 i; i < 2; ++i) {
            StreamsProperties suite = _suite(i == 1);
            Streams s = suite.streams();
            address alice = suite.actors(0);
            address bob = suite.actors(1);
            address carol = suite.actors(2);
            vm.prank(alice);
            s.addReceiver(bob, 1000e18);
            vm.prank(alice);
            s.addReceiver(carol, 500e18);
            vm.prank(alice);
            s.topUp(alice, 5000e18);
            vm.prank(bob);
            s.offer(alice, carol);
            assertTrue(_holds(suite, suite.invariant_schedules.selector));
            vm.prank(carol);
            s.accept(alice, bob);
            assertEq(_holds(suite, suite.invariant_schedules.selector), i == 0);
        }
    }

    /// Kind: rounding (shares of a split round up, and a full split gives out more than there is). 7 calls. Width: two
    /// splits that add up to all (the second takes the rest), an amount that they do not divide.
    function test_p_splitRoundsUp() public {
        for (uint256 i; i < 2; ++i) {
            StreamsProperties suite = _suite(i == 1);
            Streams s = suite.streams();
            StreamsHandler h = suite.handler();
            address bob = suite.actors(1);
            address carol = suite.actors(2);
            address dave = suite.actors(3);
            vm.prank(bob);
            s.setSplit(carol, 3333);
            vm.prank(bob);
            s.setSplit(dave, 20_000);
            h.addBetween(0, 1, 123_456_789_012_345_678_901);
            h.topUpActor(0, 1000e18);
            h.warpDays(14);
            s.collect(bob, 5);
            assertTrue(_holds(suite, suite.invariant_splitConservation.selector));
            s.split(bob);
            assertEq(_holds(suite, suite.invariant_splitConservation.selector), i == 0);
        }
    }
}
