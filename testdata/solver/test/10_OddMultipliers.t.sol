// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: two unchecked multiplications by odd constants under xor and plus (SMT: medium).
pragma solidity ^0.8.20;

/// Two lanes of an FNV-like mixer, cross-fed.
contract OddMultipliersTest {
    function lane0(uint256 a, uint256 b) internal pure returns (uint256) {
        unchecked {
            return (a * 0x1000193) ^ b;
        }
    }

    function lane1(uint256 a, uint256 b) internal pure returns (uint256) {
        unchecked {
            return b * 33 + a;
        }
    }

    function testFuzz_lanes(uint256 a, uint256 b) public pure {
        assert(
            lane0(a, b) != 0x89eeb3e4dbb9d5aa137cb41f895932995c450b950fb26218c9625e06e5937bb8
                || lane1(a, b) != 0xf8fbafc13622c1aa3f12d019cbd4e752d42007bf17814224d12c3326354d6f14
        );
    }

    function test_witness() public {
        uint256 a = _w(0x3b65dd53c56106fdbf6e3641a7a5ad93a740e487278a9bac2bd3467aa5ccbc7d);
        uint256 b = _w(0xd17edb19e90e9e0e57715fef2581a09a4bff49e0c2d38ecf666888f1657e9d9f);
        try this.testFuzz_lanes(a, b) {
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
