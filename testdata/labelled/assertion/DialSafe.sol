// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A safe with a combination; lock() may be called while the door still stands open, after which audit() fails.
/// @custom:vulnerable assertion audit()
contract DialSafeBad {
    uint256 private stage;
    uint256 public audits;
    bool public isOpen;
    bool public locked = true;

    event Opened(address indexed by);

    function turn(uint256 digit) external {
        require(!isOpen, "already open");
        if (stage == 0 && digit == 17) {
            stage = 1;
        } else if (stage == 1 && digit == 4) {
            stage = 0;
            locked = false;
            isOpen = true;
            emit Opened(msg.sender);
        } else {
            stage = 0;
        }
    }

    function lock() external {
        require(!locked, "locked");
        locked = true;
    }

    function audit() external {
        audits += 1;
        assert(!(isOpen && locked));
    }
}

/// lock() shuts the door as well, so the audited condition always holds.
/// @custom:safe
contract DialSafeGood {
    uint256 private stage;
    uint256 public audits;
    bool public isOpen;
    bool public locked = true;

    event Opened(address indexed by);

    function turn(uint256 digit) external {
        require(!isOpen, "already open");
        if (stage == 0 && digit == 17) {
            stage = 1;
        } else if (stage == 1 && digit == 4) {
            stage = 0;
            locked = false;
            isOpen = true;
            emit Opened(msg.sender);
        } else {
            stage = 0;
        }
    }

    function lock() external {
        require(!locked, "locked");
        isOpen = false;
        locked = true;
    }

    function audit() external {
        audits += 1;
        assert(!(isOpen && locked));
    }
}
