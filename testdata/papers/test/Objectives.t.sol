// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// sFuzz, figure 2. Both branches are wanted: each is a finding of its own.

import {Objectives} from "../src/Objectives.sol";

contract ObjectivesTest {
    function setUp() public {
        new Objectives();
    }

    function invariant_noop() external pure {}
}
