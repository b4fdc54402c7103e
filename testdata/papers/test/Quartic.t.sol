// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// Harvey, section 6, on iterated prediction.

import {Quartic} from "../src/Quartic.sol";

contract QuarticTest {
    function setUp() public {
        new Quartic();
    }

    function invariant_noop() external pure {}
}
