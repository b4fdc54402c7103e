// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {AuctionHouse} from "../src/AuctionHouse.sol";
import {AuctionHouseProperties, AuctionHouseTest, AuctionHouseBugTest} from "../test/AuctionHouse.t.sol";
import {AuctionHouseHandler} from "../test/AuctionHouseHandler.sol";

contract AuctionHouseWitness is Test {
    function _fails(AuctionHouseProperties suite, bytes4 invariant) internal returns (bool) {
        (bool ok,) = address(suite).call(abi.encodePacked(invariant));
        return !ok;
    }

    function _both(function(AuctionHouseProperties, bool) internal run) internal {
        AuctionHouseProperties correct = new AuctionHouseTest();
        correct.setUp();
        run(correct, false);
        AuctionHouseProperties buggy = new AuctionHouseBugTest();
        buggy.setUp();
        run(buggy, true);
    }

    // Medium, 4 calls. Double count: relisting an auction that ended but was not settled puts its unsold lots into
    // the inventory and into the new round. Width: any lots and prices (start not above the old one); the time of
    // the auction must be over, which takes 1 to 4 warps of at most three days.
    function test_AuctionHouse_relistDoubleCount() public {
        _both(_relistDoubleCount);
    }

    function _relistDoubleCount(AuctionHouseProperties suite, bool expected) internal {
        (AuctionHouse house, AuctionHouseHandler h) = (suite.house(), suite.handler());
        address seller = suite.actors(0);
        vm.prank(seller);
        house.depositLots(500);
        vm.prank(seller);
        house.list(300, 1_000, 4_000, 40);
        h.warp(2 days);
        suite.invariant_lotsBacked();
        vm.prank(seller);
        house.relist(900, 3_100, 40);
        assertEq(_fails(suite, suite.invariant_lotsBacked.selector), expected, "lotsBacked");
        assertFalse(_fails(suite, suite.invariant_rebatesBacked.selector), "rebatesBacked");
        assertFalse(_fails(suite, suite.invariant_feesWithinRate.selector), "feesWithinRate");
    }

    // Deep, 5 calls. Fee taken twice in one path: when the last lots are sold, the fee is charged on the whole
    // revenue, although the advances have paid theirs. Width: any amounts with a partial first sale; the last buyer
    // takes at least what is left; the advance must be smaller than revenue less fee, so the second sale not tiny.
    function test_AuctionHouse_feeTwiceWhenSoldOut() public {
        _both(_feeTwiceWhenSoldOut);
    }

    function _feeTwiceWhenSoldOut(AuctionHouseProperties suite, bool expected) internal {
        AuctionHouse house = suite.house();
        address seller = suite.actors(0);
        vm.prank(seller);
        house.depositLots(500);
        vm.prank(seller);
        house.list(300, 1_000, 4_000, 40);
        vm.prank(suite.actors(1));
        house.buy(seller, 100, 5_000);
        vm.prank(seller);
        house.collectAdvance();
        suite.invariant_feesWithinRate();
        vm.prank(suite.actors(2));
        house.buyCheapest(1_000, 6_000);
        assertEq(_fails(suite, suite.invariant_feesWithinRate.selector), expected, "feesWithinRate");
        assertFalse(_fails(suite, suite.invariant_lotsBacked.selector), "lotsBacked");
        assertFalse(_fails(suite, suite.invariant_rebatesBacked.selector), "rebatesBacked");
        assertFalse(_fails(suite, suite.invariant_roundsConserved.selector), "roundsConserved");
    }

    // Deep, 9 calls (8 if the relisting settles by itself). Stale index: positions of an ended round earn rebates of
    // later rounds, since their index is not capped at the close of their round. Width: any lots and prices; a buyer
    // of the first round that does nothing afterwards, lots left over, and in the next round a sale and then another
    // one at a lower price.
    function test_AuctionHouse_staleIndexAfterRelist() public {
        _both(_staleIndexAfterRelist);
    }

    function _staleIndexAfterRelist(AuctionHouseProperties suite, bool expected) internal {
        (AuctionHouse house, AuctionHouseHandler h) = (suite.house(), suite.handler());
        address seller = suite.actors(0);
        vm.prank(seller);
        house.depositLots(500);
        vm.prank(seller);
        house.list(300, 1_000, 4_000, 40);
        vm.prank(suite.actors(1));
        house.buy(seller, 100, 5_000);
        h.warp(2 days);
        house.settle(seller);
        vm.prank(seller);
        house.relist(900, 3_100, 40);
        vm.prank(suite.actors(2));
        house.buy(seller, 50, 4_000);
        h.warp(20 hours);
        suite.invariant_rebatesBacked();
        vm.prank(suite.actors(3));
        house.buy(seller, 10, 4_000);
        assertEq(_fails(suite, suite.invariant_rebatesBacked.selector), expected, "rebatesBacked");
        assertFalse(_fails(suite, suite.invariant_lotsBacked.selector), "lotsBacked");
        assertFalse(_fails(suite, suite.invariant_feesWithinRate.selector), "feesWithinRate");
    }
}
