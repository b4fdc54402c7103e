// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: there is a way through. Calls: 9 (eight steps and the spade). Width: one direction of four at each step, and
// a depth in a range of a hundred.

import {Labyrinth} from "../src/Labyrinth.sol";

/// @custom:bug calls=9
/// @custom:expect invariant_nothingIsFound FAIL
contract LabyrinthTest {
    Labyrinth internal labyrinth;

    function setUp() public {
        labyrinth = new Labyrinth();
    }

    function invariant_nothingIsFound() external view {
        assert(labyrinth.treasure() == 0);
    }
}
