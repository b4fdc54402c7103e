// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: stateful: a multiply-xor state over two absorbs, then a tag (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// A toy sponge: two rounds of absorb, then squeeze with the tag of the sender.
contract SpongeRounds {
    uint64 public state = 0x95f099539633fe6d;
    uint64 public first;
    uint8 public rounds;
    bool public forged;

    function absorb(uint64 v) external {
        if (rounds == 2) return;
        if (rounds == 0) first = v;
        unchecked {
            state = (state * 33) ^ v;
        }
        rounds++;
    }

    function squeeze(uint64 tag) external {
        if (rounds != 2) return;
        unchecked {
            if (state + tag * 5 == 0xe1a44a31514cebea && (first ^ tag) == 0xf698ff240a49c171) {
                forged = state % 65521 == 57253 && first + state == 0x4b0899353f5e549b;
            }
        }
    }

    function restart() external {
        rounds = 0;
        first = 0;
        state = 0x95f099539633fe6d;
    }
}

contract SpongeRoundsTest is Test {
    SpongeRounds internal sponge;

    function setUp() public {
        sponge = new SpongeRounds();
        targetContract(address(sponge));
    }

    function invariant_unforged() public view {
        assert(!sponge.forged());
    }

    function test_witness() public {
        sponge.absorb(uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b073194e2940bbb9dba7)));
        sponge.absorb(uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b07340bf309fea13f760)));
        sponge.squeeze(uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b073efd6d664b1f01ad6)));
        try this.invariant_unforged() {
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
