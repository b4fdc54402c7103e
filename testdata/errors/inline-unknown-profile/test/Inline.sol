// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Target {
    function act() external {}
}

contract Inline {
    Target internal target = new Target();

    /// forge-config: ci.invariant.runs = 5
    function invariant_holds() external view {}
}
