// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: a product of two primes of 21 and 22 bits, and a part of their xor (SMT: medium).
pragma solidity ^0.8.20;

contract FactorPairTest {
    function testFuzz_factors(uint32 p, uint32 q) public pure {
        if (p < 2 || q < 2) return;
        if (p >= q) return;
        if (uint16(p ^ q) != 0x7aea) return;
        assert(uint256(p) * q != 4565755013803);
    }

    function test_witness() public {
        uint32 p = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7ee650d));
        uint32 q = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7ce1fe7));
        try this.testFuzz_factors(p, q) {
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
