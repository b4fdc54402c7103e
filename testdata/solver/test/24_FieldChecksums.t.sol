// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: sum, xor and weighted sum over eight ordered 32-bit fields (SMT: medium).
pragma solidity ^0.8.20;

/// Three checksums over the eight lanes of a word; the lanes must ascend.
contract FieldChecksumsTest {
    function testFuzz_lanes(bytes32 w) public pure {
        uint32 sum;
        uint32 xor;
        uint32 weighted;
        uint32 last;
        for (uint256 i = 0; i < 8; i++) {
            uint32 lane = uint32(uint256(w) >> (224 - 32 * i));
            if (lane < last) return;
            last = lane;
            unchecked {
                sum += lane;
                xor ^= lane;
                weighted += uint32(i + 1) * lane;
            }
        }
        if (sum != 0x21dad922) return;
        if (xor != 0x33fd69ba) return;
        assert(weighted != 0xee43c8e6);
    }

    function test_witness() public {
        bytes32 w = bytes32(_w(0x95dc90ce336b6b3bb301e619c5f825e1b9506b87248f3861cd3570794f86c3a3));
        try this.testFuzz_lanes(w) {
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
