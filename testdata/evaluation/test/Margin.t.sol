// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a position exactly at its limit. Calls: 4 (deposit, borrow, a price that fits, a check by the account that
// borrowed). Width: the three numbers, of some ten to some hundred
// values each, must satisfy one equation.

import {Margin} from "../src/Margin.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=4
/// @custom:expect invariant_nobodyIsFrozen FAIL
contract MarginTest is Senders {
    Margin internal margin;

    function setUp() public {
        margin = new Margin();
    }

    function invariant_nobodyIsFrozen() external view {
        assert(margin.frozen() == 0);
    }
}
