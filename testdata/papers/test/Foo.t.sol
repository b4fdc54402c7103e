// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// Harvey, figure 2: an assertion that only a state set up by two earlier calls reaches.

import {Foo} from "../src/Foo.sol";

contract FooTest {
    function setUp() public {
        new Foo();
    }

    function invariant_noop() external pure {}
}
