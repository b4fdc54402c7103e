// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Stable} from "../src/cdp/Stable.sol";
import {PriceFeed} from "../src/cdp/PriceFeed.sol";
import {Cdp} from "../src/Cdp.sol";

contract CdpUnitTest is Test {
    MintableToken weth;
    PriceFeed feed;
    Cdp cdp;
    Stable stable;
    address ann = makeAddr("ann");
    address bob = makeAddr("bob");
    address cat = makeAddr("cat");

    function setUp() public {
        vm.warp(1_700_000_000);
        weth = new MintableToken("Wrapped Ether", "WETH", 18);
        feed = new PriceFeed(2000e18);
        cdp = new Cdp(address(weth), feed, makeAddr("fees"), 10_000_000e18);
        stable = cdp.stable();
        address[3] memory who = [ann, bob, cat];
        for (uint256 i; i < 3; ++i) {
            weth.mint(who[i], 1000e18);
            vm.startPrank(who[i]);
            weth.approve(address(cdp), type(uint256).max);
            stable.approve(address(cdp), type(uint256).max);
            vm.stopPrank();
        }
    }

    function openAs(address who, uint256 coll, uint256 amount) internal {
        vm.prank(who);
        cdp.open(coll, amount, address(0));
    }

    function test_open_charges_the_fee() public {
        openAs(ann, 10e18, 10_000e18);
        assertEq(stable.balanceOf(ann), 10_000e18);
        assertEq(cdp.debtOf(ann), 10_050e18);
        assertEq(cdp.collateralOf(ann), 10e18);
    }

    function test_open_below_the_ratio_reverts() public {
        vm.prank(ann);
        vm.expectRevert(Cdp.RatioTooLow.selector);
        cdp.open(1e18, 1900e18, address(0));
    }

    function test_list_is_sorted() public {
        openAs(ann, 10e18, 8000e18);
        openAs(bob, 10e18, 5000e18);
        openAs(cat, 10e18, 6000e18);
        assertEq(cdp.head(), bob);
        assertEq(cdp.nextOf(bob), cat);
        assertEq(cdp.tail(), ann);
    }

    function test_pool_absorbs_a_liquidation() public {
        openAs(ann, 100e18, 50_000e18);
        openAs(bob, 10e18, 14_000e18);
        vm.prank(ann);
        cdp.provide(40_000e18);
        feed.setPrice(1500e18);
        vm.prank(cat);
        cdp.liquidate(bob);
        assertEq(cdp.debtOf(bob), 0);
        assertEq(cdp.totalDeposits(), 40_000e18 - 14_070e18);
        assertApproxEqAbs(cdp.gainOf(ann), 9.95e18, 10);
        assertEq(weth.balanceOf(cat), 1000.05e18);
    }

    function test_without_pool_the_debt_is_shared() public {
        openAs(ann, 30e18, 10_000e18);
        openAs(cat, 10e18, 5000e18);
        openAs(bob, 10e18, 14_000e18);
        feed.setPrice(1500e18);
        cdp.liquidate(bob);
        assertApproxEqAbs(cdp.debtOf(ann), 10_050e18 + 14_070e18 * 3 / 4, 10);
        assertApproxEqAbs(cdp.collateralOf(cat), 10e18 + 9.95e18 / 4, 10);
    }

    function test_redeem_from_the_lowest() public {
        openAs(ann, 30e18, 20_000e18);
        openAs(bob, 10e18, 10_000e18);
        vm.warp(block.timestamp + 4 days);
        vm.prank(ann);
        cdp.redeem(2000e18);
        assertEq(cdp.debtOf(bob), 8050e18);
        assertApproxEqAbs(cdp.collateralOf(bob), 9e18, 1);
        assertGt(cdp.baseRate(), 0);
        uint256 rate = cdp.baseRate();
        vm.warp(block.timestamp + 12 hours);
        assertApproxEqRel(cdp.currentRate(), rate / 2, 1e9);
    }

    function test_withdraw_after_a_day() public {
        openAs(ann, 30e18, 20_000e18);
        vm.startPrank(ann);
        cdp.provide(10_000e18);
        cdp.requestWithdraw(4000e18);
        vm.warp(block.timestamp + 1 days);
        cdp.withdraw();
        vm.stopPrank();
        assertEq(stable.balanceOf(ann), 14_000e18);
        assertEq(cdp.totalDeposits(), 6000e18);
    }
}
