// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// assertTrue and assertFalse where they hold, and failures that are caught.
contract AssertTrueTest is Conformance {
    function test_assertTrue_holds() public {
        vm.assertTrue(true);
        vm.assertTrue(true, "not reported");
    }

    function test_assertFalse_holds() public {
        vm.assertFalse(false);
        vm.assertFalse(false, "not reported");
    }

    // A failed assertion is a revert, and leaves no mark on the test.
    function test_assertTrue_caught() public {
        (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature("assertTrue(bool)", false));
        vm.assertFalse(ok);
        vm.assertEq(data, abi.encodeWithSignature("CheatcodeError(string)", "assertion failed"));
        vm.assertEq(vm.load(address(vm), "failed"), 0);
    }

    function test_assertTrue_caughtByTry() public {
        try this.refuse() {
            revert("unreachable");
        } catch (bytes memory data) {
            vm.assertEq(data, abi.encodeWithSignature("CheatcodeError(string)", "refused"));
        }
    }

    function refuse() external {
        vm.assertFalse(true, "refused");
    }
}

/// assertTrue and assertFalse where they do not hold.
contract AssertTrueErrors is Conformance {
    function test_assertTrue_false() public {
        vm.assertTrue(false);
    }

    function test_assertTrue_falseMessage() public {
        vm.assertTrue(false, "note");
    }

    function test_assertTrue_emptyMessage() public {
        vm.assertTrue(false, "");
    }

    function test_assertFalse_true() public {
        vm.assertFalse(true);
    }

    function test_assertFalse_trueMessage() public {
        vm.assertFalse(true, "note");
    }

    function test_assertTrue_deeper() public {
        this.refuse();
    }

    function refuse() external {
        vm.assertTrue(false, "from below");
    }

    // The first failure ends the test.
    function test_assertTrue_first() public {
        vm.assertTrue(false, "first");
        vm.assertTrue(false, "second");
    }
}
