// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: signed int24 and int128 fields with sign extension, coupled (SMT: medium).
pragma solidity ^0.8.20;

/// A position packed into a word: int24 tickLower, int24 tickUpper, int128 liquidityDelta, uint80 owner tag.
contract TickRangeTest {
    function testFuzz_position(bytes32 position) public pure {
        uint256 word = uint256(position);
        int24 tickLower = int24(uint24(word));
        int24 tickUpper = int24(uint24(word >> 24));
        int128 liquidityDelta = int128(uint128(word >> 48));
        uint80 owner = uint80(word >> 176);
        if (tickLower >= tickUpper) return;
        if (int256(tickUpper) - tickLower != 484836) return;
        if (int256(tickLower) * 3 + tickUpper != -1102112) return;
        if (liquidityDelta >= 0) return;
        if (int256(liquidityDelta) + int256(tickLower) * 1_000_033 != -972884783772437959292603733) return;
        assert(uint256(owner) ^ uint256(int256(tickLower)) != 0xffffffffffffffffffffffffffffffffffffffffffff202ec05403752e2944f2);
    }

    function test_witness() public {
        bytes32 w = bytes32(_w(0x6edf12f98a98d6eb902332028e8196e933567a1031e2aa530753caba9403fec9));
        try this.testFuzz_position(w) {
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
