// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// Harvey, figure 2, where the value that is wanted must be computed: as an assertion in a function and as an invariant
// over a getter.

import {Linear, LinearAssertion} from "../src/Linear.sol";

contract LinearAssertionTest {
    function setUp() public {
        new LinearAssertion();
    }

    function invariant_noop() external pure {}
}

contract LinearInvariantTest {
    Linear internal linear;

    function setUp() public {
        linear = new Linear();
    }

    function invariant_targetIsNotHit() external view {
        unchecked {
            assert(5 * linear.x() - 17 != linear.TARGET());
        }
    }
}
