// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: two full-width Q128 products of coupled sums, by 128-bit limbs (SMT: hard).
pragma solidity ^0.8.20;

/// Q128 fee growth: floor(a * b / 2**128) from four partial products.
library Q128 {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 al = a & type(uint128).max;
        uint256 ah = a >> 128;
        uint256 bl = b & type(uint128).max;
        uint256 bh = b >> 128;
        unchecked {
            uint256 low = (al * bl) >> 128;
            return low + al * bh + ah * bl + ((ah * bh) << 128);
        }
    }
}

contract LimbMulShiftTest {
    uint256 internal constant GROWTH_A = 0x2c60f5c00000000000000000000000000000;
    uint256 internal constant GROWTH_B = 0xce5eb0000000000000000000000000000000;

    function testFuzz_fees(uint256 x, uint256 y) public pure {
        unchecked {
            uint256 up = x + y;
            uint256 down = x - 3 * y;
            if (Q128.mul(up, GROWTH_A) != 0xbb7cacf38aa370174d6f586062a145c69b05ace0ad6e329da1f91a0f2da0c51a) return;
            if (Q128.mul(down, GROWTH_B) != 0xcf623e54fbda9049850bca95469f3a2300c98575badcfe2cdca8f57a9b3bf5e9) return;
        }
        assert(x <= y);
    }

    function test_witness() public {
        uint256 x = _w(0x9fedb1db91d26b27d411890c5bdedb485c1935bad09763b334e97829dd55f066);
        uint256 y = _w(0xb2cc53450193f30be78acf6d57ba9f3c51e4329e551aa3d4e584e7fb2589f46a);
        try this.testFuzz_fees(x, y) {
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
