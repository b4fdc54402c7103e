// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The only contract of its file.
contract Lonely {
    uint256 public number = 9;
}
