// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Gauges} from "../src/Gauges.sol";
import {Gauge} from "../src/gauges/Gauge.sol";
import {GaugesToken} from "./GaugesHandler.sol";

contract GaugesUnitTest is Test {
    Gauges gauges;
    Gauge gauge;
    GaugesToken token;
    GaugesToken lp;
    address alice = makeAddr("alice");

    function setUp() public {
        vm.warp(1_700_000_000);
        token = new GaugesToken("GOV");
        lp = new GaugesToken("LP");
        gauges = new Gauges(address(token), address(this));
        gauge = Gauge(gauges.addGauge(address(lp)));
        token.mint(alice, 1_000e18);
        lp.mint(alice, 1_000e18);
        vm.startPrank(alice);
        token.approve(address(gauges), type(uint256).max);
        lp.approve(address(gauge), type(uint256).max);
        vm.stopPrank();
    }

    function _nextWeek() internal {
        vm.warp((vm.getBlockTimestamp() / 7 days + 1) * 7 days);
    }

    function test_lockDecaysAndUnlocks() public {
        vm.startPrank(alice);
        gauges.createLock(1_000e18, 2);
        uint256 power = gauges.powerOf(alice);
        _nextWeek();
        assertLt(gauges.powerOf(alice), power);
        assertEq(gauges.powerOf(alice), gauges.totalPower());
        _nextWeek();
        assertEq(gauges.totalPower(), 0);
        gauges.withdrawLock();
        vm.stopPrank();
        assertEq(token.balanceOf(alice), 1_000e18);
    }

    function test_revertEarlyUnlock() public {
        vm.startPrank(alice);
        gauges.createLock(1_000e18, 2);
        vm.expectRevert(Gauges.LockActive.selector);
        gauges.withdrawLock();
    }

    function test_soleGaugeGetsTheEmission() public {
        vm.startPrank(alice);
        gauges.createLock(1_000e18, 104);
        gauges.vote(address(gauge), 10_000);
        _nextWeek();
        gauge.deposit(100e18);
        uint256 emission = gauges.emissionOf(vm.getBlockTimestamp());
        _nextWeek();
        assertApproxEqAbs(gauge.claim(), emission, 1e6);
        vm.stopPrank();
    }

    function test_revertTooManyVotesAndTooSoon() public {
        vm.startPrank(alice);
        gauges.createLock(1_000e18, 104);
        vm.expectRevert(Gauges.TooManyVotes.selector);
        gauges.vote(address(gauge), 10_001);
        gauges.vote(address(gauge), 5_000);
        vm.expectRevert(Gauges.VotedRecently.selector);
        gauges.vote(address(gauge), 6_000);
    }

    function test_depositAndWithdraw() public {
        vm.startPrank(alice);
        gauge.deposit(400e18);
        assertEq(gauge.workingOf(alice), 160e18);
        gauge.withdraw(type(uint96).max);
        assertEq(lp.balanceOf(alice), 1_000e18);
        assertEq(gauge.totalStake(), 0);
    }

    function test_killedGaugeEarnsNothing() public {
        vm.startPrank(alice);
        gauges.createLock(1_000e18, 104);
        gauges.vote(address(gauge), 10_000);
        gauge.deposit(100e18);
        vm.stopPrank();
        gauge.setKilled(true);
        _nextWeek();
        _nextWeek();
        assertEq(gauge.claimable(alice), 0);
        vm.prank(alice);
        vm.expectRevert(Gauge.NotAllowed.selector);
        gauge.deposit(1e18);
    }
}
