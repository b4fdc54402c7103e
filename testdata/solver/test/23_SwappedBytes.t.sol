// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: byte swap and neighbour-bit swap, one under a sum, one under a xor (SMT: easy).
pragma solidity ^0.8.20;

contract SwappedBytesTest {
    function swap(uint64 x) internal pure returns (uint64) {
        x = ((x & 0x00ff00ff00ff00ff) << 8) | ((x >> 8) & 0x00ff00ff00ff00ff);
        x = ((x & 0x0000ffff0000ffff) << 16) | ((x >> 16) & 0x0000ffff0000ffff);
        return (x << 32) | (x >> 32);
    }

    function toggle(uint64 x) internal pure returns (uint64) {
        return ((x & 0x5555555555555555) << 1) | ((x >> 1) & 0x5555555555555555);
    }

    function testFuzz_endian(uint64 x, uint64 y) public pure {
        unchecked {
            if (swap(x) + y != 0xd72d3185ad6a93a4) return;
            if (toggle(y) + x * 3 != 0x4ee1fb9e44fe1570) return;
        }
        assert(x & 0xff != 111);
    }

    function test_witness() public {
        uint64 x = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b073bc8528d6326ac699));
        uint64 y = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0734afd6ae2cf7d75e5));
        try this.testFuzz_endian(x, y) {
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
