// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {AuctionHouse} from "../src/AuctionHouse.sol";
import {TestToken} from "../src/common/TestToken.sol";

contract AuctionHouseUnitTest is Test {
    TestToken saleToken = new TestToken("Harvest Unit", "HRV", 18);
    TestToken payToken = new TestToken("USD Coin", "USDC", 6);
    AuctionHouse house = new AuctionHouse(address(saleToken), address(payToken), 200, address(this));
    address seller = makeAddr("seller");
    address alice = makeAddr("alice");
    address bob = makeAddr("bob");

    function setUp() public {
        address[3] memory all = [seller, alice, bob];
        for (uint256 i; i < 3; ++i) {
            saleToken.mint(all[i], 1_000e18);
            payToken.mint(all[i], 1e12);
            vm.startPrank(all[i]);
            saleToken.approve(address(house), type(uint256).max);
            payToken.approve(address(house), type(uint256).max);
            vm.stopPrank();
        }
        vm.startPrank(seller);
        house.depositLots(100);
        house.list(100, 200, 800, 80);
        vm.stopPrank();
    }

    function test_priceFallsLinearly() public {
        assertEq(house.currentPrice(seller), 1_000);
        skip(40 hours);
        assertEq(house.currentPrice(seller), 600);
        skip(40 hours);
        assertEq(house.currentPrice(seller), 200);
    }

    function test_earlyBuyerGetsRebate() public {
        vm.prank(alice);
        house.buy(seller, 10, 1_000);
        skip(40 hours);
        vm.prank(bob);
        house.buy(seller, 10, 600);
        assertEq(house.pendingRebate(seller, alice), 10 * 200 * 1e4);
        assertEq(house.pendingRebate(seller, bob), 0);
        vm.prank(alice);
        assertEq(house.claimRebate(seller), 20e6);
    }

    function test_settleReturnsUnsoldLots() public {
        vm.prank(alice);
        house.buy(seller, 30, 1_000);
        skip(81 hours);
        house.settle(seller);
        assertEq(house.inventory(seller), 70);
        assertEq(house.proceeds(seller), 300e6 * 98 / 100);
        assertEq(house.feesAccrued(), 6e6);
        vm.prank(seller);
        house.withdrawProceeds();
        assertEq(payToken.balanceOf(seller), 1e12 + 294e6);
    }

    function test_soldOutSettles() public {
        vm.prank(alice);
        house.buyCheapest(500, 1_000);
        assertFalse(house.auctionOf(seller).live);
        assertEq(saleToken.balanceOf(alice), 1_100e18);
        assertEq(house.liveSellers().length, 0);
    }

    function test_relistAfterSettle() public {
        skip(81 hours);
        house.settle(seller);
        vm.prank(seller);
        house.relist(100, 700, 24);
        assertEq(house.auctionOf(seller).lots, 100);
        assertEq(house.inventory(seller), 0);
    }

    function test_cancelRebatesToFloor() public {
        vm.prank(alice);
        house.buy(seller, 10, 1_000);
        skip(1 days);
        vm.prank(seller);
        house.cancel();
        assertEq(house.pendingRebate(seller, alice), 10 * 400 * 1e4);
        assertEq(house.proceeds(seller), 60e6 * 98 / 100);
    }

    function test_revertPriceTooHigh() public {
        vm.prank(alice);
        vm.expectRevert(AuctionHouse.PriceTooHigh.selector);
        house.buy(seller, 1, 999);
    }

    function test_revertFeeByStranger() public {
        vm.prank(alice);
        vm.expectRevert("UNAUTHORIZED");
        house.setFee(1);
    }
}
