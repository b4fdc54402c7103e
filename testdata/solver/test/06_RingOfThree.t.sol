// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: cyclic add, xor and shift equations, none can be met alone (SMT: easy).
pragma solidity ^0.8.20;

contract RingOfThreeTest {
    function testFuzz_ring(uint256 a, uint256 b, uint256 c) public pure {
        unchecked {
            if (a + (b << 7) != 0x63f862be521a3c3eb4c3a940070481d8f110e2596f41a51a4b6a4b5b1f5ad3d0) return;
            if (b ^ (c >> 3) != 0x8b121b808149de3294e54fba30bba36bd42043dacad45e24711d6d86a3006d61) return;
            if (c - 9 * a != 0xcfaf4531db9f436ea991a346fde0951a732788e23a6a879b4637bac5e64a89af) return;
        }
        assert(false);
    }

    function test_witness() public {
        uint256 a = _w(0x443d6daf552b16fba41b2ea019cafd06bbf9eb71bca98adb0a3fca685e89d826);
        uint256 b = _w(0x37d3a711f44fc56fda8d5676b442f5e744804dcec6931ca7c9d85f711791c108);
        uint256 c = _w(0xdf72a34a6eb2e40862d86c72dd478fc6ee5661bd4eed27f78748034aaca70809);
        try this.testFuzz_ring(a, b, c) {
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
