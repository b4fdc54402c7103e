// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// envOr: the variable, or the default when it is missing or does not parse.
contract EnvOrTest is Conformance {
    string constant NONE = "CONF_OR_NEVER_SET";

    function set(string memory name, string memory value) internal returns (string memory) {
        vm.setEnv(name, value);
        return name;
    }

    function test_envOr_bool() public {
        vm.assertTrue(vm.envOr(NONE, true));
        vm.assertTrue(vm.envOr(set("CONF_OR_BOOL", "True"), false));
        vm.assertTrue(vm.envOr(set("CONF_OR_BOOL", "maybe"), true));
    }

    function test_envOr_uint() public {
        vm.assertEq(vm.envOr(NONE, uint256(5)), 5);
        vm.assertEq(vm.envOr(set("CONF_OR_UINT", "7 gwei"), uint256(5)), 7 gwei);
        vm.assertEq(vm.envOr(set("CONF_OR_UINT", ""), uint256(5)), 5);
        vm.assertEq(vm.envOr(set("CONF_OR_UINT", "-7"), uint256(5)), 5);
    }

    function test_envOr_int() public {
        vm.assertEq(vm.envOr(NONE, int256(-5)), -5);
        vm.assertEq(vm.envOr(set("CONF_OR_INT", "-7"), int256(-5)), -7);
        vm.assertEq(vm.envOr(set("CONF_OR_INT", "seven"), int256(-5)), -5);
    }

    function test_envOr_address() public {
        vm.assertEq(vm.envOr(NONE, address(5)), address(5));
        vm.assertEq(
            vm.envOr(set("CONF_OR_ADDRESS", "0x0000000000000000000000000000000000000007"), address(5)), address(7)
        );
        vm.assertEq(vm.envOr(set("CONF_OR_ADDRESS", "0x7"), address(5)), address(5));
    }

    function test_envOr_bytes32() public {
        vm.assertEq(vm.envOr(NONE, bytes32("five")), bytes32("five"));
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES32", vm.toString(bytes32("seven"))), bytes32("five")), bytes32("seven"));
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES32", "0x07"), bytes32("five")), bytes32("five"));
    }

    function test_envOr_string() public {
        string memory five = "five";
        vm.assertEq(vm.envOr(NONE, five), five);
        vm.assertEq(vm.envOr(set("CONF_OR_STRING", " seven "), five), " seven");
        vm.assertEq(vm.envOr(set("CONF_OR_STRING", ""), five), "");
        vm.assertEq(vm.envOr(set("CONF_OR_STRING", "'seven"), five), five);
    }

    function test_envOr_bytes() public {
        bytes memory five = hex"05";
        vm.assertEq(vm.envOr(NONE, five), five);
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES", "0x0708"), five), hex"0708");
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES", "0x070"), five), five);
    }

    function test_envOr_bools() public {
        bool[] memory list = new bool[](1);
        list[0] = true;
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BOOLS", "1"), ",", new bool[](2)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BOOLS", "1,2"), ",", list), list);
    }

    function test_envOr_uints() public {
        uint256[] memory list = new uint256[](2);
        (list[0], list[1]) = (1, 2);
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_UINTS", "1, 2"), ",", new uint256[](0)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_UINTS", "1,,2"), ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_UINTS", ""), ",", list), new uint256[](0));
    }

    function test_envOr_ints() public {
        int256[] memory list = new int256[](2);
        (list[0], list[1]) = (-1, 2);
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_INTS", "-1 / 2"), "/", new int256[](0)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_INTS", "-1/x"), "/", list), list);
    }

    function test_envOr_addresses() public {
        address[] memory list = new address[](1);
        list[0] = address(5);
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(
            vm.envOr(set("CONF_OR_ADDRESSES", "0x0000000000000000000000000000000000000005"), ",", new address[](0)),
            list
        );
        vm.assertEq(vm.envOr(set("CONF_OR_ADDRESSES", "5"), ",", list), list);
    }

    function test_envOr_bytes32s() public {
        bytes32[] memory list = new bytes32[](1);
        list[0] = "five";
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES32S", vm.toString(list[0])), ",", new bytes32[](0)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BYTES32S", "0x05"), ",", list), list);
    }

    function test_envOr_strings() public {
        string[] memory list = new string[](2);
        (list[0], list[1]) = ("a", "b");
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_STRINGS", "a ,b"), ",", new string[](0)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_STRINGS", ""), ",", list), new string[](0));
    }

    function test_envOr_byteses() public {
        bytes[] memory list = new bytes[](2);
        (list[0], list[1]) = (hex"05", hex"0607");
        vm.assertEq(vm.envOr(NONE, ",", list), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BYTESES", "0x05,0x0607"), ",", new bytes[](0)), list);
        vm.assertEq(vm.envOr(set("CONF_OR_BYTESES", "0x05,0x607"), ",", list), list);
    }
}
