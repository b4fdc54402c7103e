// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a clerk can promote itself. Calls: 5 (apply, nominate, accept, nominate, accept), all by one sender with its
// own address as the argument; or by several who nominate each other. Width: one ticket of a thousand.

import {Succession} from "../src/Succession.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=5
/// @custom:expect invariant_chairStaysEmpty FAIL
contract SuccessionTest is Senders {
    Succession internal offices;

    function setUp() public {
        offices = new Succession();
    }

    function invariant_chairStaysEmpty() external view {
        assert(offices.chair() == address(0));
    }
}
