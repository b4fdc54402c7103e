// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: the jackpot can be won. Calls: 9 (three guesses, cash, three guesses, cash, jackpot), all by one sender.
// Width: windows of six hundred to two hundred of a thousand numbers, but a streak shows in no branch until it is long
// enough.

import {Streak} from "../src/Streak.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=9
/// @custom:expect invariant_noJackpot FAIL
contract StreakTest is Senders {
    Streak internal streak;

    function setUp() public {
        streak = new Streak();
    }

    function invariant_noJackpot() external view {
        assert(streak.jackpots() == 0);
    }
}
