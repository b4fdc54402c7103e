// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: two linear equations mod 2^256, each needs both arguments (SMT: easy).
pragma solidity ^0.8.20;

contract TwoLinesTest {
    function testFuzz_lines(uint256 a, uint256 b) public pure {
        unchecked {
            if (3 * a + 5 * b != 0x2055ee6eda9345305659cd2aaba2bdafa35e6802c0b261c8325a2bd6f202d5c9) return;
            if (7 * a - 2 * b != 0xcd8498b854372d37e6dbd9e135f5f7ab3f2f3d430b4b757694880c4eeca35a2a) return;
        }
        assert(false);
    }

    function test_witness() public {
        uint256 a = _w(0xe3dbc11fa06c4aa9ac6dd5ea3c1a3594ddc81a70b83a5dd2ba2eddbdbe8bbb32);
        uint256 b = _w(0x8a2443e6328c7fdfd7b22a9d829a38c0304f36e09e033489653803c79d465aef);
        try this.testFuzz_lines(a, b) {
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
