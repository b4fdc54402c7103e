// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: msg.value must equal a product minus a coupon, coupon and units under a xor (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract Shop {
    uint256 internal constant UNIT = 5681598369510;
    uint256 public sold;
    bool public drained;

    function buy(uint32 units, uint40 coupon) external payable {
        uint256 cost = uint256(units) * UNIT;
        uint256 rebate = uint256(coupon) * 7;
        if (cost < rebate) return;
        if (msg.value != cost - rebate) return;
        sold += units;
        // the coupon is not checked against the list, only against its control sum
        if (uint256(coupon) ^ (uint256(units) << 8) == 0x45c7c40d17) {
            drained = uint256(coupon) + units == 445118616341;
        }
    }
}

contract PayableQuoteTest is Test {
    function testFuzz_buy(uint80 value, uint32 units, uint40 coupon) public {
        Shop shop = new Shop();
        vm.deal(address(this), value);
        shop.buy{value: value}(units, coupon);
        assertFalse(shop.drained());
    }

    function test_witness() public {
        uint80 v = uint80(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0c20df010b8e1aef065));
        uint32 u = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe295bd1308));
        uint40 c = uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcb853721ffe1));
        try this.testFuzz_buy(v, u, c) {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
