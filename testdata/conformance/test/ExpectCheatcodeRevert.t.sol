// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// What Forge and forge-std test their own cheatcodes with.
interface Internal {
    function _expectCheatcodeRevert() external;
    function _expectCheatcodeRevert(bytes4 reason) external;
    function _expectCheatcodeRevert(bytes calldata reason) external;
}

contract ExpectCheatcodeRevertTest is Conformance {
    Internal internal inner = Internal(address(vm));

    function fail() external pure {
        revert("no cheatcode");
    }

    function test_expectCheatcodeRevert() public {
        inner._expectCheatcodeRevert();
        vm.assertEq(uint256(1), 2);
    }

    function test_expectCheatcodeRevert_reason() public {
        inner._expectCheatcodeRevert(bytes("assertion failed: 1 != 2"));
        vm.assertEq(uint256(1), 2);
        inner._expectCheatcodeRevert(bytes("mine"));
        vm.assertTrue(false, "mine");
    }

    function test_expectCheatcodeRevert_passesOverCalls() public {
        inner._expectCheatcodeRevert();
        try this.fail() {
            revert("it did not fail");
        } catch {}
        vm.assertTrue(false);
    }

    function test_expectCheatcodeRevert_deeper() public {
        inner._expectCheatcodeRevert();
        this.fine();
        vm.assertTrue(false);
    }

    function fine() external {
        vm.assertTrue(true);
    }
}

contract ExpectCheatcodeRevertErrors is Conformance {
    Internal internal inner = Internal(address(vm));

    function test_expectCheatcodeRevert_none() public {
        inner._expectCheatcodeRevert();
        vm.assertTrue(true);
    }

    function test_expectCheatcodeRevert_otherReason() public {
        inner._expectCheatcodeRevert(bytes("theirs"));
        vm.assertTrue(false, "mine");
    }

    function test_expectCheatcodeRevert_selector() public {
        inner._expectCheatcodeRevert(bytes4(0x08c379a0));
        vm.assertTrue(false);
    }

    function test_expectCheatcodeRevert_noCall() public {
        inner._expectCheatcodeRevert();
    }

    function test_expectCheatcodeRevert_twice() public {
        inner._expectCheatcodeRevert();
        inner._expectCheatcodeRevert();
    }
}
