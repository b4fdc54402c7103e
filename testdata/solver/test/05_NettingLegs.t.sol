// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: signed checked equations over three legs, answers of both signs (SMT: easy).
pragma solidity ^0.8.20;

/// Multilateral netting: three signed legs must cancel against the clearing accounts.
contract NettingLegsTest {
    struct Clearing {
        int256 house;
        int256 margin;
        int256 fees;
    }

    function clear(int256 spot, int256 future_, int256 option) internal pure returns (Clearing memory c) {
        c.house = 2 * spot - 3 * future_ + option;
        c.margin = spot + future_ + option;
        c.fees = 5 * spot - option + 2 * future_;
    }

    function testFuzz_netting(int128 spot, int128 future_, int128 option) public pure {
        Clearing memory c = clear(spot, future_, option);
        bool flat = c.house == -22559216636871477095376602204369 && c.margin == 5528816721510920462266279336336 && c.fees == 8865314220808380115245227109746;
        assert(!flat);
    }

    function test_witness() public {
        int128 x = int128(uint128(_w(0x4ef1d2ad89edf8c4d91132028e8195cdf30bb4b97cf4564dda653e53cea86209)));
        int128 y = int128(uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b1f78205202e4a22a6d8a4528ae)));
        int128 z = int128(uint128(_w(0x4ef1d2ad89edf8c4d91132028e8195cdf30bb4b645ba879f2225c2fd2a7b8acf)));
        try this.testFuzz_netting(x, y, z) {
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
