// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: one reading sets off the alarm. Calls: 4 (shift twice, calibrate, sound). Width: signed sums that must meet one
// value; 9 * offset and 5 * temperature can do so in some thousand ways of some billion.

import {Thermostat} from "../src/Thermostat.sol";

/// @custom:bug calls=4
/// @custom:expect invariant_noAlarm FAIL
contract ThermostatTest {
    Thermostat internal thermostat;

    function setUp() public {
        thermostat = new Thermostat();
    }

    function invariant_noAlarm() external view {
        assert(!thermostat.alarm());
    }
}
