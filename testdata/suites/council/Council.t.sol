// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: off by one at the deadline of a vote.
// Calls: 5 (propose, vote for, wait, queue, vote against by a member with more seats). Width: very narrow; the wait must
// end in one certain second of up to two weeks, which depends on the amount proposed, and nothing may wait after it.

import {BugShown} from "../common/BugShown.sol";
import {Council, CouncilBug} from "./Council.sol";
import {CouncilHandler} from "./CouncilHandler.sol";

abstract contract CouncilProperties is BugShown {
    uint256 internal constant FUNDS = 100_000 ether;

    address[] internal members;
    uint256[] internal seats;
    Council internal council;
    CouncilHandler internal handler;

    function _deploy() internal virtual returns (Council);

    function setUp() public {
        vm.warp(1_750_000_000);
        members = [makeAddr("chair"), makeAddr("deputy"), makeAddr("clerk"), makeAddr("guest")];
        seats = [uint256(4), 3, 2, 1];
        council = _deploy();
        vm.deal(address(council.treasury()), FUNDS);
        handler = new CouncilHandler(council, members);
        targetContract(address(handler));
    }

    function invariant_whatIsQueuedHasWon() external view {
        uint256 count = council.proposalCount();
        if (count == 0) return;
        (,,, uint256 votesFor, uint256 votesAgainst, bool queued) = council.proposals(count - 1);
        if (queued) assertGt(votesFor, votesAgainst, "a lost proposal is queued");
    }

    function invariant_treasuryPaysWhatWasExecuted() external view {
        assertEq(address(council.treasury()).balance, FUNDS - handler.ghost_paid());
    }

    function invariant_delayIsKept() external view {
        assertEq(handler.ghost_earlyPayments(), 0);
    }
}

/// @custom:expect invariant_whatIsQueuedHasWon PASS
/// @custom:expect invariant_treasuryPaysWhatWasExecuted PASS
/// @custom:expect invariant_delayIsKept PASS
contract CouncilTest is CouncilProperties {
    function _deploy() internal override returns (Council) {
        return new Council(members, seats, 1 days);
    }
}

/// @custom:bug calls=5
/// @custom:expect invariant_whatIsQueuedHasWon FAIL
/// @custom:expect invariant_treasuryPaysWhatWasExecuted PASS
/// @custom:expect invariant_delayIsKept PASS
contract CouncilBugTest is CouncilProperties {
    function _deploy() internal override returns (Council) {
        return new CouncilBug(members, seats, 1 days);
    }

    function test_bug_shown() public {
        handler.propose(2, 2, 10 ether);
        handler.vote(1, true);
        handler.wait(2 days + 10 hours);
        handler.queue();
        this.invariant_whatIsQueuedHasWon();
        handler.vote(0, false);
        assertBroken(this.invariant_whatIsQueuedHasWon);
    }
}
