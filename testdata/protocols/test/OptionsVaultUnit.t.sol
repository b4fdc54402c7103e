// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OptionsVault} from "../src/OptionsVault.sol";
import {PriceOracle} from "../src/options/PriceOracle.sol";
import {TestToken} from "../src/common/TestToken.sol";

contract OptionsVaultUnitTest is Test {
    TestToken asset = new TestToken("Wrapped Bitcoin", "WBTC", 8);
    TestToken cash = new TestToken("USD Coin", "USDC", 6);
    PriceOracle oracle;
    OptionsVault vault;
    address alice = makeAddr("alice");
    address bob = makeAddr("bob");
    address maker = makeAddr("maker");

    function setUp() public {
        vm.warp(1_710_000_000);
        oracle = new PriceOracle(60_000e8, address(this));
        vault = new OptionsVault(IERC20(address(asset)), IERC20(address(cash)), oracle, 100e8, address(this));
        address[3] memory all = [alice, bob, maker];
        for (uint256 i; i < 3; ++i) {
            asset.mint(all[i], 1_000e8);
            cash.mint(all[i], 1e12);
            vm.startPrank(all[i]);
            asset.approve(address(vault), type(uint256).max);
            cash.approve(address(vault), type(uint256).max);
            vm.stopPrank();
        }
        vm.prank(alice);
        vault.deposit(30e8);
        vm.prank(bob);
        vault.deposit(10e8);
    }

    function test_depositsBecomeSharesInNextRound() public {
        assertEq(vault.accountOf(alice).pending, 30e8);
        vault.roll();
        assertEq(vault.accountOf(alice).unclaimed, 30e8);
        vm.prank(alice);
        vault.claimShares();
        assertEq(vault.balanceOf(alice), 30e8);
        assertEq(vault.getRound(1).capacity, 40e8);
        assertEq(vault.getRound(1).strike, 66_000e8);
    }

    function test_pendingCanBeTakenBack() public {
        vm.prank(alice);
        vault.withdrawPending(5e8);
        assertEq(vault.totalPending(), 35e8);
        assertEq(asset.balanceOf(alice), 975e8);
    }

    function test_premiumIsShared() public {
        vault.roll();
        vm.prank(maker);
        uint256 premium = vault.buyOptions(20e8);
        assertEq(premium, 18_000e6);
        assertEq(vault.accountOf(alice).credit, 12_150e6);
        vm.prank(bob);
        assertEq(vault.claimPremium(), 4_050e6);
        assertEq(vault.feesAccrued(), 1_800e6);
    }

    function test_inTheMoneyPaysBuyer() public {
        vault.roll();
        vm.prank(maker);
        vault.buyOptions(20e8);
        oracle.update(70_000e8);
        oracle.update(82_500e8);
        vm.warp(vault.getRound(1).expiry);
        vault.settle();
        vm.prank(maker);
        assertEq(vault.claimPayout(), 4e8);
        assertEq(vault.vaultAssets(), 36e8);
    }

    function test_withdrawAfterRound() public {
        vault.roll();
        vm.prank(alice);
        vault.queueWithdraw(10e8);
        vm.warp(vault.getRound(1).expiry);
        vault.roll();
        vm.prank(alice);
        assertEq(vault.completeWithdraw(), 10e8);
        assertEq(vault.totalSupply(), 30e8);
    }

    function test_revertSettleEarly() public {
        vault.roll();
        vm.expectRevert(OptionsVault.NotExpired.selector);
        vault.settle();
    }

    function test_revertAboveCap() public {
        vm.prank(alice);
        vm.expectRevert(OptionsVault.CapReached.selector);
        vault.deposit(61e8);
    }

    function test_revertSaleClosed() public {
        vault.roll();
        vm.warp(vault.getRound(1).expiry - 6 hours);
        vm.prank(maker);
        vm.expectRevert(OptionsVault.SaleClosed.selector);
        vault.buyOptions(1e8);
    }
}
