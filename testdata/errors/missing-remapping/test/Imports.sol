// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Absent} from "unmapped/Absent.sol";

contract Imports is Absent {
    function invariant_unreached() external view {}
}
