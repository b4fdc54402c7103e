// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {CreditLines} from "../src/clearinghouse/CreditLines.sol";
import {LiquidationAuctions} from "../src/clearinghouse/LiquidationAuctions.sol";
import {ParamGovernor} from "../src/clearinghouse/ParamGovernor.sol";
import {ClearinghouseTester} from "./ClearinghouseTester.sol";

contract ClearinghouseUnitTest is Test {
    ClearinghouseTester internal h;
    address internal alice;
    address internal bob;

    function setUp() public {
        h = new ClearinghouseTester(3);
        alice = h.actorAt(0);
        bob = h.actorAt(1);
    }

    function test_depositAndWithdraw() public {
        h.vault_deposit(0, 0, 5e18);
        assertEq(h.vault().balanceOf(alice, 0), 5e18);
        assertEq(h.vault().collateralValue(alice), 10_000e18);
        h.vault_withdraw(0, 0, 5e18);
        assertEq(h.vault().totalOf(0), 10_000e18);
    }

    function test_drawNeedsCollateral() public {
        CreditLines lines = h.lines();
        vm.prank(alice);
        vm.expectRevert("lines: unhealthy");
        lines.draw(1_000e18, 4);
    }

    function test_interestAccrues() public {
        h.vault_deposit(0, 0, 10e18);
        h.lines_draw(0, 10_000e18, 8);
        vm.warp(block.timestamp + 30 days);
        h.ledger_accrue();
        assertGt(h.lines().debtOf(alice), 10_000e18);
        assertGt(h.fund().totalAssets(), 0);
        assertTrue(h.invariant_supplyBacked());
    }

    function test_liquidation() public {
        h.vault_deposit(0, 0, 10e18);
        h.lines_drawMax(0, 8);
        LiquidationAuctions auctions = h.auctions();
        vm.expectRevert("auction: healthy");
        auctions.start(alice, 0);
        h.feed_drop(0, 1000);
        h.auction_start(0, 0);
        h.auction_bidAll(1, 0);
        assertGt(h.vault().balanceOf(bob, 0), 0);
        assertEq(h.auctions().openCount(alice), 0);
    }

    function test_rewardsStreamByWeek() public {
        h.staking_stake(0, 100e18);
        h.staking_notify(700e18, 1);
        h.warp_nextWeek();
        vm.warp(block.timestamp + 1 days);
        assertApproxEqAbs(h.staking().earned(alice), 100e18, 1e3);
        h.staking_claim(0);
        assertEq(h.staking().earned(alice), 0);
    }

    function test_feesGoToWeights() public {
        h.staking_stake(0, 100e18);
        h.staking_stake(1, 300e18);
        h.fees_donate(2, 400e18);
        h.warp_weeks(1);
        h.ledger_accrue();
        uint256 had = h.dollar().balanceOf(bob);
        h.fees_claim(1);
        assertGe(h.dollar().balanceOf(bob) - had, 300e18);
    }

    function test_timeLock() public {
        h.governor_queue(5, 120);
        ParamGovernor governor = h.governor();
        vm.expectRevert("gov: early");
        governor.execute(0);
        vm.warp(block.timestamp + 2 days);
        h.governor_execute(0);
        assertEq(h.governor().value(5), 120);
    }
}
