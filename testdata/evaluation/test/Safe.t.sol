// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a box can be emptied twice. Calls: 5 (put, lock, unlock, take twice), all by one sender. Width: one word of
// 2^256, which depends on the combination and the sender.

import {Safe} from "../src/Safe.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=5
/// @custom:expect invariant_noMoreThanWasPut FAIL
contract SafeTest is Senders {
    Safe internal safe;

    function setUp() public {
        safe = new Safe();
    }

    function invariant_noMoreThanWasPut() external view {
        assert(safe.withdrawn() <= safe.total());
    }
}
