// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: a swap quote one wei above the limit, amount and limit tied by a sum (SMT: hard).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract SlippageTest is Test {
    uint256 internal constant RESERVE_IN = 21779574637192048595718;
    uint256 internal constant RESERVE_OUT = 54427167569148929821011;

    function quote(uint256 amountIn) internal pure returns (uint256) {
        uint256 withFee = amountIn * 997;
        return withFee * RESERVE_OUT / (RESERVE_IN * 1000 + withFee);
    }

    function testFuzz_swap(uint256 amountIn, uint256 minOut) public pure {
        amountIn = bound(amountIn, 1e12, 1e24);
        vm.assume(minOut > 0);
        vm.assume(minOut != amountIn);
        uint256 out = quote(amountIn);
        if (out < minOut) return;
        if (out - minOut != 1) return;
        assert(amountIn + 2 * minOut != 2442360978659957081496);
    }

    function test_witness() public {
        uint256 a = _w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b06557f5f6cc6b9dd3e8);
        uint256 b = _w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b045db8c49be67249fcb);
        try this.testFuzz_swap(a, b) {
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
