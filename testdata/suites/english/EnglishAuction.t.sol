// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: reentrancy from one function into another, because only the first has the guard.
// Calls: 3 (a bid by the contract, a higher bid by anybody, the contract's withdrawal). Width: wide, but a bidder that
// calls back is needed; it is one of four.

import {BugShown} from "../common/BugShown.sol";
import {EnglishAuction, EnglishAuctionBug} from "./EnglishAuction.sol";
import {EnglishAuctionHandler} from "./EnglishAuctionHandler.sol";

abstract contract EnglishAuctionProperties is BugShown {
    EnglishAuction internal auction;
    EnglishAuctionHandler internal handler;

    function _deploy(address payable seller, uint256 duration) internal virtual returns (EnglishAuction);

    function setUp() public {
        auction = _deploy(payable(makeAddr("seller")), 7 days);
        handler = new EnglishAuctionHandler(auction);
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = handler.bid.selector;
        selectors[1] = handler.withdraw.selector;
        selectors[2] = handler.handOver.selector;
        selectors[3] = handler.settle.selector;
        selectors[4] = handler.wait.selector;
        targetSelector(FuzzSelector(address(handler), selectors));
        targetContract(address(handler));
        targetSender(makeAddr("fuzzer"));
    }

    function invariant_creditsAreCovered() external view {
        uint256 owed = auction.highestBid();
        for (uint256 i; i < handler.actorCount(); ++i) {
            owed += auction.creditOf(handler.actor(i));
        }
        assertGe(address(auction).balance, owed, "balance");
    }

    function invariant_balanceIsInMinusOut() external view {
        assertEq(address(auction).balance, handler.ghost_in() - handler.ghost_out());
    }
}

/// @custom:expect invariant_creditsAreCovered PASS
/// @custom:expect invariant_balanceIsInMinusOut PASS
contract EnglishAuctionTest is EnglishAuctionProperties {
    function _deploy(address payable seller, uint256 duration) internal override returns (EnglishAuction) {
        return new EnglishAuction(seller, duration);
    }
}

/// @custom:bug calls=3
/// @custom:expect invariant_creditsAreCovered FAIL
/// @custom:expect invariant_balanceIsInMinusOut PASS
contract EnglishAuctionBugTest is EnglishAuctionProperties {
    function _deploy(address payable seller, uint256 duration) internal override returns (EnglishAuction) {
        return new EnglishAuctionBug(seller, duration);
    }

    function test_bug_shown() public {
        handler.bid(3, 0.1 ether);
        handler.bid(1, 0.1 ether);
        this.invariant_creditsAreCovered();
        handler.withdraw(3);
        assertBroken(this.invariant_creditsAreCovered);
    }
}
