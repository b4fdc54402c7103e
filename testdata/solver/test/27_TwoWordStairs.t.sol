// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: six nested conditions alternating over two words (SMT: medium).
pragma solidity ^0.8.20;

contract TwoWordStairsTest {
    function testFuzz_stairs(uint256 x, uint256 y) public pure {
        unchecked {
            if (y >> 127 == 0 && y >> 100 > 0x1f) {
                if (uint128(x) + uint128(y) == 0x83ece9141afd736212d12bfd3693345c) {
                    if ((x >> 128) ^ y == 0x22200e014a6e3c5c9e1193757cc77d54) {
                        if (uint64(x * 5 + y) == 0x712945702b485c28) {
                            if (x % 65521 == 33319) {
                                if (uint128(x * 3) - uint128(y * 7) == 0x8a9ceb2389737f6468240bb2e5be74fa) {
                                    assert(false);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    function test_witness() public {
        uint256 x = _w(0xdfc4b79c7b5ad9cb43c47b2874dcfd0f3bf61f0e291420c63a09cdbe0ad74505);
        uint256 y = _w(0xb10e2d527612073b26eecdfd717e6a32401edf85bde452dfd6a4ee42ce9fe69f);
        try this.testFuzz_stairs(x, y) {
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
