// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: stateful: equal hashes of different forms, times of two calls and the committed words (SMT: medium).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// Commit and reveal; the commitment also fixes the time at which it can be opened.
contract CommitReveal {
    bytes32 public commitment;
    uint256 public fingerprint;
    uint256 public opensAt;
    bool public opened;

    function commit(uint256 x, uint256 y, uint40 opening) external {
        commitment = keccak256(abi.encode(x, y));
        unchecked {
            fingerprint = x + 3 * y + opening;
        }
        opensAt = opening;
    }

    function reveal(uint256 a, uint256 b) external {
        uint256 time = block.timestamp;
        if (opensAt == 0 || time < opensAt || time - opensAt != 3436744) return;
        if (fingerprint ^ time != 0x403d194feb5bfea07b2743155b84020b3e1346767cca7f1cb13955744d89fe08) return;
        unchecked {
            if (keccak256(abi.encode(a ^ 0xeafb6bab136d86b58d02481a01de30948e3c745f94f386fbf7c8bbc90aff4550, a + b)) != commitment) return;
            if (a - b != 0xb5a9e6d8d84ac09e91953f65dc312a5ffc4ce1b58e3813e588f08f5381accf66) return;
            if (b + opensAt * 11 != 0x26c8f315114410d51bb011ee45d9e5ba1d8acf558b7acfaabb06b3bd342c0eac) return;
        }
        opened = true;
    }
}

interface Clock {
    function warp(uint256 time) external;
}

contract Player {
    Clock internal constant CLOCK = Clock(address(uint160(uint256(keccak256("hevm cheat code")))));
    CommitReveal public box = new CommitReveal();

    function commit(uint256 x, uint256 y, uint40 opening) external {
        box.commit(x, y, opening);
    }

    function revealAt(uint40 time, uint256 a, uint256 b) external {
        CLOCK.warp(time);
        box.reveal(a, b);
    }
}

contract CommitRevealTest is Test {
    Player internal player;

    function setUp() public {
        player = new Player();
        targetContract(address(player));
    }

    function invariant_sealed() public view {
        assert(!player.box().opened());
    }

    function test_witness() public {
        player.commit(
            _w(0x87879f148cf150fd06a9d4b352ab4abc9b1f8e1e7783d51899a04f9626b812b8),
            _w(0xb235e0508cc0e573ee1baebf169a9fe63b96cb2a5fef0349d3623bc50237ea20),
            uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbafe88cd1aa))
        );
        player.revealAt(
            uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbafe85142d2)),
            _w(0x6d7cf4bf9f9cd6488bab9ca953757a281523fa41e37053e36e68f45f2c4757e8),
            _w(0x97c6de47675617ee3d5edc1334a78f88117e841f71b87fd996997b88adea874e)
        );
        try this.invariant_sealed() {
            revert("witness does not fail");
        } catch Panic(uint256 code) {
            require(code == 1, "another panic");
        }
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
