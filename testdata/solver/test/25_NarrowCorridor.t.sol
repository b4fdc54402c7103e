// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: range, remainder, bit window and a product of one word (SMT: hard).
pragma solidity ^0.8.20;

contract NarrowCorridorTest {
    function testFuzz_corridor(uint256 x) public pure {
        if (x > 0xbad16c2d87f758c330d489afb0e5f43ace2ddd2cf144c1344b) {
            if (x < 0xbad16c2d87f758c331d489afbd563a5f8ce09a258f5d275453) {
                if (x % 1_000_000_007 == 260797953) {
                    if ((x >> 20) & 0xffff == 0x7396) {
                        unchecked {
                            if (uint64(x * 0x80c181ead9) == 0x3d6b611b806b86b3) {
                                assert(x % 7 != 3);
                            }
                        }
                    }
                }
            }
        }
    }

    function test_witness() public {
        uint256 x = _w(0xb10e2d5276120781f782e07a8626a903aafd4a45b1d774b2617f03958e90829d);
        try this.testFuzz_corridor(x) {
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
