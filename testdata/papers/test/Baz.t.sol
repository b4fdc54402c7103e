// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// Harvey, figure 1. All five paths are wanted: each is a finding of its own.

import {Baz} from "../src/Baz.sol";

contract BazTest {
    function setUp() public {
        new Baz();
    }

    function invariant_noop() external pure {}
}
