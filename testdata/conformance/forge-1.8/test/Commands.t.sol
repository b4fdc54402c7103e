// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Commands whose output has a type.
contract CommandsTest is Conformance {
    /// A command line for `sh`.
    function sh(string memory script) internal pure returns (string[] memory command) {
        command = new string[](3);
        (command[0], command[1], command[2]) = ("sh", "-c", script);
    }

    function test_ffiUint() public {
        vm.assertEq(vm.ffiUint(sh("echo 42")), 42);
        vm.assertEq(vm.ffiUint(sh("echo ' 0x2a '")), 42);
        fails(
            abi.encodeWithSignature("ffiUint(string[])", sh("exit 3")),
            'vm.ffiUint: ffi command ["sh", "-c", "exit 3"] exited with code 3. stderr: '
        );
        fails(
            abi.encodeWithSignature("ffiUint(string[])", sh("echo abc")),
            'vm.ffiUint: failed parsing "abc" as type `uint256`: missing hex prefix ("0x") for hex string'
        );
    }

    function test_ffiString() public {
        vm.assertEq(vm.ffiString(sh("echo ' a b '")), "a b");
        vm.assertEq(vm.ffiString(sh("echo 0x6162")), "0x6162");
        fails(
            abi.encodeWithSignature("ffiString(string[])", new string[](0)),
            "vm.ffiString: can't execute empty command"
        );
    }

    function test_ffiBytes() public {
        vm.assertEq(vm.ffiBytes(sh("echo 0x6162")), "ab");
        vm.assertEq(vm.ffiBytes(sh("echo 6162")), "ab");
        vm.assertEq(vm.ffiBytes(sh("true")), "");
        fails(
            abi.encodeWithSignature("ffiBytes(string[])", sh("echo gm")),
            "vm.ffiBytes: failed parsing ffi stdout as bytes: invalid character 'g' at position 0"
        );
    }
}
