// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";

/// The words of a harness that several fuzzers share: each has its own way to assert, here it is Foundry's. Every
/// assertion has a message.
abstract contract Assertions is Test {
    function t(bool condition, string memory reason) internal pure {
        assertTrue(condition, reason);
    }

    function eq(uint256 a, uint256 b, string memory reason) internal pure {
        assertEq(a, b, reason);
    }

    function lte(uint256 a, uint256 b, string memory reason) internal pure {
        assertLe(a, b, reason);
    }

    function between(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        return low + value % (high - low + 1);
    }

    function precondition(bool condition) internal pure {
        vm.assume(condition);
    }
}
