// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Absent {
    function twice(uint256 x) external pure returns (uint256) {
        return 2 * x;
    }
}

contract Target {
    function act() external {}
}

contract Linked {
    Target internal target = new Target();

    function invariant_linked() external pure {
        require(Absent.twice(1) == 2);
    }
}
