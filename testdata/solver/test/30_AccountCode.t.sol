// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: decimal fields, nested remainders and a digit sum inside one account number (SMT: hard).
pragma solidity ^0.8.20;

/// Bank account numbers: product, region, branch and serial in decimal, with a control digit.
contract AccountCodeTest {
    function digitSum(uint256 n) internal pure returns (uint256 s) {
        for (uint256 i = 0; i < 9; i++) {
            s += n % 10;
            n /= 10;
        }
    }

    function testFuzz_account(uint64 account) public pure {
        uint256 serial = account % 1_000_000_000;
        uint256 branch = account / 1_000_000_000 % 100_000;
        uint256 region = account / 100_000_000_000_000 % 1000;
        if (region % 13 == 5) {
            if (branch > 5000) {
                if (branch * 7 + region == 695490) {
                    if (serial + branch * 1000 == 923014567) {
                        if (account % 97 == 4) {
                            assert(digitSum(serial) % 10 != 0);
                        }
                    }
                }
            }
        }
    }

    function test_witness() public {
        uint64 x = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0735d340f1b1f2bf749));
        try this.testFuzz_account(x) {
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
