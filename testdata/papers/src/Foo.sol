// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Figure 2 of the Harvey paper: SetY(42), CopyY, Bar; or IncX forty-two times and Bar.
contract Foo {
    int256 private x;
    int256 private y;

    function Bar() public returns (int256) {
        if (x == 42) {
            assert(false);
            return 1;
        }
        return 0;
    }

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
