// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: stateful: a stored factor times a later argument, and a tag from both (SMT: medium).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// A lottery of two halves: the first call commits a number, the second must complete it.
contract CommitFactor {
    uint32 public committed;
    bool public won;

    function commit(uint32 p) external {
        if (p > 1 && p % 2 == 1) committed = p;
    }

    function reveal(uint32 q, uint64 tag) external {
        uint256 p = committed;
        if (p == 0 || q <= p) return;
        if (uint16(p + q) != 0x17ba) return;
        if (p * q != 1062176402597) return;
        if (uint256(tag) + p * 3 == 628746235517934589) won = true;
        else committed = 0;
    }

    function reset() external {
        committed = 0;
    }
}

contract CommitFactorTest is Test {
    CommitFactor internal game;

    function setUp() public {
        game = new CommitFactor();
        targetContract(address(game));
    }

    function invariant_noWinner() public view {
        assertFalse(game.won());
    }

    function test_witness() public {
        game.commit(uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7f07b15)));
        game.reveal(uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7ed9321)), uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b07325260abc0233b8a2)));
        assertTrue(game.won());
        try this.invariant_noWinner() {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
