// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a name can be released twice. Calls: 4 (reserve a name, claim it, release it twice), with one string and by
// one sender. Width: four strings that must be equal.

import {Names} from "../src/Names.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=4
/// @custom:expect invariant_onlyClaimedNamesAreFreed FAIL
contract NamesTest is Senders {
    Names internal names;

    function setUp() public {
        names = new Names();
    }

    function invariant_onlyClaimedNamesAreFreed() external view {
        assert(names.freed() <= names.claimed());
    }
}
