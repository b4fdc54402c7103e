// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "./Vm.sol";

/// What every test of a cheatcode has.
abstract contract Conformance {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
}
