// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Perpetuals} from "../src/Perpetuals.sol";
import {PerpetualsOracle, PerpetualsToken} from "./PerpetualsHandler.sol";

contract PerpetualsUnitTest is Test {
    Perpetuals perps;
    PerpetualsOracle oracle;
    PerpetualsToken usdc;
    address lp = makeAddr("lp");
    address alice = makeAddr("alice");

    function setUp() public {
        vm.warp(1_700_000_000);
        usdc = new PerpetualsToken();
        oracle = new PerpetualsOracle();
        oracle.setPrice(0, 2_000e18);
        perps = new Perpetuals(address(usdc), oracle, address(this));
        perps.addMarket(10, 1_000e18, 0.05e18);
        address[2] memory users = [lp, alice];
        for (uint256 i; i < 2; ++i) {
            usdc.mint(users[i], 1_000_000e6);
            vm.prank(users[i]);
            usdc.approve(address(perps), type(uint256).max);
        }
        vm.prank(lp);
        perps.addLiquidity(500_000e6);
        vm.prank(alice);
        perps.depositMargin(0, 10_000e6);
    }

    function test_longEarnsWhenPriceRises() public {
        vm.startPrank(alice);
        perps.trade(0, 10e18, 2_000e18);
        oracle.setPrice(0, 2_200e18);
        perps.closePosition(0, 2_200e18);
        vm.stopPrank();
        assertEq(perps.positionOf(0, alice).margin, 10_000e18 + 2_000e18 - 20e18 - 22e18);
    }

    function test_fundingIsPaidByTheLargerSide() public {
        vm.prank(alice);
        perps.trade(0, 10e18, 2_000e18);
        vm.warp(block.timestamp + 2 days);
        assertLt(perps.equityOf(0, alice), 10_000e18 - 20e18);
        assertGt(perps.poolValue(), 500_000e18);
    }

    function test_revertWhenLeverageTooHigh() public {
        vm.prank(alice);
        vm.expectRevert(Perpetuals.InsufficientMargin.selector);
        perps.trade(0, 51e18, 2_000e18);
    }

    function test_revertPriceLimit() public {
        vm.prank(alice);
        vm.expectRevert(Perpetuals.PriceLimit.selector);
        perps.trade(0, 1e18, 1_999e18);
    }

    function test_liquidationPaysKeeperAndInsurance() public {
        vm.prank(alice);
        perps.trade(0, 45e18, 2_000e18);
        oracle.setPrice(0, 1_860e18);
        vm.prank(lp);
        uint256 reward = perps.liquidate(0, alice);
        assertEq(reward, 627_750_000);
        assertEq(perps.insurance(), 627.75e18);
        assertEq(perps.positionOf(0, alice).size, 0);
    }

    function test_revertWhenLiquidatingHealthyPosition() public {
        vm.prank(alice);
        perps.trade(0, 10e18, 2_000e18);
        vm.expectRevert(Perpetuals.NotLiquidatable.selector);
        perps.liquidate(0, alice);
    }

    function test_withdrawIsDelayed() public {
        vm.startPrank(lp);
        perps.requestWithdraw(perps.balanceOf(lp) / 2);
        vm.expectRevert(Perpetuals.Locked.selector);
        perps.removeLiquidity();
        vm.warp(block.timestamp + 2 days);
        assertApproxEqAbs(perps.removeLiquidity(), 250_000e6, 1);
        vm.stopPrank();
    }
}
