// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

/// @notice Checks and small tools of the harness.
abstract contract Asserts {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    event AssertionFailed(string reason);

    function t(bool ok, string memory reason) internal virtual {
        if (!ok) {
            emit AssertionFailed(reason);
            assert(false);
        }
    }

    function eq(uint256 a, uint256 b, string memory reason) internal {
        t(a == b, reason);
    }

    function lte(uint256 a, uint256 b, string memory reason) internal {
        t(a <= b, reason);
    }

    function gte(uint256 a, uint256 b, string memory reason) internal {
        t(a >= b, reason);
    }

    function between(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        if (high <= low) return low;
        if (value >= low && value <= high) return value;
        uint256 span = high - low + 1;
        return span == 0 ? value : low + value % span;
    }

    function least(uint256 a, uint256 b) internal pure returns (uint256) {
        return a < b ? a : b;
    }
}
