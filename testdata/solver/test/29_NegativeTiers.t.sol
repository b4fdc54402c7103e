// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: signed remainders, signed division and a square of a negative value (SMT: medium).
pragma solidity ^0.8.20;

/// Rebate tiers of a signed balance; the last tier has an unreachable-looking hole.
contract NegativeTiersTest {
    function tier(int256 balance) internal pure returns (uint256) {
        if (balance >= 0) return 0;
        if (balance < -(2 ** 62) || balance > -(2 ** 61)) return 1;
        if (balance % 1_000_003 != -464015) return 2;
        if ((balance / 1_000_000_000) % 1021 != -127) return 3;
        if (uint32(uint256(balance) >> 7) != 0x4a6cf14b) return 4;
        if (uint24(uint256(balance * balance)) != 0xd01c09) return 5;
        return 6;
    }

    function testFuzz_tier(int72 balance) public pure {
        assert(tier(balance) != 6);
    }

    function test_witness() public {
        int72 v = int72(int256(_w(0x4ef1d2ad89edf8c4d91132028e8195cdf30bb4b5053d4f8cffd3e6478182a90b)));
        try this.testFuzz_tier(v) {
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
