// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// assertApproxEqAbs and assertApproxEqRel, with and without decimals, where they hold.
contract AssertApproxTest is Conformance {
    function test_assertApproxEqAbs_holds() public {
        vm.assertApproxEqAbs(uint256(10), 12, 2);
        vm.assertApproxEqAbs(uint256(12), 10, 2, "not reported");
        vm.assertApproxEqAbs(uint256(0), type(uint256).max, type(uint256).max);
        vm.assertApproxEqAbs(int256(-1), 1, 2);
        vm.assertApproxEqAbs(int256(1), -1, 2, "not reported");
        vm.assertApproxEqAbs(type(int256).min, type(int256).max, type(uint256).max);
        vm.assertApproxEqAbs(type(int256).min, 0, 2 ** 255);
    }

    function test_assertApproxEqAbsDecimal_holds() public {
        vm.assertApproxEqAbsDecimal(uint256(10), 12, 2, 18);
        vm.assertApproxEqAbsDecimal(uint256(12), 10, 2, 100, "not reported");
        vm.assertApproxEqAbsDecimal(int256(-1), 1, 2, 18);
        vm.assertApproxEqAbsDecimal(int256(1), -1, 2, 100, "not reported");
    }

    // The difference in parts of the right side, 1e18 is all of it.
    function test_assertApproxEqRel_holds() public {
        vm.assertApproxEqRel(uint256(110), 100, 0.1e18);
        vm.assertApproxEqRel(uint256(90), 100, 0.1e18, "not reported");
        vm.assertApproxEqRel(uint256(0), 100, 1e18);
        vm.assertApproxEqRel(uint256(0), 0, 0);
        vm.assertApproxEqRel(uint256(300), 100, 2e18);
        vm.assertApproxEqRel(int256(-110), -100, 0.1e18);
        vm.assertApproxEqRel(int256(-100), 100, 2e18, "not reported");
        vm.assertApproxEqRel(int256(0), 0, 0);
    }

    // The part is rounded down.
    function test_assertApproxEqRel_rounding() public {
        vm.assertApproxEqRel(uint256(1e18 + 1), 1e18, 1);
        vm.assertApproxEqRel(uint256(1e19 + 1), 1e19, 0);
        vm.assertApproxEqRel(uint256(4), 3, 0.333333333333333333e18);
    }

    function test_assertApproxEqRelDecimal_holds() public {
        vm.assertApproxEqRelDecimal(uint256(110), 100, 0.1e18, 18);
        vm.assertApproxEqRelDecimal(uint256(90), 100, 0.1e18, 100, "not reported");
        vm.assertApproxEqRelDecimal(int256(-110), -100, 0.1e18, 18);
        vm.assertApproxEqRelDecimal(int256(-90), -100, 0.1e18, 100, "not reported");
    }
}

/// assertApproxEqAbs and assertApproxEqRel, with and without decimals, where they do not hold.
contract AssertApproxErrors is Conformance {
    function test_assertApproxEqAbs_uint() public {
        vm.assertApproxEqAbs(uint256(10), 13, 2);
    }

    function test_assertApproxEqAbs_uintMessage() public {
        vm.assertApproxEqAbs(uint256(10), 13, 2, "note");
    }

    function test_assertApproxEqAbs_int() public {
        vm.assertApproxEqAbs(int256(-1), 2, 2);
    }

    function test_assertApproxEqAbs_intMessage() public {
        vm.assertApproxEqAbs(int256(-1), 2, 2, "note");
    }

    function test_assertApproxEqAbsDecimal_uint() public {
        vm.assertApproxEqAbsDecimal(uint256(10), 135, 2, 1);
    }

    function test_assertApproxEqAbsDecimal_uintMessage() public {
        vm.assertApproxEqAbsDecimal(uint256(10), 135, 2, 1, "note");
    }

    function test_assertApproxEqAbsDecimal_int() public {
        vm.assertApproxEqAbsDecimal(int256(-10), 25, 2, 1);
    }

    function test_assertApproxEqAbsDecimal_intMessage() public {
        vm.assertApproxEqAbsDecimal(int256(-10), 25, 2, 1, "note");
    }

    function test_assertApproxEqRel_uint() public {
        vm.assertApproxEqRel(uint256(111), 100, 0.1e18);
    }

    function test_assertApproxEqRel_uintMessage() public {
        vm.assertApproxEqRel(uint256(111), 100, 0.1e18, "note");
    }

    function test_assertApproxEqRel_int() public {
        vm.assertApproxEqRel(int256(-100), 101, 0.015e18);
    }

    function test_assertApproxEqRel_intMessage() public {
        vm.assertApproxEqRel(int256(-100), 101, 0.015e18, "note");
    }

    function test_assertApproxEqRelDecimal_uint() public {
        vm.assertApproxEqRelDecimal(uint256(111), 100, 0.1e18, 2);
    }

    function test_assertApproxEqRelDecimal_uintMessage() public {
        vm.assertApproxEqRelDecimal(uint256(111), 100, 0.1e18, 2, "note");
    }

    function test_assertApproxEqRelDecimal_int() public {
        vm.assertApproxEqRelDecimal(int256(-111), -100, 1, 2);
    }

    function test_assertApproxEqRelDecimal_intMessage() public {
        vm.assertApproxEqRelDecimal(int256(-111), -100, 1, 2, "note");
    }

    function test_assertApproxEqAbs_intExtremes() public {
        vm.assertApproxEqAbs(type(int256).min, type(int256).max, type(uint256).max - 1);
    }

    function test_assertApproxEqAbsDecimal_decimals77() public {
        vm.assertApproxEqAbsDecimal(uint256(1), 3, 1, 77);
    }

    function test_assertApproxEqRel_zero() public {
        vm.assertApproxEqRel(uint256(1), 0, type(uint256).max - 1);
    }

    function test_assertApproxEqRel_intZero() public {
        vm.assertApproxEqRel(int256(-1), 0, 5);
    }

    function test_assertApproxEqRel_aboveAll() public {
        vm.assertApproxEqRel(uint256(500), 100, 2e18);
    }

    function test_assertApproxEqRel_tiny() public {
        vm.assertApproxEqRel(uint256(1e18 + 1), 1e18, 0);
    }

    function test_assertApproxEqRel_overflow() public {
        vm.assertApproxEqRel(type(uint256).max, 1, 1);
    }

    function test_assertApproxEqRel_overflowMessage() public {
        vm.assertApproxEqRel(type(uint256).max, 1, 1, "note");
    }

    function test_assertApproxEqRel_largeFits() public {
        vm.assertApproxEqRel(type(uint256).max / 1e18, 1, 0);
    }

    function test_assertApproxEqRel_intOverflow() public {
        vm.assertApproxEqRel(type(int256).min, 1, 1);
    }

    function test_assertApproxEqRelDecimal_overflow() public {
        vm.assertApproxEqRelDecimal(type(uint256).max, 1, 1, 18);
    }

    function test_assertApproxEqRelDecimal_intOverflowMessage() public {
        vm.assertApproxEqRelDecimal(type(int256).min, 1, 1, 18, "note");
    }

    function test_assertApproxEqRelDecimal_zero() public {
        vm.assertApproxEqRelDecimal(uint256(1), 0, 0, 18);
    }
}
