// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Broken {
    function invariant_broken() external pure {
        uint256 x = "text";
    }
}
