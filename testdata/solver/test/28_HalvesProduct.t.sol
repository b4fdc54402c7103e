// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: a product of two halves under ranges, and the middle tied to both (SMT: medium).
pragma solidity ^0.8.20;

contract HalvesProductTest {
    function testFuzz_halves(uint256 x) public pure {
        uint256 hi = x >> 128;
        uint256 lo = x & 0xffffffffff;
        uint256 mid = (x >> 40) & type(uint88).max;
        if (hi < 1 << 20 && hi > 0xffff) {
            if (lo < 1 << 19 && lo > 0xffff) {
                if (hi * lo == 181171315370) {
                    if (hi % 2 == 1 && lo % 3 == 1) {
                        if (mid + hi * 77 == 231205011780002446155279945) {
                            if ((mid ^ lo) % 251 == 63) {
                                assert(x % 11 != 4);
                            }
                        }
                    }
                }
            }
        }
    }

    function test_witness() public {
        uint256 x = _w(0xb10e2d527612073b26eecdfd7177a525b3cbdb876cc91f2153bb95e2b7fe4010);
        try this.testFuzz_halves(x) {
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
