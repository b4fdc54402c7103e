// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Old} from "./Old.sol";

contract New is Old {
    function invariant_unreached() external view {}
}
