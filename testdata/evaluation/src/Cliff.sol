// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A grant that vests in a line after a cliff. Time is given by the keeper, in seconds since the start.
contract Cliff {
    uint256 public constant CLIFF = 90 days;
    uint256 public constant DURATION = 360 days;

    uint256 public total;
    uint256 public released;
    uint256 public time;

    function grant(uint96 amount) external {
        require(total == 0 && amount >= 1e6, "granted");
        total = amount;
    }

    function wait(uint32 duration) external {
        time += duration;
    }

    function release() external {
        uint256 amount = vested() - released;
        released += amount;
        // The bug: who comes in the second of the cliff is paid the part before it once more.
        if (time == CLIFF) released += total * CLIFF / DURATION;
    }

    function vested() public view returns (uint256) {
        if (time < CLIFF) return 0;
        return time >= DURATION ? total : total * time / DURATION;
    }
}
