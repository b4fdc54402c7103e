// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: a xor, a sum and a mask over the same two words (SMT: easy).
pragma solidity ^0.8.20;

contract XorSumTest {
    function testFuzz_mix(uint256 a, uint256 b) public pure {
        unchecked {
            if (a ^ b != 0xdf4b9607bb0b5ae44a8e66c12dd3e52f32e3181358d0da39fb303ce90f3191bd) return;
            if (a + b != 0xe0ac6677c35463196cd198eaadec15d03af42624a6eb23c60439bf15efc1a5bd) return;
        }
        if (a & 0x8d213b7b25a55f4796ce0e94630de19bf77d38d8b9b7cefad989a70f9fc2f72 != 0x8d21231020254d05920a0814410d811b6239308839934cf2490807079780a30) return;
        assert(b > a);
    }

    function test_witness() public {
        uint256 a = _w(0x3cf4d36b7135d3e1ffcf7268bde19263ba5fd4504d5f04ac0b0b2a15ca8316ca);
        uint256 b = _w(0xe3bf456cca3e8905b54114a99032774c88bccc43158fde95f03b16fcc5b28777);
        try this.testFuzz_mix(a, b) {
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
