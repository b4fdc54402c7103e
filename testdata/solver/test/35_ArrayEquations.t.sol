// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: a dynamic array of four elements under four linear equations (SMT: easy).
pragma solidity ^0.8.20;

contract ArrayEquationsTest {
    function testFuzz_array(uint256[] calldata xs) public pure {
        if (xs.length != 4) return;
        uint256 sum;
        uint256 weighted;
        uint256 alternating;
        unchecked {
            for (uint256 i = 0; i < xs.length; i++) {
                sum += xs[i];
                weighted += (i + 1) * xs[i];
                alternating = i % 2 == 0 ? alternating + xs[i] : alternating - xs[i];
            }
            if (sum != 0x1af77f86383d7629456d13aac2ec07d19435501980a2ea19bcb837daa83ac3b6) return;
            if (weighted != 0x5330bc43c0d45882aeb6353e0c2ecf13028d8ef33a0c33b1e4f8c2928ec9c7cc) return;
            if (alternating != 0xed2695353b404587b411709e4ecf3c1e96d0b0eba8adefb3828209a89bc725ce) return;
            if (xs[0] ^ xs[3] != 0xd67a9734f5347342f929a2202c493cc23b00f23ee130acc7e1b9976f2fba653) return;
        }
        assert(false);
    }

    function test_witness() public {
        uint256[] memory xs = new uint256[](4);
        xs[0] = _w(0xb36141d9843d87f418e4d3dd6e5b6ca9e80507c8754cbd91e1e88fde2d930db4);
        xs[1] = _w(0xb6d1827db713d76e91fb80796d52bab3bb8540bf709fc6774731f22c2a5d2b15);
        xs[2] = _w(0xb091b083b19d5a32185be9f918c6f16e3c65ff4affd8ef70feba1767b06dff76);
        xs[3] = _w(0xbe06e8aacb6ec0c0377649ff6c9fff65cbb508eb9b5fb75d9ff316a8df68abe7);
        try this.testFuzz_array(xs) {
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
