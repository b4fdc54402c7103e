// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Plain {
    function act() external {}
}
