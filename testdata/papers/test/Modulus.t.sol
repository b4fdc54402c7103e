// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// A fuzz test with a condition that one input in 2^80 breaks, and that is linear only between its jumps.

contract ModulusTest {
    function test_modulus(uint256 n) external pure {
        unchecked {
            assert((n + 1234) % 2 ** 80 != 0);
        }
    }
}
