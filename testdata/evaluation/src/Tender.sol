// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A sealed tender: bids above a secret reserve win, the best one is paid out when the round is settled.
contract Tender {
    enum Phase {
        Open,
        Closed,
        Settled
    }

    uint256 private constant SALT = 0x5eed;

    Phase public phase;
    uint256 public round = 1;
    uint256 public best;
    address public winner;
    /// What all settled rounds brought in, and what was due for them.
    uint256 public paid;
    uint256 public due;

    function bid(uint256 amount) external {
        require(phase == Phase.Open, "closed");
        require(amount >= reserve() && amount <= reserve() + 1_000_000, "out of range");
        require(amount > best, "too low");
        (best, winner) = (amount, msg.sender);
    }

    function close() external {
        require(phase == Phase.Open && best != 0, "no bid");
        phase = Phase.Closed;
    }

    function settle() external {
        require(phase == Phase.Closed && msg.sender == winner, "not the winner");
        phase = Phase.Settled;
        due += best;
        // The bug: the reserve itself counts as no bid.
        paid += best == reserve() ? 0 : best;
    }

    function next() external {
        require(phase == Phase.Settled, "not settled");
        (phase, best, winner) = (Phase.Open, 0, address(0));
        round += 1;
    }

    function reserve() public view returns (uint256) {
        return uint256(keccak256(abi.encode(SALT, round))) % 1_000_000_000;
    }
}
