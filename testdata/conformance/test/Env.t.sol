// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Environment variables set and read as values and as lists.
contract EnvTest is Conformance {
    address constant BOB = 0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e;

    function test_setEnv_replaces() public {
        vm.setEnv("CONF_SET", "one");
        vm.assertEq(vm.envString("CONF_SET"), "one");
        vm.setEnv("CONF_SET", unicode"zwei=2 é");
        vm.assertEq(vm.envString("CONF_SET"), unicode"zwei=2 é");
        vm.setEnv("CONF_SET", "");
        vm.assertEq(vm.envString("CONF_SET"), "");
    }

    function setAndRevert() external {
        vm.setEnv("CONF_REVERT", "kept");
        revert("undone");
    }

    function test_setEnv_survives_revert() public {
        try this.setAndRevert() {} catch {}
        vm.assertEq(vm.envString("CONF_REVERT"), "kept");
    }

    function test_setEnv_seen_by_commands() public {
        vm.setEnv("CONF_COMMAND", "gm!");
        string[] memory command = new string[](3);
        (command[0], command[1], command[2]) = ("sh", "-c", "echo $CONF_COMMAND");
        vm.assertEq(vm.ffi(command), "gm!");
    }

    function test_envExists_empty_counts() public {
        vm.assertFalse(vm.envExists("CONF_NEVER_SET"));
        vm.setEnv("CONF_EXISTS", "");
        vm.assertTrue(vm.envExists("CONF_EXISTS"));
        vm.assertFalse(vm.envExists(""));
        vm.assertFalse(vm.envExists("CONF=EXISTS"));
    }

    function test_resolveEnv_substitutes() public {
        vm.setEnv("CONF_RESOLVE", "value");
        vm.setEnv("CONF_RESOLVE_2", "${CONF_RESOLVE}");
        vm.assertEq(vm.resolveEnv("${CONF_RESOLVE}"), "value");
        vm.assertEq(vm.resolveEnv("a ${CONF_RESOLVE} b ${ CONF_RESOLVE }c"), "a value b valuec");
        vm.assertEq(vm.resolveEnv("$CONF_RESOLVE {CONF_RESOLVE} $"), "$CONF_RESOLVE {CONF_RESOLVE} $");
        vm.assertEq(vm.resolveEnv("${CONF_RESOLVE_2}"), "${CONF_RESOLVE}");
        vm.assertEq(vm.resolveEnv("${CONF_RESOLVE"), "${CONF_RESOLVE");
        vm.assertEq(vm.resolveEnv("${CO\nNF}"), "${CO\nNF}");
        vm.assertEq(vm.resolveEnv(""), "");
    }

    function test_resolveEnv_replaces_the_first_occurrence() public {
        vm.setEnv("CONF_OUTER", "${CONF_INNER}");
        vm.setEnv("CONF_INNER", "x");
        vm.assertEq(vm.resolveEnv("${CONF_OUTER} ${CONF_INNER}"), "x ${CONF_INNER}");
    }

    function test_envString_quotes_and_spaces() public {
        vm.setEnv("CONF_STRING", " seven \n");
        vm.assertEq(vm.envString("CONF_STRING"), " seven");
        vm.setEnv("CONF_STRING", "'seven '");
        vm.assertEq(vm.envString("CONF_STRING"), "seven ");
        vm.setEnv("CONF_STRING", '"[1, \'2\']"');
        vm.assertEq(vm.envString("CONF_STRING"), "[1, '2']");
        vm.setEnv("CONF_STRING", '{"a": "b"}');
        vm.assertEq(vm.envString("CONF_STRING"), '{"a": "b"}');
    }

    function parsedBool(string memory value) internal returns (bool) {
        vm.setEnv("CONF_BOOL", value);
        return vm.envBool("CONF_BOOL");
    }

    function test_envBool_words() public {
        vm.assertTrue(parsedBool("true"));
        vm.assertTrue(parsedBool("TRUE"));
        vm.assertTrue(parsedBool("True"));
        vm.assertTrue(parsedBool("1"));
        vm.assertFalse(parsedBool("false"));
        vm.assertFalse(parsedBool("faLSE"));
        vm.assertFalse(parsedBool("0"));
    }

    function test_envBool_list() public {
        vm.setEnv("CONF_BOOLS", "true, 0 ,FALSE,1");
        bool[] memory values = vm.envBool("CONF_BOOLS", ",");
        bool[] memory expected = new bool[](4);
        (expected[0], expected[3]) = (true, true);
        vm.assertEq(values, expected);
    }

    function parsedUint(string memory value) internal returns (uint256) {
        vm.setEnv("CONF_UINT", value);
        return vm.envUint("CONF_UINT");
    }

    function test_envUint_notations() public {
        vm.assertEq(parsedUint("0"), 0);
        vm.assertEq(parsedUint("007"), 7);
        vm.assertEq(parsedUint("0xFf"), 255);
        vm.assertEq(parsedUint("1e18"), 1 ether);
        vm.assertEq(parsedUint("1.5 ether"), 1.5 ether);
        vm.assertEq(parsedUint("3gwei"), 3 gwei);
        vm.assertEq(parsedUint("7 wei"), 7);
        vm.assertEq(parsedUint("5 "), 5);
        vm.assertEq(
            parsedUint("115792089237316195423570985008687907853269984665640564039457584007913129639935"),
            type(uint256).max
        );
    }

    function test_envUint_list() public {
        vm.setEnv("CONF_UINTS", "1;0x10 ;  1 ether");
        uint256[] memory expected = new uint256[](3);
        (expected[0], expected[1], expected[2]) = (1, 16, 1 ether);
        vm.assertEq(vm.envUint("CONF_UINTS", ";"), expected);
    }

    function parsedInt(string memory value) internal returns (int256) {
        vm.setEnv("CONF_INT", value);
        return vm.envInt("CONF_INT");
    }

    function test_envInt_notations() public {
        vm.assertEq(parsedInt("-0"), 0);
        vm.assertEq(parsedInt("+12"), 12);
        vm.assertEq(parsedInt("-1"), -1);
        vm.assertEq(parsedInt("-0x10"), -16);
        vm.assertEq(parsedInt("0x10"), 16);
        vm.assertEq(parsedInt("-2 gwei"), -2 gwei);
        vm.assertEq(parsedInt("-1e3"), -1000);
        vm.assertEq(
            parsedInt("-57896044618658097711785492504343953926634992332820282019728792003956564819968"),
            type(int256).min
        );
    }

    function test_envInt_list() public {
        vm.setEnv("CONF_INTS", "-1 | 2 | -0x3");
        int256[] memory expected = new int256[](3);
        (expected[0], expected[1], expected[2]) = (-1, 2, -3);
        vm.assertEq(vm.envInt("CONF_INTS", "|"), expected);
    }

    function test_envAddress_notations() public {
        vm.setEnv("CONF_ADDRESS", "0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e");
        vm.assertEq(vm.envAddress("CONF_ADDRESS"), BOB);
        vm.setEnv("CONF_ADDRESS", "1d96f2f6bef1202e4ce1ff6dad0c2cb002861d3e");
        vm.assertEq(vm.envAddress("CONF_ADDRESS"), BOB);
    }

    function test_envAddress_wrong_checksum_is_fine() public {
        vm.setEnv("CONF_CHECKSUM", "0x1d96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3E");
        vm.assertEq(vm.envAddress("CONF_CHECKSUM"), BOB);
    }

    function test_envAddress_list() public {
        vm.setEnv(
            "CONF_ADDRESSES",
            "0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e, 0x0000000000000000000000000000000000000001"
        );
        address[] memory expected = new address[](2);
        (expected[0], expected[1]) = (BOB, address(1));
        vm.assertEq(vm.envAddress("CONF_ADDRESSES", ","), expected);
    }

    function test_envBytes32_exact_length() public {
        vm.setEnv("CONF_BYTES32", "0x000000000000000000000000000000000000000000000000000000000000002a");
        vm.assertEq(vm.envBytes32("CONF_BYTES32"), bytes32(uint256(42)));
        vm.setEnv("CONF_BYTES32", "000000000000000000000000000000000000000000000000000000000000002B");
        vm.assertEq(vm.envBytes32("CONF_BYTES32"), bytes32(uint256(43)));
    }

    function test_envBytes32_list() public {
        vm.setEnv("CONF_BYTES32S", "0x7465737400000000000000000000000000000000000000000000000000000000");
        bytes32[] memory expected = new bytes32[](1);
        expected[0] = "test";
        vm.assertEq(vm.envBytes32("CONF_BYTES32S", ","), expected);
    }

    function test_envString_list() public {
        vm.setEnv("CONF_STRINGS", "a--  b c --d--");
        string[] memory expected = new string[](4);
        (expected[0], expected[1], expected[2], expected[3]) = ("a", "b c", "d", "");
        vm.assertEq(vm.envString("CONF_STRINGS", "--"), expected);
    }

    function test_envString_list_empty() public {
        vm.setEnv("CONF_STRINGS_EMPTY", "");
        vm.assertEq(vm.envString("CONF_STRINGS_EMPTY", ",").length, 0);
        vm.assertEq(vm.envUint("CONF_STRINGS_EMPTY", ",").length, 0);
        vm.setEnv("CONF_STRINGS_EMPTY", " ,b");
        vm.assertEq(vm.envString("CONF_STRINGS_EMPTY", ",").length, 0);
    }

    function test_envString_list_empty_delimiter() public {
        vm.setEnv("CONF_STRINGS_DELIMITER", "ab");
        vm.assertEq(vm.envString("CONF_STRINGS_DELIMITER", "").length, 0);
    }

    function test_envString_list_one() public {
        vm.setEnv("CONF_STRINGS_ONE", "a,b");
        string[] memory expected = new string[](1);
        expected[0] = "a,b";
        vm.assertEq(vm.envString("CONF_STRINGS_ONE", ";"), expected);
    }

    function test_envBytes_notations() public {
        vm.setEnv("CONF_BYTES", "0x7109709ECf");
        vm.assertEq(vm.envBytes("CONF_BYTES"), hex"7109709ecf");
        vm.setEnv("CONF_BYTES", "0x");
        vm.assertEq(vm.envBytes("CONF_BYTES"), "");
        vm.setEnv("CONF_BYTES", "aabb");
        vm.assertEq(vm.envBytes("CONF_BYTES"), hex"aabb");
    }

    function test_envBytes_list() public {
        vm.setEnv("CONF_BYTESES", "0x00,0x1234, 0x");
        bytes[] memory expected = new bytes[](3);
        (expected[0], expected[1]) = (hex"00", hex"1234");
        vm.assertEq(vm.envBytes("CONF_BYTESES", ","), expected);
    }
}

