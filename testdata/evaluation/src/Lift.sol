// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A lift in a house of hundred floors. Each move has its own limits; the cellar needs a key that lies on the roof.
contract Lift {
    uint256 public floor;
    bool public hasKey;
    uint256 public cellarVisits;

    function up(uint256 floors) external {
        require(floors != 0 && floors <= 30, "too far");
        require(floor + floors <= 100, "roof");
        floor += floors;
    }

    function down(uint256 floors) external {
        require(floors != 0 && floors <= floor, "ground");
        floor -= floors;
    }

    function takeKey() external {
        require(floor == 100, "not on the roof");
        hasKey = true;
    }

    function cellar(uint256 code) external {
        require(floor == 0 && hasKey, "locked");
        require(code * code + code == 1_190_629_530, "wrong code");
        cellarVisits += 1;
    }
}
