// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Hostile, Power} from "./Vm.sol";

/// A unit test, which is run as an example, and when it is asked for.
contract EndlessUnitTest is Hostile {
    function test_endless() external pure {
        while (true) {}
    }

    function attack() external {}
}

/// The same, and it does not answer.
contract DeafUnitTest is Hostile {
    function test_deaf() external view {
        Power.raise(60_000);
    }

    function attack() external {}
}
