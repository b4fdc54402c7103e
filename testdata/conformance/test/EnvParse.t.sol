// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Values of environment variables that do not parse: the message names the variable, not the value.
contract EnvParseErrors is Conformance {
    function set(string memory name, string memory value) internal returns (string memory) {
        vm.setEnv(name, value);
        return name;
    }

    function test_envBool_word() public {
        vm.envBool(set("CONF_BAD_BOOL", "yes"));
    }

    function test_envBool_empty() public {
        vm.envBool(set("CONF_BAD_BOOL_EMPTY", ""));
    }

    function test_envBool_space() public {
        vm.envBool(set("CONF_BAD_BOOL_SPACE", "1 "));
    }

    function test_envBool_list() public {
        vm.envBool(set("CONF_BAD_BOOLS", "true,nope"), ",");
    }

    function test_envUint_word() public {
        vm.envUint(set("CONF_BAD_UINT", "word"));
    }

    function test_envUint_empty() public {
        vm.envUint(set("CONF_BAD_UINT_EMPTY", ""));
    }

    function test_envUint_negative() public {
        vm.envUint(set("CONF_BAD_UINT_NEGATIVE", "-1"));
    }

    function test_envUint_no_prefix() public {
        vm.envUint(set("CONF_BAD_UINT_PREFIX", "ff"));
    }

    function test_envUint_too_large() public {
        vm.envUint(
            set(
                "CONF_BAD_UINT_LARGE",
                "115792089237316195423570985008687907853269984665640564039457584007913129639936"
            )
        );
    }

    function test_envUint_fraction() public {
        vm.envUint(set("CONF_BAD_UINT_FRACTION", "1.5"));
    }

    function test_envUint_escaped_value_is_shown() public {
        vm.envUint(set("CONF_BAD_UINT_ESCAPED", 'a"b'));
    }

    function test_envUint_two_lines_are_shown() public {
        vm.envUint(set("CONF_BAD_UINT_LINES", "1\n2"));
    }

    function test_envUint_list() public {
        vm.envUint(set("CONF_BAD_UINTS", "1,two,3"), ",");
    }

    function test_envUint_list_empty_item() public {
        vm.envUint(set("CONF_BAD_UINTS_ITEM", "1,,3"), ",");
    }

    function test_envInt_word() public {
        vm.envInt(set("CONF_BAD_INT", "word"));
    }

    function test_envInt_too_large() public {
        vm.envInt(
            set(
                "CONF_BAD_INT_LARGE",
                "57896044618658097711785492504343953926634992332820282019728792003956564819968"
            )
        );
    }

    function test_envInt_list() public {
        vm.envInt(set("CONF_BAD_INTS", "1,-a"), ",");
    }

    function test_envAddress_short() public {
        vm.envAddress(set("CONF_BAD_ADDRESS", "0x1234"));
    }

    function test_envAddress_word() public {
        vm.envAddress(set("CONF_BAD_ADDRESS_WORD", "vitalik.eth"));
    }

    function test_envAddress_list() public {
        vm.envAddress(
            set("CONF_BAD_ADDRESSES", "0x0000000000000000000000000000000000000001,0x2"), ","
        );
    }

    function test_envBytes32_long() public {
        vm.envBytes32(
            set("CONF_BAD_BYTES32", "0x000000000000000000000000000000000000000000000000000000000000002a00")
        );
    }

    function test_envBytes32_no_prefix() public {
        vm.envBytes32(set("CONF_BAD_BYTES32_PREFIX", "abcd"));
    }

    function test_envBytes32_list() public {
        vm.envBytes32(set("CONF_BAD_BYTES32S", "0x01,zz"), ",");
    }

    function test_envBytes32_short() public {
        vm.envBytes32(set("CONF_BAD_BYTES32_SHORT", "0xabcd"));
    }

    function test_envBytes32_empty() public {
        vm.envBytes32(set("CONF_BAD_BYTES32_EMPTY", "0x"));
    }

    function test_envString_unclosed_quote() public {
        vm.envString(set("CONF_BAD_STRING", unicode"'é seven"));
    }

    function test_envString_text_after_quote() public {
        vm.envString(set("CONF_BAD_STRING_AFTER", "'seven' eight"));
    }

    function test_envString_list() public {
        vm.envString(set("CONF_BAD_STRINGS", "a,'b"), ",");
    }

    function test_envBytes_odd() public {
        vm.envBytes(set("CONF_BAD_BYTES", "0x123"));
    }

    function test_envBytes_odd_no_prefix() public {
        vm.envBytes(set("CONF_BAD_BYTES_PREFIX", "123"));
    }

    function test_envBytes_word() public {
        vm.envBytes(set("CONF_BAD_BYTES_WORD", "word"));
    }

    function test_envBytes_list() public {
        vm.envBytes(set("CONF_BAD_BYTESES", "0x00,0xgg"), ",");
    }
}
