// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// assertLt, assertLe, assertGt and assertGe where they hold.
contract AssertOrderTest is Conformance {
    function test_assertLt_holds() public {
        vm.assertLt(uint256(1), uint256(2));
        vm.assertLt(uint256(0), type(uint256).max, "not reported");
        vm.assertLt(int256(-2), int256(-1));
        vm.assertLt(type(int256).min, int256(0), "not reported");
    }

    function test_assertLe_holds() public {
        vm.assertLe(uint256(1), uint256(2));
        vm.assertLe(uint256(2), uint256(2), "not reported");
        vm.assertLe(int256(-2), int256(-1));
        vm.assertLe(int256(-1), int256(-1), "not reported");
    }

    function test_assertGt_holds() public {
        vm.assertGt(uint256(2), uint256(1));
        vm.assertGt(type(uint256).max, uint256(0), "not reported");
        vm.assertGt(int256(1), int256(-1));
        vm.assertGt(int256(0), type(int256).min, "not reported");
    }

    function test_assertGe_holds() public {
        vm.assertGe(uint256(2), uint256(1));
        vm.assertGe(uint256(2), uint256(2), "not reported");
        vm.assertGe(int256(1), int256(-1));
        vm.assertGe(int256(-1), int256(-1), "not reported");
    }
}

/// assertLt, assertLe, assertGt and assertGe where they do not hold.
contract AssertOrderErrors is Conformance {
    function test_assertLt_uint() public {
        vm.assertLt(uint256(2), uint256(2));
    }

    function test_assertLt_uintMessage() public {
        vm.assertLt(uint256(2), uint256(2), "note");
    }

    function test_assertLt_int() public {
        vm.assertLt(int256(-1), int256(-1));
    }

    function test_assertLt_intMessage() public {
        vm.assertLt(int256(-1), int256(-1), "note");
    }

    function test_assertLe_uint() public {
        vm.assertLe(uint256(3), uint256(2));
    }

    function test_assertLe_uintMessage() public {
        vm.assertLe(uint256(3), uint256(2), "note");
    }

    function test_assertLe_int() public {
        vm.assertLe(int256(1), int256(-1));
    }

    function test_assertLe_intMessage() public {
        vm.assertLe(int256(1), int256(-1), "note");
    }

    function test_assertGt_uint() public {
        vm.assertGt(uint256(2), uint256(2));
    }

    function test_assertGt_uintMessage() public {
        vm.assertGt(uint256(2), uint256(2), "note");
    }

    function test_assertGt_int() public {
        vm.assertGt(int256(-1), int256(-1));
    }

    function test_assertGt_intMessage() public {
        vm.assertGt(int256(-1), int256(-1), "note");
    }

    function test_assertGe_uint() public {
        vm.assertGe(uint256(1), uint256(2));
    }

    function test_assertGe_uintMessage() public {
        vm.assertGe(uint256(1), uint256(2), "note");
    }

    function test_assertGe_int() public {
        vm.assertGe(int256(-2), int256(-1));
    }

    function test_assertGe_intMessage() public {
        vm.assertGe(int256(-2), int256(-1), "note");
    }

    function test_assertLt_max() public {
        vm.assertLt(type(uint256).max, 0);
    }

    function test_assertGe_min() public {
        vm.assertGe(type(int256).min, 0);
    }
}
