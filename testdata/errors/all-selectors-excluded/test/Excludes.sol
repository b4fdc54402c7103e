// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Target {
    function act() external {}
}

contract Excludes {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Target internal target = new Target();

    function excludeSelectors() external view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        list[0].addr = address(target);
        list[0].selectors = new bytes4[](1);
        list[0].selectors[0] = Target.act.selector;
    }

    function invariant_nothing() external view {}
}
