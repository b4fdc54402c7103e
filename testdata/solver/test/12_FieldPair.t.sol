// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: mulmod and addmod over a 31-bit prime field (SMT: hard).
pragma solidity ^0.8.20;

/// A one-time authenticator over the field of 15 * 2**27 + 1.
contract FieldPairTest {
    uint256 internal constant FIELD = 15 * 2 ** 27 + 1;
    uint256 internal constant KEY = 0x310883a4;

    function tag(uint256 x, uint256 y) internal pure returns (uint256) {
        return addmod(mulmod(x, KEY, FIELD), y, FIELD);
    }

    function testFuzz_tag(uint32 x, uint32 y) public pure {
        if (x >= FIELD || y >= FIELD) return;
        if (tag(x, y) != 1014956980) return;
        if (addmod(x, 3 * uint256(y), FIELD) != 1726200398) return;
        assert(false);
    }

    function test_witness() public {
        uint32 x = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2e3f87035));
        uint32 y = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe299b11872));
        try this.testFuzz_tag(x, y) {
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
