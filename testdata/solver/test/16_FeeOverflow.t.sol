// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: a checked uint56 overflow behind two remainders of amount and fee (SMT: hard).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// The credit line is booked in uint56 (gwei); the sum of debt and fee can exceed it.
contract CreditLine {
    uint56 public debt;

    function draw(uint256 amount, uint256 bps) external {
        uint256 fee = amount * bps / 10_000;
        // only amounts of this branch and this fee plan take the unguarded path
        if ((amount + bps) % 999_983 != 759914) return;
        if ((fee + 3 * bps) % 1_000_003 != 794194) return;
        debt = uint56(amount) + uint56(fee);
    }
}

contract FeeOverflowTest is Test {
    function testFuzz_draw(uint256 amount, uint256 bps) public {
        amount = bound(amount, 1 << 55, type(uint56).max);
        bps = bound(bps, 1, 10_000);
        new CreditLine().draw(amount, bps);
    }

    function test_witness() public {
        uint256 a = _w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d75cb6799e612d7);
        uint256 b = _w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa1d91);
        try this.testFuzz_draw(a, b) {
            revert("witness does not fail");
        } catch Panic(uint256 code) {
            require(code == 0x11, "another panic");
        }
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
