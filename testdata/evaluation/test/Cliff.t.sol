// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: the second of the cliff pays twice. Calls: 3 (grant, wait, release). Width: one sum of waits of 2^32.

import {Cliff} from "../src/Cliff.sol";

/// @custom:bug calls=3
/// @custom:expect invariant_noMoreThanIsVested FAIL
/// @custom:expect invariant_noMoreThanIsGranted PASS
contract CliffTest {
    Cliff internal cliff;

    function setUp() public {
        cliff = new Cliff();
    }

    function invariant_noMoreThanIsVested() external view {
        assert(cliff.released() <= cliff.vested());
    }

    function invariant_noMoreThanIsGranted() external view {
        assert(cliff.vested() <= cliff.total());
    }
}
