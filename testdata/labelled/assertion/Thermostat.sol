// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable assertion setTarget(int256)
/** The upper bound of the accepted temperatures is one too high: 40 falls into a band that does not exist. */
contract ThermostatBad {
    int256 constant LOWEST = -10;
    int256 constant BANDS = 10;

    int256 public target;
    mapping(int256 => uint256) private chosen;

    event TargetSet(address indexed by, int256 target, int256 band);

    function timesChosen(int256 band) external view returns (uint256) {
        return chosen[band];
    }

    function setTarget(int256 degrees_) external {
        require(degrees_ >= LOWEST && degrees_ <= 40, "out of range");
        int256 band = (degrees_ - LOWEST) / 5;
        assert(band >= 0 && band < BANDS);
        chosen[band] += 1;
        target = degrees_;
        emit TargetSet(msg.sender, degrees_, band);
    }
}

/// @custom:safe
/** The bound excludes 40. */
contract ThermostatGood {
    int256 constant LOWEST = -10;
    int256 constant BANDS = 10;

    int256 public target;
    mapping(int256 => uint256) private chosen;

    event TargetSet(address indexed by, int256 target, int256 band);

    function timesChosen(int256 band) external view returns (uint256) {
        return chosen[band];
    }

    function setTarget(int256 degrees_) external {
        require(degrees_ >= LOWEST && degrees_ < 40, "out of range");
        int256 band = (degrees_ - LOWEST) / 5;
        assert(band >= 0 && band < BANDS);
        chosen[band] += 1;
        target = degrees_;
        emit TargetSet(msg.sender, degrees_, band);
    }
}
