// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Figure 1 of the Harvey paper: five paths, one of them behind a narrow check and two wide ones. Arithmetic wraps, as it
/// did when the paper was written. Each path ends in what `assert(false)` compiled to before Solidity 0.8: today's
/// assertions share one panic routine, and those of the paths 2 and 3 would stand behind the same branch. The events
/// keep the optimizer from merging the five places.
contract Baz {
    event Path(uint256 indexed number);

    function baz(int256 a, int256 b, int256 c) external returns (int256) {
        unchecked {
            int256 d = b + c;
            if (d < 1) {
                if (b < 3) {
                    emit Path(1);
                    assembly ("memory-safe") { invalid() }
                    return 1;
                }
                if (a == 42) {
                    emit Path(2);
                    assembly ("memory-safe") { invalid() }
                    return 2;
                }
                emit Path(3);
                assembly ("memory-safe") { invalid() }
                return 3;
            } else {
                if (c < 42) {
                    emit Path(4);
                    assembly ("memory-safe") { invalid() }
                    return 4;
                }
                emit Path(5);
                assembly ("memory-safe") { invalid() }
                return 5;
            }
        }
    }
}
