// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// The non-linear condition that section 6 of the Harvey paper names: one step of prediction does not solve it.
contract Quartic {
    function probe(uint64 a) external {
        // Wide enough that nothing overflows.
        uint256 wide = a;
        if (wide ** 4 + wide ** 2 == 228901770) assert(false);
    }
}
