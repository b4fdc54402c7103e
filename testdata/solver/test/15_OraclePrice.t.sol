// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: price of two reserves within one wei, with their sum fixed (SMT: medium).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract OraclePriceTest is Test {
    uint256 internal constant FAIR = 320564661;

    function spot(uint256 reserve0, uint256 reserve1) internal pure returns (uint256) {
        return reserve1 * 1e9 / reserve0;
    }

    function testFuzz_price(uint256 reserve0, uint48 reserve1) public pure {
        reserve0 = bound(reserve0, 1e6, type(uint48).max);
        vm.assume(reserve0 != reserve1);
        uint256 price = spot(reserve0, reserve1);
        uint256 off = price > FAIR ? price - FAIR : FAIR - price;
        if (reserve0 + reserve1 == 988731951603) {
            assertTrue(off > 1);
        }
    }

    function test_witness() public {
        uint256 a = _w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcb4ce4d863d4);
        uint48 b = uint48(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbd5561bd627));
        assertLe(spot(a, b), FAIR + 1);
        try this.testFuzz_price(a, b) {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
