// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Messages in two steps: announced with a checksum over their fields, and delivered with the fields.
contract Bridge {
    struct Announcement {
        uint256 checksum;
        address by;
        bool delivered;
    }

    uint256 private constant MODULUS = 2 ** 61 - 1;

    Announcement[] public announcements;
    uint256 public delivered;
    uint256 public largest;

    function announce(uint256 checksum) external {
        require(checksum != 0 && checksum < MODULUS, "no checksum");
        announcements.push(Announcement(checksum, msg.sender, false));
    }

    function deliver(uint256 id, uint64 amount, uint32 fee) external {
        require(id < announcements.length, "unknown");
        Announcement storage announcement = announcements[id];
        require(!announcement.delivered, "delivered");
        require((uint256(amount) * 31 + fee) % MODULUS == announcement.checksum, "wrong checksum");
        announcement.delivered = true;
        delivered += 1;
        // The bug: the fee may exceed the amount.
        unchecked {
            uint64 net = amount - fee;
            if (net > largest) largest = net;
        }
    }
}
