// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: sum and product of two 61-bit reserves (a quadratic equation) (SMT: medium).
pragma solidity ^0.8.20;

contract SumAndProductTest {
    struct Pool {
        uint256 reserve0;
        uint256 reserve1;
    }

    function liquidity(Pool memory p) internal pure returns (uint256) {
        return p.reserve0 * p.reserve1;
    }

    function testFuzz_pool(uint64 r0, uint64 r1) public pure {
        Pool memory p = Pool(r0, r1);
        if (p.reserve0 > p.reserve1) return;
        if (p.reserve0 + p.reserve1 == 2114623424716806090) {
            assert(liquidity(p) != 1035637617073339850197017211711251989);
        }
    }

    function test_witness() public {
        uint64 a = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b073272e8540cb47d421));
        uint64 b = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0733f3893c824c33205));
        try this.testFuzz_pool(a, b) {
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
