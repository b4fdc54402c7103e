// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: two polynomial hashes over four words, a sum and a xor (SMT: medium).
pragma solidity ^0.8.20;

contract PolyHashTest {
    function hash(uint256 base, uint256[4] memory m) internal pure returns (uint256 r) {
        r = 7;
        for (uint256 i = 0; i < 4; i++) {
            r = r * base + m[i];
        }
    }

    function testFuzz_hash(uint32 a, uint32 b, uint32 c, uint32 d) public pure {
        uint256[4] memory m = [uint256(a), b, c, d];
        if (hash(31, m) != 48199189661597) return;
        if (hash(65599, m) != 451464960599443618558205) return;
        if (uint256(a) + b + c != 3421707093) return;
        assert(a ^ d != 0x4c3965c8);
    }

    function test_witness() public {
        try this.testFuzz_hash(
            uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2e8b66e8d)),
            uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2973e601a)),
            uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2fc184718)),
            uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2a48f0b45))
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
