// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

/// @notice Units and calendar of the protocol.
library Units {
    uint256 internal constant WAD = 1e18;
    uint256 internal constant RAY = 1e27;
    uint256 internal constant BPS = 10_000;
    uint256 internal constant WEEK = 7 days;
    uint256 internal constant YEAR = 365 days;

    function weekOf(uint256 timestamp) internal pure returns (uint256) {
        return (timestamp / WEEK) * WEEK;
    }

    function min(uint256 a, uint256 b) internal pure returns (uint256) {
        return a < b ? a : b;
    }

    function max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }
}

/// @notice Ids of the governed parameters.
library Params {
    uint8 internal constant BASE_RATE = 0;
    uint8 internal constant RATE_SLOPE = 1;
    uint8 internal constant INSURANCE_SHARE = 2;
    uint8 internal constant REPAIR_SHARE = 3;
    uint8 internal constant CLOSE_FACTOR = 4;
    uint8 internal constant LATE_FEE = 5;
    uint8 internal constant AUCTION_LENGTH = 6;
    uint8 internal constant COOLDOWN = 7;
    uint8 internal constant MAX_TRANCHES = 8;
    uint8 internal constant COUNT = 9;
}
