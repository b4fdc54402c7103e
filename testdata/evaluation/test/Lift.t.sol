// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: the cellar can be visited. Calls: 7 (up four times to exactly a hundred, the key, down all the way, the code).
// Width: sums that must be met exactly, and one code, which a quadratic condition hides.

import {Lift} from "../src/Lift.sol";

/// @custom:bug calls=7
/// @custom:expect invariant_nobodyWasInTheCellar FAIL
/// @custom:expect invariant_noKeyBelowTheRoof PASS
contract LiftTest {
    Lift internal lift;

    function setUp() public {
        lift = new Lift();
    }

    function invariant_nobodyWasInTheCellar() external view {
        assert(lift.cellarVisits() == 0);
    }

    function invariant_noKeyBelowTheRoof() external view {
        assert(lift.floor() <= 100);
    }
}
