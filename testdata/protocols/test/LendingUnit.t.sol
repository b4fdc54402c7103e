// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Lending} from "../src/Lending.sol";
import {LendingFlashBorrower, LendingOracle, LendingToken} from "./LendingHandler.sol";

contract LendingUnitTest is Test {
    Lending pool;
    LendingOracle oracle;
    LendingToken usdc;
    LendingToken weth;
    address alice = makeAddr("alice");
    address bob = makeAddr("bob");

    function setUp() public {
        oracle = new LendingOracle();
        pool = new Lending(oracle, address(this), makeAddr("treasury"));
        usdc = new LendingToken("USDC", 6);
        weth = new LendingToken("WETH", 18);
        oracle.setPrice(address(usdc), 1e18);
        oracle.setPrice(address(weth), 2_000e18);
        Lending.RateModel memory model = Lending.RateModel(0, 0.05e27, 1e27, 0.8e27);
        pool.listAsset(address(usdc), 6, Lending.Config(8_000, 8_500, 500, 1_000, 1e15, 1e15), model);
        pool.listAsset(address(weth), 18, Lending.Config(7_500, 8_000, 500, 1_000, 1e24, 1e24), model);
        usdc.mint(alice, 100_000e6);
        usdc.mint(bob, 10_000e6);
        weth.mint(bob, 10e18);
        address[2] memory users = [alice, bob];
        for (uint256 i; i < 2; ++i) {
            vm.startPrank(users[i]);
            usdc.approve(address(pool), type(uint256).max);
            weth.approve(address(pool), type(uint256).max);
            vm.stopPrank();
        }
        vm.prank(alice);
        pool.supply(address(usdc), 50_000e6, alice);
        vm.prank(bob);
        pool.supply(address(weth), 10e18, bob);
    }

    function test_supplyAndWithdraw() public {
        vm.prank(alice);
        assertEq(pool.withdraw(address(usdc), type(uint256).max, alice), 50_000e6);
        assertEq(usdc.balanceOf(alice), 100_000e6);
    }

    function test_borrowAccruesInterest() public {
        vm.prank(bob);
        pool.borrow(address(usdc), 10_000e6, bob);
        vm.warp(block.timestamp + 365 days);
        assertGt(pool.debtBalance(address(usdc), bob), 10_000e6);
        assertGt(pool.supplyBalance(address(usdc), alice), 50_000e6);
    }

    function test_repayInFull() public {
        vm.startPrank(bob);
        pool.borrow(address(usdc), 5_000e6, bob);
        vm.warp(block.timestamp + 30 days);
        pool.repay(address(usdc), type(uint256).max, bob);
        vm.stopPrank();
        assertEq(pool.debtBalance(address(usdc), bob), 0);
    }

    function test_revertWhenOverBorrowing() public {
        vm.prank(bob);
        vm.expectRevert(Lending.Unhealthy.selector);
        pool.borrow(address(usdc), 15_001e6, bob);
    }

    function test_liquidation() public {
        vm.prank(bob);
        pool.borrow(address(usdc), 15_000e6, bob);
        oracle.setPrice(address(weth), 1_850e18);
        vm.prank(alice);
        (uint256 repaid, uint256 seized) = pool.liquidate(bob, address(usdc), address(weth), 5_000e6);
        assertEq(repaid, 5_000e6);
        assertApproxEqAbs(seized, uint256(5_250e36) / 1_850e18, 1);
    }

    function test_revertWhenLiquidatingHealthyAccount() public {
        vm.prank(bob);
        pool.borrow(address(usdc), 15_000e6, bob);
        vm.prank(alice);
        vm.expectRevert(Lending.Healthy.selector);
        pool.liquidate(bob, address(usdc), address(weth), 1_000e6);
    }

    function test_flashLoanPaysSuppliers() public {
        pool.flashLoan(address(usdc), 40_000e6, new LendingFlashBorrower());
        assertGt(pool.supplyBalance(address(usdc), alice), 50_000e6);
    }

    function test_pauseAndRoles() public {
        pool.pause();
        vm.prank(alice);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        pool.supply(address(usdc), 1e6, alice);
        vm.prank(alice);
        vm.expectRevert();
        pool.unpause();
    }
}
