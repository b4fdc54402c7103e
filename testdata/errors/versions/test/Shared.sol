// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Compiled by both.
contract Shared {
    bool public acted;

    function act() external {
        acted = true;
    }
}
