// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Target {
    function act() external {}
}

contract Holds {
    Target internal target = new Target();

    function invariant_holds() external view {}
}
