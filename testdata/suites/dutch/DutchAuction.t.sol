// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: a quotient is rounded up where it must be rounded down.
// Calls: 3 (open, wait, buy). Width: very narrow; the purchase must come in the one second of up to a month that two
// amounts determine, at least a quarter of an hour after the opening.

import {BugShown} from "../common/BugShown.sol";
import {DutchAuction, DutchAuctionBug} from "./DutchAuction.sol";
import {DutchAuctionHandler} from "./DutchAuctionHandler.sol";

abstract contract DutchAuctionProperties is BugShown {
    DutchAuction internal auction;
    DutchAuctionHandler internal handler;

    function _deploy(address payable seller) internal virtual returns (DutchAuction);

    function setUp() public {
        vm.warp(1_750_000_000);
        auction = _deploy(payable(makeAddr("seller")));
        handler = new DutchAuctionHandler(auction);
        excludeContract(address(auction));
    }

    function invariant_noPieceIsSoldBelowItsFloor() external view {
        assertEq(handler.ghost_salesBelowFloor(), 0, "sales below the floor");
    }

    function invariant_sellerHasTheProceeds() external view {
        assertEq(auction.seller().balance, handler.ghost_proceeds());
        assertEq(address(auction).balance, 0);
    }
}

/// @custom:expect invariant_noPieceIsSoldBelowItsFloor PASS
/// @custom:expect invariant_sellerHasTheProceeds PASS
contract DutchAuctionTest is DutchAuctionProperties {
    function _deploy(address payable seller) internal override returns (DutchAuction) {
        return new DutchAuction(seller);
    }
}

/// @custom:bug calls=3
/// @custom:expect invariant_noPieceIsSoldBelowItsFloor FAIL
/// @custom:expect invariant_sellerHasTheProceeds PASS
contract DutchAuctionBugTest is DutchAuctionProperties {
    function _deploy(address payable seller) internal override returns (DutchAuction) {
        return new DutchAuctionBug(seller);
    }

    function test_bug_shown() public {
        handler.open(2 ether + 1, 1 ether);
        handler.wait(10_001);
        this.invariant_noPieceIsSoldBelowItsFloor();
        handler.buy(0);
        assertBroken(this.invariant_noPieceIsSoldBelowItsFloor);
    }
}
