// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: there are pins that open it. Calls: 3. Width: one of 256 thrice, by one sender.

import {Turnstile} from "../src/Turnstile.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=3
/// @custom:expect invariant_staysShut FAIL
contract TurnstileTest is Senders {
    Turnstile internal gate;

    function setUp() public {
        gate = new Turnstile();
    }

    function invariant_staysShut() external view {
        assert(!gate.open());
    }
}
