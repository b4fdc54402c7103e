// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: bytes4 and the 28 bytes after it, each a function of the other (SMT: easy).
pragma solidity ^0.8.20;

/// Calldata header: the selector must agree with the payload behind it.
contract SelectorPayloadTest {
    function split(bytes32 w) internal pure returns (bytes4 selector, uint224 payload) {
        selector = bytes4(w);
        payload = uint224(uint256(w));
    }

    function testFuzz_header(bytes32 w) public pure {
        (bytes4 selector, uint224 payload) = split(w);
        if (selector ^ bytes4(w << 32) != bytes4(uint32(0xe7fa2e6))) return;
        unchecked {
            uint32 tail = uint32(payload) + uint32(selector);
            if (tail != 0x3ec0adb5) return;
            uint192 middle = uint192(payload) ^ uint192(uint256(uint32(selector)) * 0x9E3779B1000000000000000001);
            if (middle != 0xc2f3026f079f9d6ab45d0753ad33a225b4d2982bbe3e4db1) return;
        }
        assert(false);
    }

    function test_witness() public {
        bytes32 w = bytes32(_w(0x41655cf08806d47fe41dcf9276e1f7cc2ec0cc719ad21056994d53c9f9af30e5));
        try this.testFuzz_header(w) {
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
