// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {GaugesBugTest, GaugesProperties, GaugesTest} from "../test/Gauges.t.sol";
import {Gauges} from "../src/Gauges.sol";
import {Gauge} from "../src/gauges/Gauge.sol";
import {GaugesHandler} from "../test/GaugesHandler.sol";

contract GaugesWitness is Test {
    address alice = makeAddr("alice");
    address bob = makeAddr("bob");

    Gauges gauges;
    GaugesHandler handler;
    Gauge first;
    Gauge second;

    function _suite(bool buggy) internal returns (GaugesProperties suite) {
        suite = buggy ? GaugesProperties(new GaugesBugTest()) : GaugesProperties(new GaugesTest());
        suite.setUp();
        gauges = suite.gauges();
        handler = suite.handler();
        first = suite.gauge(0);
        second = suite.gauge(1);
    }

    function _check(GaugesProperties s, bytes4 failing) internal view {
        bytes4[8] memory all = [
            s.invariant_lockedTokens.selector,
            s.invariant_votingPower.selector,
            s.invariant_gaugeWeights.selector,
            s.invariant_voteShares.selector,
            s.invariant_weeklyEmission.selector,
            s.invariant_rewardsWithinGauge.selector,
            s.invariant_stakesAreHeld.selector,
            s.invariant_rewardSupply.selector
        ];
        for (uint256 i; i < 8; ++i) {
            (bool ok,) = address(s).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, all[i] != failing, vm.toString(i));
        }
    }

    // Missed checkpoint: the recipient of a stake is not settled, and earns on it from its last index.
    // Medium: 6 calls, two actors. Wide in the amounts; the gauge must have earned rewards since the recipient's last
    // checkpoint.
    function test_gauges_unsettledRecipient() public {
        for (uint256 i; i < 2; ++i) {
            GaugesProperties s = _suite(i == 0);
            vm.prank(alice);
            gauges.createLock(1_000e18, 50);
            vm.prank(alice);
            handler.voteFor(0, 10_000);
            handler.nextWeek();
            vm.prank(bob);
            first.deposit(500e18);
            handler.warp(2 days);
            s.invariant_rewardsWithinGauge();
            vm.prank(bob);
            handler.moveStake(0, 0, 200e18);
            _check(s, i == 0 ? s.invariant_rewardsWithinGauge.selector : bytes4(0));
        }
    }

    // Dangling entry: a vote renewed after the lock was extended leaves the old end's slope change in place.
    // Deep: 6 calls or more (more time calls for longer locks), one actor. The old end must still lie ahead when the
    // vote is renewed, ten days after the first, and be passed afterwards.
    function test_gauges_danglingSlopeChange() public {
        for (uint256 i; i < 2; ++i) {
            GaugesProperties s = _suite(i == 0);
            vm.prank(alice);
            gauges.createLock(1_000e18, 4);
            vm.prank(alice);
            handler.voteFor(0, 8_000);
            handler.warp(11 days);
            vm.prank(alice);
            gauges.extendLock(60);
            vm.prank(alice);
            handler.voteFor(0, 8_000);
            s.invariant_gaugeWeights();
            handler.warp(14 days);
            _check(s, i == 0 ? s.invariant_gaugeWeights.selector : bytes4(0));
        }
    }

    // Off by one at the week's boundary: a segment that ends at the boundary takes the next week's weight.
    // Deep: 11 calls, two voters. Weight must move to the first gauge from one week to the next, while the second was
    // checkpointed within the week at the old weight and the first was not. Wide in the amounts.
    function test_gauges_boundaryWeek() public {
        for (uint256 i; i < 2; ++i) {
            GaugesProperties s = _suite(i == 0);
            vm.prank(alice);
            gauges.createLock(1_000e18, 50);
            vm.prank(alice);
            handler.voteFor(1, 10_000);
            handler.nextWeek();
            vm.prank(alice);
            first.deposit(10e18);
            vm.prank(bob);
            second.deposit(10e18);
            handler.warp(5 days);
            vm.prank(bob);
            gauges.createLock(3_000e18, 50);
            vm.prank(bob);
            handler.voteFor(0, 10_000);
            vm.prank(bob);
            second.claim();
            handler.nextWeek();
            s.invariant_weeklyEmission();
            vm.prank(alice);
            first.deposit(1e18);
            _check(s, i == 0 ? s.invariant_weeklyEmission.selector : bytes4(0));
        }
    }
}
