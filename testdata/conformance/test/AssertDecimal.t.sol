// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// The comparisons with decimals where they hold: decimals are for the message only.
contract AssertDecimalTest is Conformance {
    function test_assertEqDecimal_holds() public {
        vm.assertEqDecimal(uint256(2), uint256(2), 18);
        vm.assertEqDecimal(uint256(2), uint256(2), type(uint256).max, "not reported");
        vm.assertEqDecimal(int256(-2), int256(-2), 18);
        vm.assertEqDecimal(int256(-2), int256(-2), type(uint256).max, "not reported");
    }

    function test_assertNotEqDecimal_holds() public {
        vm.assertNotEqDecimal(uint256(1), uint256(2), 18);
        vm.assertNotEqDecimal(uint256(1), uint256(2), type(uint256).max, "not reported");
        vm.assertNotEqDecimal(int256(-1), int256(1), 18);
        vm.assertNotEqDecimal(int256(-1), int256(1), type(uint256).max, "not reported");
    }

    function test_assertLtDecimal_holds() public {
        vm.assertLtDecimal(uint256(1), uint256(2), 18);
        vm.assertLtDecimal(uint256(1), uint256(2), type(uint256).max, "not reported");
        vm.assertLtDecimal(int256(-1), int256(1), 18);
        vm.assertLtDecimal(int256(-1), int256(1), type(uint256).max, "not reported");
    }

    function test_assertLeDecimal_holds() public {
        vm.assertLeDecimal(uint256(1), uint256(2), 18);
        vm.assertLeDecimal(uint256(1), uint256(2), type(uint256).max, "not reported");
        vm.assertLeDecimal(int256(-1), int256(-1), 18);
        vm.assertLeDecimal(int256(-1), int256(-1), type(uint256).max, "not reported");
    }

    function test_assertGtDecimal_holds() public {
        vm.assertGtDecimal(uint256(2), uint256(1), 18);
        vm.assertGtDecimal(uint256(2), uint256(1), type(uint256).max, "not reported");
        vm.assertGtDecimal(int256(1), int256(-1), 18);
        vm.assertGtDecimal(int256(1), int256(-1), type(uint256).max, "not reported");
    }

    function test_assertGeDecimal_holds() public {
        vm.assertGeDecimal(uint256(2), uint256(1), 18);
        vm.assertGeDecimal(uint256(2), uint256(1), type(uint256).max, "not reported");
        vm.assertGeDecimal(int256(-1), int256(-1), 18);
        vm.assertGeDecimal(int256(-1), int256(-1), type(uint256).max, "not reported");
    }
}

/// The comparisons with decimals where they do not hold.
contract AssertDecimalErrors is Conformance {
    function test_assertEqDecimal_uint() public {
        vm.assertEqDecimal(uint256(1.5e18), uint256(2e18), 18);
    }

    function test_assertEqDecimal_uintMessage() public {
        vm.assertEqDecimal(uint256(1.5e18), uint256(2e18), 18, "note");
    }

    function test_assertEqDecimal_int() public {
        vm.assertEqDecimal(int256(-1.5e18), int256(2e18), 18);
    }

    function test_assertEqDecimal_intMessage() public {
        vm.assertEqDecimal(int256(-1.5e18), int256(2e18), 18, "note");
    }

    function test_assertNotEqDecimal_uint() public {
        vm.assertNotEqDecimal(uint256(1e18), uint256(1e18), 18);
    }

    function test_assertNotEqDecimal_uintMessage() public {
        vm.assertNotEqDecimal(uint256(1e18), uint256(1e18), 18, "note");
    }

    function test_assertNotEqDecimal_int() public {
        vm.assertNotEqDecimal(int256(-1), int256(-1), 2);
    }

    function test_assertNotEqDecimal_intMessage() public {
        vm.assertNotEqDecimal(int256(-1), int256(-1), 2, "note");
    }

    function test_assertLtDecimal_uint() public {
        vm.assertLtDecimal(uint256(15), uint256(15), 1);
    }

    function test_assertLtDecimal_uintMessage() public {
        vm.assertLtDecimal(uint256(15), uint256(15), 1, "note");
    }

    function test_assertLtDecimal_int() public {
        vm.assertLtDecimal(int256(-15), int256(-15), 1);
    }

    function test_assertLtDecimal_intMessage() public {
        vm.assertLtDecimal(int256(-15), int256(-15), 1, "note");
    }

    function test_assertLeDecimal_uint() public {
        vm.assertLeDecimal(uint256(123456), uint256(1), 3);
    }

    function test_assertLeDecimal_uintMessage() public {
        vm.assertLeDecimal(uint256(123456), uint256(1), 3, "note");
    }

    function test_assertLeDecimal_int() public {
        vm.assertLeDecimal(int256(1), int256(-123456), 3);
    }

    function test_assertLeDecimal_intMessage() public {
        vm.assertLeDecimal(int256(1), int256(-123456), 3, "note");
    }

    function test_assertGtDecimal_uint() public {
        vm.assertGtDecimal(uint256(0), uint256(1), 6);
    }

    function test_assertGtDecimal_uintMessage() public {
        vm.assertGtDecimal(uint256(0), uint256(1), 6, "note");
    }

    function test_assertGtDecimal_int() public {
        vm.assertGtDecimal(int256(-1), int256(0), 6);
    }

    function test_assertGtDecimal_intMessage() public {
        vm.assertGtDecimal(int256(-1), int256(0), 6, "note");
    }

    function test_assertGeDecimal_uint() public {
        vm.assertGeDecimal(uint256(7), uint256(8), 0);
    }

    function test_assertGeDecimal_uintMessage() public {
        vm.assertGeDecimal(uint256(7), uint256(8), 0, "note");
    }

    function test_assertGeDecimal_int() public {
        vm.assertGeDecimal(int256(-8), int256(7), 0);
    }

    function test_assertGeDecimal_intMessage() public {
        vm.assertGeDecimal(int256(-8), int256(7), 0, "note");
    }

    function test_assertEqDecimal_max() public {
        vm.assertEqDecimal(type(uint256).max, 0, 18);
    }

    function test_assertEqDecimal_min() public {
        vm.assertEqDecimal(type(int256).min, 0, 18);
    }

    function test_assertEqDecimal_decimals77() public {
        vm.assertEqDecimal(uint256(1), 2, 77);
    }

    function test_assertEqDecimal_decimals78() public {
        vm.assertEqDecimal(uint256(1), 2, 78);
    }

    function test_assertEqDecimal_decimalsHuge() public {
        vm.assertEqDecimal(uint256(1), 2, type(uint256).max);
    }

    function test_assertEqDecimal_negativeFraction() public {
        vm.assertEqDecimal(int256(-1), -10, 1);
    }

    function test_assertEqDecimal_intDecimals77() public {
        vm.assertEqDecimal(type(int256).min, -1, 77);
    }

    function test_assertEqDecimal_intDecimals76() public {
        vm.assertEqDecimal(type(int256).min, -1, 76);
    }

    function test_assertEqDecimal_intDecimalsHuge() public {
        vm.assertEqDecimal(int256(1), -1, 300);
    }
}
