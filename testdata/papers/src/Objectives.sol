// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Figure 2 of the sFuzz paper: two goals that ask for different inputs. Arithmetic wraps, as it did then.
contract Objectives {
    function foo(int256 x) external {
        unchecked {
            int256 y = x * x + 10;
            if (y == 110) assert(false);
            if (y == 10010) assert(false);
        }
    }
}
