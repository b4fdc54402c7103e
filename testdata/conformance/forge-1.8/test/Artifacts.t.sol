// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Gear} from "gear/Gear.sol";
import {Conformance} from "../src/Conformance.sol";

interface Machine {
    function start() external;
    function halt(uint256 when) external;
    function halt() external;
}

/// Artifacts by remapped paths and profiles, and selectors of their functions.
contract ArtifactsTest is Conformance {
    function test_getSelectors() public {
        bytes4[] memory found = vm.getSelectors("Machine");
        vm.assertEq(found.length, 3);
        vm.assertEq(bytes32(found[2]), bytes32(Machine.start.selector));
        for (uint256 i = 0; i < 2; ++i) {
            bool isHalt = found[i] == bytes4(keccak256("halt()")) || found[i] == bytes4(keccak256("halt(uint256)"));
            vm.assertTrue(isHalt);
        }
        vm.assertNotEq(bytes32(found[0]), bytes32(found[1]));
    }

    function test_getSelectors_names() public {
        bytes32 gear = keccak256(abi.encode(vm.getSelectors("Gear")));
        bytes4[] memory expected = new bytes4[](2);
        (expected[0], expected[1]) = (bytes4(keccak256("teeth()")), Gear.turn.selector);
        vm.assertEq(gear, keccak256(abi.encode(expected)));
        vm.assertEq(gear, keccak256(abi.encode(vm.getSelectors("gear/Gear.sol:Gear"))));
        vm.assertEq(gear, keccak256(abi.encode(vm.getSelectors("out/Gear.sol/Gear.json"))));
    }

    function test_getSelectors_none() public {
        fails(
            abi.encodeWithSignature("getSelectors(string)", "Nope"),
            "vm.getSelectors: no matching artifact found"
        );
    }

    function test_getCode_remapped() public {
        vm.assertEq(vm.getCode("gear/Gear.sol"), type(Gear).creationCode);
        vm.assertEq(vm.getCode("gear/Gear.sol:Gear"), type(Gear).creationCode);
        vm.assertEq(Gear(vm.deployCode("gear/Gear.sol:Gear")).teeth(), 12);
    }

    function test_getCode_profile() public {
        vm.assertEq(vm.getCode("Gear:default"), type(Gear).creationCode);
        vm.assertEq(vm.getCode("Gear.sol:Gear:default"), type(Gear).creationCode);
        vm.assertEq(vm.getCode("gear/Gear.sol:default"), type(Gear).creationCode);
        vm.assertEq(Gear(vm.deployCode("Gear.sol:Gear:default")).teeth(), 12);
    }
}
