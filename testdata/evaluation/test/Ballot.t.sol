// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a tie passes. Calls: 6 (two registrations, a proposal, two votes, the close). Width: the same weight on
// both sides, of a hundred, and half of the supply at least.

import {Ballot} from "../src/Ballot.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=6
/// @custom:expect invariant_majorityDecides FAIL
/// @custom:expect invariant_weightsAreBounded PASS
contract BallotTest is Senders {
    Ballot internal ballot;

    function setUp() public {
        ballot = new Ballot();
    }

    function invariant_majorityDecides() external view {
        assert(ballot.passed() == ballot.passedByMajority());
    }

    function invariant_weightsAreBounded() external view {
        assert(ballot.registered() <= ballot.SUPPLY());
    }
}
