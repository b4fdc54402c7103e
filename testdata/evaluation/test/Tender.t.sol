// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a bid of exactly the reserve is taken for none. Calls: 3 (bid, close, settle as the bidder). Width: one
// amount of a million that are accepted, which themselves are few among all words.

import {Tender} from "../src/Tender.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=3
/// @custom:expect invariant_whatIsDueIsPaid FAIL
/// @custom:expect invariant_roundsAreCounted PASS
contract TenderTest is Senders {
    Tender internal tender;

    function setUp() public {
        tender = new Tender();
    }

    function invariant_whatIsDueIsPaid() external view {
        assert(tender.paid() == tender.due());
    }

    function invariant_roundsAreCounted() external view {
        assert(tender.round() != 0);
    }
}
