// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: a packed word plus its own rotation (carries between fields) (SMT: easy).
pragma solidity ^0.8.20;

contract QuadPackTest {
    function pack(uint64 a, uint64 b, uint64 c, uint64 d) internal pure returns (uint256) {
        return (uint256(a) << 192) | (uint256(b) << 128) | (uint256(c) << 64) | d;
    }

    function rotate(uint256 w) internal pure returns (uint256) {
        return (w << 64) | (w >> 192);
    }

    function testFuzz_pack(uint64 a, uint64 b, uint64 c, uint64 d) public pure {
        uint256 w = pack(a, b, c, d);
        unchecked {
            if (w + rotate(w) != 0x34f7b034bceff2bc09be87c699c4d94e7c1ee56e3da04f5fa7580ddc60cb68cc) return;
        }
        if (a ^ c != 0x2cdfdbb22d6b26b7) return;
        assert(a >= b);
    }

    function test_witness() public {
        try this.testFuzz_pack(
            uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b07313934db28d3135a4)),
            uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b073db74e20635deb59f)),
            uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0733f4c9600a05a1313)),
            uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b07344d44c6e91fa238c))
        ) {
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
