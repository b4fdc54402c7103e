// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: eight nested relations of nibbles, a remainder and an odd product (SMT: medium).
pragma solidity ^0.8.20;

/// A serial number of 16 hexadecimal digits.
contract NibbleMazeTest {
    function digit(uint64 x, uint256 i) internal pure returns (uint256) {
        return (x >> (4 * i)) & 0xf;
    }

    function testFuzz_serial(uint64 x) public pure {
        if (digit(x, 0) + digit(x, 15) == 21) {
            if (digit(x, 1) * digit(x, 7) == 99) {
                if (digit(x, 3) > digit(x, 9)) {
                    if (digit(x, 5) ^ digit(x, 11) == 9) {
                        if (x % 65537 == 23612) {
                            if ((x >> 24) * 5 % 4093 == 2692) {
                                if (uint32(x) ^ uint32(x >> 32) > 0x4c3cd) {
                                    assert(uint32(x) ^ uint32(x >> 32) > 0x5ae2e);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    function test_witness() public {
        uint64 x = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0739eff3e85049fc16c));
        try this.testFuzz_serial(x) {
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
