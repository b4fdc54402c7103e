// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {LiquidStaking} from "../src/LiquidStaking.sol";
import {StakedAsset} from "./LiquidStakingHandler.sol";

contract LiquidStakingUnitTest is Test {
    LiquidStaking staking;
    StakedAsset asset;
    address admin = address(0xAD);
    address treasury = address(0x7EA);
    address operator = address(0x0FE0);
    address alice = address(0xA11CE);
    address bob = address(0xB0B);

    function setUp() public {
        vm.warp(1_750_000_000);
        asset = new StakedAsset();
        staking = new LiquidStaking(asset, admin, treasury, 1000);
        vm.prank(operator);
        asset.approve(address(staking), type(uint256).max);
        vm.startPrank(admin);
        staking.addValidator(operator);
        staking.grantRoles(admin, 7);
        vm.stopPrank();
        _deposit(alice, 100e18);
    }

    function _deposit(address who, uint256 amount) internal {
        asset.mint(who, amount);
        vm.startPrank(who);
        asset.approve(address(staking), amount);
        staking.deposit(amount, who);
        vm.stopPrank();
    }

    function test_rewardsRaiseTheRateAndPayTheTreasury() public {
        vm.startPrank(admin);
        staking.stake(0, 80e18);
        staking.report(0, 80.4e18);
        vm.stopPrank();
        assertEq(staking.totalAssets(), 100.4e18);
        assertApproxEqAbs(staking.convertToAssets(staking.balanceOf(treasury)), 0.04e18, 1e3);
        assertApproxEqAbs(staking.convertToAssets(100e18), 100.36e18, 1e3);
    }

    function test_noFeeUntilLossesAreMade() public {
        vm.startPrank(admin);
        staking.stake(0, 80e18);
        staking.report(0, 79.8e18);
        skip(1 days);
        staking.report(0, 80e18);
        assertEq(staking.balanceOf(treasury), 0);
        vm.expectRevert(LiquidStaking.AlreadyReported.selector);
        staking.report(0, 80e18);
        vm.stopPrank();
    }

    function test_withdrawalIsPaidAfterFinalization() public {
        vm.prank(alice);
        uint256 id = staking.requestWithdraw(40e18);
        vm.prank(alice);
        vm.expectRevert(LiquidStaking.WrongStatus.selector);
        staking.claim(id, 1);
        vm.prank(admin);
        assertEq(staking.finalize(id), 40e18);
        vm.prank(alice);
        staking.claim(id, 1);
        assertEq(asset.balanceOf(alice), 40e18);
        assertEq(staking.locked(), 0);
    }

    function test_slashBeforeFinalizationIsShared() public {
        vm.prank(alice);
        uint256 id = staking.requestWithdraw(50e18);
        vm.startPrank(admin);
        staking.stake(0, 40e18);
        staking.report(0, 38e18);
        assertEq(staking.finalize(id), 49e18);
        vm.stopPrank();
        assertEq(staking.claimable(id), 49e18);
    }

    function test_cancelReturnsTheShares() public {
        vm.startPrank(alice);
        uint256 id = staking.requestWithdraw(50e18);
        staking.cancelRequest(id);
        assertEq(staking.balanceOf(alice), 100e18);
        assertEq(staking.queuedShares(alice), 0);
        vm.stopPrank();
        vm.prank(admin);
        assertEq(staking.finalize(id), 0);
    }

    function test_queuedRequestChangesHands() public {
        vm.prank(alice);
        uint256 id = staking.requestWithdraw(50e18);
        vm.prank(alice);
        staking.transferRequest(id, bob);
        assertEq(staking.queuedShares(bob), 50e18);
        vm.prank(admin);
        staking.finalize(id);
        vm.prank(alice);
        vm.expectRevert(LiquidStaking.NotRequestOwner.selector);
        staking.claim(id, 1);
        vm.prank(bob);
        assertEq(staking.claim(id, 1), 50e18);
    }

    function test_limitsOfReports() public {
        vm.startPrank(admin);
        staking.stake(0, 80e18);
        vm.expectRevert(LiquidStaking.ReportOutOfBounds.selector);
        staking.report(0, 81e18);
        vm.expectRevert(LiquidStaking.ReportOutOfBounds.selector);
        staking.report(0, 70e18);
        vm.stopPrank();
    }
}
