// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: equality of two hashes whose preimages are linear in the arguments (SMT: easy).
pragma solidity ^0.8.20;

contract HashMatchTest {
    function testFuzz_commitment(uint256 a, uint256 b, uint256 nonce) public pure {
        unchecked {
            if (nonce ^ a != b + 0x222b45270e525efc0c6a67290e298b75397fe7b52ac238fa0ce05251dbd3300) return;
            bytes32 left = keccak256(abi.encode(a + b, a - 3 * b));
            bytes32 right = keccak256(
                abi.encode(
                    uint256(0x3e66c5c2640007f8389c192232d71c9becd74e9545c20fdc3440e9dee5b28a1b),
                    uint256(0xd02de49440bff0c7d84f4bda376bfc32816409bedf691d12136011db781ccb17)
                )
            );
            if (left != right) return;
            assert(keccak256(abi.encode(a, nonce)) != keccak256(abi.encode(a, (b + 0x222b45270e525efc0c6a67290e298b75397fe7b52ac238fa0ce05251dbd3300) ^ a)));
        }
    }

    function test_witness() public {
        uint256 a = _w(0xd3d6a024ad2205170666282d42823eb39d0e361556e9635a8197783cbdb716ac);
        uint256 b = _w(0x6a801519fec202f73efdfeac8fa4a22856289a7f63548cc1a5a7fde26c9f6337);
        uint256 n = _w(0x0e664cb954972eacdebff1e9cd3f5e62337af9a5baab0318a89143194495b46d);
        try this.testFuzz_commitment(a, b, n) {
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