/// Variables that are missing, or are no value of their type.
contract EnvErrors is Conformance {
    function test_resolveEnv_empty_name() public {
        vm.resolveEnv("${}");
    }

    function test_resolveEnv_missing_of_two() public {
        vm.setEnv("CONF_RESOLVE_FIRST", "a");
        vm.resolveEnv("${CONF_RESOLVE_FIRST} ${ CONF_NEVER_SET }");
    }

    function test_setEnv_empty_key() public {
        vm.setEnv("", "a");
    }

    function test_setEnv_equal_sign() public {
        vm.setEnv("A=B", "a");
    }

    function test_setEnv_key_nul() public {
        vm.setEnv("A\x00B", "a");
    }

    function test_setEnv_value_nul() public {
        vm.setEnv("CONF_NUL", "a\x00");
    }

    function test_resolveEnv_missing() public {
        vm.resolveEnv("a ${CONF_NEVER_SET} b");
    }

    function test_resolveEnv_open_brace_belongs_to_name() public {
        vm.resolveEnv("${CONF_NEVER_SET${PATH}");
    }

    function test_envBool_missing() public {
        vm.envBool("CONF_NEVER_SET");
    }

    function test_envBool_list_missing() public {
        vm.envBool("CONF_NEVER_SET", ",");
    }

    function test_envUint_missing() public {
        vm.envUint("CONF_NEVER_SET");
    }

    function test_envUint_list_missing() public {
        vm.envUint("CONF_NEVER_SET", ",");
    }

    function test_envInt_missing() public {
        vm.envInt("CONF_NEVER_SET");
    }

    function test_envInt_list_missing() public {
        vm.envInt("CONF_NEVER_SET", ",");
    }

    function test_envAddress_missing() public {
        vm.envAddress("CONF_NEVER_SET");
    }

    function test_envAddress_list_missing() public {
        vm.envAddress("CONF_NEVER_SET", ",");
    }

    function test_envBytes32_missing() public {
        vm.envBytes32("CONF_NEVER_SET");
    }

    function test_envBytes32_list_missing() public {
        vm.envBytes32("CONF_NEVER_SET", ",");
    }

    function test_envString_missing() public {
        vm.envString("CONF_NEVER_SET");
    }

    function test_envString_list_missing() public {
        vm.envString("CONF_NEVER_SET", ",");
    }

    function test_envString_equal_sign() public {
        vm.envString("A=B");
    }

    function test_envBytes_missing() public {
        vm.envBytes("CONF_NEVER_SET");
    }

    function test_envBytes_list_missing() public {
        vm.envBytes("CONF_NEVER_SET", ",");
    }
}
