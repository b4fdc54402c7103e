// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Gear {
    uint256 public teeth = 12;

    function turn() external {
        ++teeth;
    }
}
