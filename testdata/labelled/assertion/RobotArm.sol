// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Small moves along the x axis do not look out for the pillar at (21, -7), into which the arm must never run.
/// @custom:vulnerable assertion jog(int256)
contract RobotArmBad {
    error TooFar();
    error Blocked();

    int256 public x;
    int256 public y;

    function step(int256 dx, int256 dy) external {
        _limit(dx, 8);
        _limit(dy, 8);
        int256 nx = x + dx;
        int256 ny = y + dy;
        if (_pillar(nx, ny)) revert Blocked();
        _moveTo(nx, ny);
    }

    function jog(int256 dx) external {
        _limit(dx, 5);
        _moveTo(x + dx, y);
    }

    function home() external {
        _moveTo(0, 0);
    }

    function _moveTo(int256 nx, int256 ny) private {
        _limit(nx, 60);
        _limit(ny, 60);
        assert(!_pillar(nx, ny));
        x = nx;
        y = ny;
    }

    function _pillar(int256 px, int256 py) private pure returns (bool) {
        return px == 21 && py == -7;
    }

    function _limit(int256 v, int256 most) private pure {
        if (v > most || v < -most) revert TooFar();
    }
}

/// Both ways of moving refuse to enter the pillar's place.
/// @custom:safe
contract RobotArmGood {
    error TooFar();
    error Blocked();

    int256 public x;
    int256 public y;

    function step(int256 dx, int256 dy) external {
        _limit(dx, 8);
        _limit(dy, 8);
        int256 nx = x + dx;
        int256 ny = y + dy;
        if (_pillar(nx, ny)) revert Blocked();
        _moveTo(nx, ny);
    }

    function jog(int256 dx) external {
        _limit(dx, 5);
        if (_pillar(x + dx, y)) revert Blocked();
        _moveTo(x + dx, y);
    }

    function home() external {
        _moveTo(0, 0);
    }

    function _moveTo(int256 nx, int256 ny) private {
        _limit(nx, 60);
        _limit(ny, 60);
        assert(!_pillar(nx, ny));
        x = nx;
        y = ny;
    }

    function _pillar(int256 px, int256 py) private pure returns (bool) {
        return px == 21 && py == -7;
    }

    function _limit(int256 v, int256 most) private pure {
        if (v > most || v < -most) revert TooFar();
    }
}
