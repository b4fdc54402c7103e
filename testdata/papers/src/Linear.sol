// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Figure 2 of the Harvey paper with a condition whose solution stands nowhere in the sources: 5 * x - 17 must wrap to be
/// `TARGET`, whether the words are read as signed or as unsigned.
contract Linear {
    int256 public constant TARGET = int256(uint256(0xe9057d22a907d681c93ef51371292442f7f89a186e0704589ff871f2362cf847));

    int256 public x;
    int256 private y;

    function SetY(int256 ny) public {
        y = ny;
    }

    function IncX() public {
        x++;
    }

    function CopyY() public {
        x = y;
    }
}

/// With the assertion in the function.
contract LinearAssertion is Linear {
    function Bar() public returns (int256) {
        unchecked {
            if (5 * x - 17 == TARGET) {
                assert(false);
                return 1;
            }
        }
        return 0;
    }
}
