// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A temperature that the users shift; both directions have limits, and the alarm has its own scale.
contract Thermostat {
    int256 public temperature = 20_000;
    int256 public calibration;
    bool public alarm;

    function shift(int32 by) external {
        require(by > -40_000 && by < 40_000, "too fast");
        temperature += by;
        require(temperature > -60_000 && temperature < 120_000, "out of range");
    }

    function calibrate(int16 offset) external {
        require(temperature < -20_000, "too warm");
        calibration = int256(offset) * 9;
    }

    function sound() external {
        // The bug: one reading out of the scale goes off.
        if (temperature * 5 + calibration == -212_347) alarm = true;
    }
}
