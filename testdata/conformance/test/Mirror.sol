// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Says who created it.
contract Inner {
    address public immutable creator = msg.sender;
    address public immutable creatorOrigin = tx.origin;
}

/// Says who calls.
contract Mirror is Inner {
    uint256 public calls;
    address public sender;
    address public origin;
    Inner public inner;

    function look() external payable {
        (sender, origin) = (msg.sender, tx.origin);
        calls++;
    }

    function lookThrough(Mirror other) external {
        other.look();
    }

    function who() external view returns (address, address) {
        return (msg.sender, tx.origin);
    }

    function nest() external {
        inner = new Inner();
    }

    function fail() external {
        calls++;
        revert("failed");
    }
}
