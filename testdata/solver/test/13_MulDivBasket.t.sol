// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: two floors of 512-bit mulDivs over a split of one budget (SMT: hard).
pragma solidity ^0.8.20;

library FullMath {
    /// floor(a * b / d), with the product kept in 512 bits
    function mulDiv(uint256 a, uint256 b, uint256 d) internal pure returns (uint256 r) {
        unchecked {
            uint256 mm = mulmod(a, b, type(uint256).max);
            uint256 lo = a * b;
            uint256 hi = mm - lo;
            if (mm < lo) hi -= 1;
            if (hi == 0) return lo / d;
            require(d > hi, "mulDiv overflow");
            uint256 rest = mulmod(a, b, d);
            if (rest > lo) hi -= 1;
            lo -= rest;
            uint256 pow2 = d & (~d + 1);
            d /= pow2;
            lo /= pow2;
            lo |= hi * ((~pow2 + 1) / pow2 + 1);
            uint256 inv = (3 * d) ^ 2;
            inv *= 2 - d * inv;
            inv *= 2 - d * inv;
            inv *= 2 - d * inv;
            inv *= 2 - d * inv;
            inv *= 2 - d * inv;
            inv *= 2 - d * inv;
            r = lo * inv;
        }
    }
}

contract MulDivBasketTest {
    uint256 internal constant ETH_PRICE = 1734562011592290407983;
    uint256 internal constant ALT_PRICE = 505190891113738925;

    function testFuzz_basket(uint128 eth, uint128 alt) public pure {
        uint256 ethValue = FullMath.mulDiv(eth, ETH_PRICE, 1e18);
        uint256 altValue = FullMath.mulDiv(alt, ALT_PRICE, 1e18);
        if (uint256(eth) + alt != 11347034683310010491269485) return;
        assert(ethValue + altValue != 15055165174651636152850648223);
    }

    function test_witness() public {
        uint128 a = uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac59db8be7d43a79347cd81));
        uint128 b = uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac0857b4a2d6435e4cd2300));
        try this.testFuzz_basket(a, b) {
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
