// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseJsonUintArray and the others of its kind: every element as its type takes it.
contract JsonArrayTest is Conformance {
    function test_parseJsonUintArray_values() public {
        uint256[] memory values = vm.parseJsonUintArray('[1, "0x1f", 1e3, "1 ether"]', "$");
        vm.assertEq(abi.encode(values), abi.encode(0x20, 4, 1, 31, 1000, 1 ether));
        vm.assertEq(vm.parseJsonUintArray('{"k": [[], [7]]}', ".k[1]")[0], 7);
        vm.assertEq(vm.parseJsonUintArray("[]", "$").length, 0);
    }

    function test_parseJsonIntArray_values() public {
        int256[] memory values = vm.parseJsonIntArray('[1, "-2", -3e1]', "$");
        vm.assertEq(values.length, 3);
        vm.assertEq(values[0], 1);
        vm.assertEq(values[1], -2);
        vm.assertEq(values[2], -30);
        vm.assertEq(vm.parseJsonIntArray("[]", "$").length, 0);
    }

    function test_parseJsonBoolArray_values() public {
        bool[] memory values = vm.parseJsonBoolArray('[true, "FALSE", 1, false]', "$");
        vm.assertEq(abi.encode(values), abi.encode(0x20, 4, true, false, true, false));
        vm.assertEq(vm.parseJsonBoolArray("[]", "$").length, 0);
    }

    function test_parseJsonAddressArray_values() public {
        address[] memory values = vm.parseJsonAddressArray(
            '["0x000000000000000000000000000000000000dEaD", "0000000000000000000000000000000000000001"]', "$"
        );
        vm.assertEq(values.length, 2);
        vm.assertEq(values[0], address(0xdEaD));
        vm.assertEq(values[1], address(1));
        vm.assertEq(vm.parseJsonAddressArray("[]", "$").length, 0);
    }

    function test_parseJsonStringArray_values() public {
        string[] memory values = vm.parseJsonStringArray(unicode'["a,b", "", 1.50, true, null, "é", 1e3]', "$");
        vm.assertEq(values.length, 7);
        vm.assertEq(values[0], "a,b");
        vm.assertEq(values[1], "");
        vm.assertEq(values[2], "1.50");
        vm.assertEq(values[3], "true");
        vm.assertEq(values[4], "null");
        vm.assertEq(values[5], unicode"é");
        vm.assertEq(values[6], "1e+3");
        vm.assertEq(vm.parseJsonStringArray("[]", "$").length, 0);
    }

    function test_parseJsonBytesArray_values() public {
        bytes[] memory values = vm.parseJsonBytesArray('["0x", "0x12", "3456", 78]', "$");
        vm.assertEq(values.length, 4);
        vm.assertEq(values[0], "");
        vm.assertEq(values[1], hex"12");
        vm.assertEq(values[2], hex"3456");
        vm.assertEq(values[3], hex"78");
        vm.assertEq(vm.parseJsonBytesArray("[]", "$").length, 0);
    }

    function test_parseJsonBytes32Array_values() public {
        bytes32[] memory values =
            vm.parseJsonBytes32Array('["0x0000000000000000000000000000000000000000000000000000000000000001"]', "$");
        vm.assertEq(abi.encode(values), abi.encode(0x20, 1, 1));
        vm.assertEq(vm.parseJsonBytes32Array("[]", "$").length, 0);
    }

    /// A string in place of the array may hold one, in the syntax of the command line.
    function test_parseJsonUintArray_string() public {
        vm.assertEq(abi.encode(vm.parseJsonUintArray('"[1, 2]"', "$")), abi.encode(0x20, 2, 1, 2));
        vm.assertEq(vm.parseJsonUintArray('"[]"', "$").length, 0);
    }

    function test_parseJsonStringArray_string() public {
        string[] memory values = vm.parseJsonStringArray('{"k": "[a, b c ]"}', ".k");
        vm.assertEq(values.length, 2);
        vm.assertEq(values[0], "a");
        vm.assertEq(values[1], "b c");
    }

    function test_parseJsonBytesArray_string() public {
        bytes[] memory values = vm.parseJsonBytesArray('"[0x12, 0x34]"', "$");
        vm.assertEq(values.length, 2);
        vm.assertEq(values[1], hex"34");
    }

    function test_parseJsonAddressArray_string() public {
        address[] memory values = vm.parseJsonAddressArray('"[0x000000000000000000000000000000000000dEaD]"', "$");
        vm.assertEq(values.length, 1);
        vm.assertEq(values[0], address(0xdEaD));
    }
}

/// Scalars and arrays of JSON: values that are not of the type.
contract JsonArrayErrors is Conformance {
    function test_parseJsonUintArray_number() public {
        vm.parseJsonUintArray("1", "$");
    }

    function test_parseJsonUintArray_element() public {
        vm.parseJsonUintArray('[1, "x"]', "$");
    }

    function test_parseJsonUintArray_array() public {
        vm.parseJsonUintArray("[[1]]", "$");
    }

    function test_parseJsonUintArray_objectInside() public {
        vm.parseJsonUintArray("[{}]", "$");
    }

    function test_parseJsonUintArray_object() public {
        vm.parseJsonUintArray("{}", "$");
    }

    function test_parseJsonUintArray_wildcard() public {
        vm.parseJsonUintArray("[1, 2]", "$[*]");
    }

    function test_parseJsonIntArray_element() public {
        vm.parseJsonIntArray("[-1, null]", "$");
    }

    function test_parseJsonIntArray_nothing() public {
        vm.parseJsonIntArray("[]", ".k");
    }

    function test_parseJsonBoolArray_string() public {
        vm.parseJsonBoolArray('"[true,0]"', "$");
    }

    function test_parseJsonBoolArray_element() public {
        vm.parseJsonBoolArray("[true, 2]", "$");
    }

    function test_parseJsonAddressArray_element() public {
        vm.parseJsonAddressArray('["0x00"]', "$");
    }

    function test_parseJsonAddressArray_path() public {
        vm.parseJsonAddressArray("[]", "k");
    }

    function test_parseJsonStringArray_element() public {
        vm.parseJsonStringArray('["a", []]', "$");
    }

    function test_parseJsonStringArray_string() public {
        vm.parseJsonStringArray('"a"', "$");
    }

    function test_parseJsonBytesArray_element() public {
        vm.parseJsonBytesArray('["0x12", "0xz"]', "$");
    }

    function test_parseJsonBytesArray_text() public {
        vm.parseJsonBytesArray("['0x12']", "$");
    }

    function test_parseJsonBytes32Array_element() public {
        vm.parseJsonBytes32Array('["0x01"]', "$");
    }

    function test_parseJsonBytes32Array_null() public {
        vm.parseJsonBytes32Array("null", "$");
    }

    function test_parseJsonBool_word() public {
        vm.parseJsonBool('"yes"', "$");
    }

    function test_parseJsonBool_number() public {
        vm.parseJsonBool("2", "$");
    }

    function test_parseJsonBool_empty() public {
        vm.parseJsonBool('""', "$");
    }

    function test_parseJsonBool_array() public {
        vm.parseJsonBool("[true]", "$");
    }

    function test_parseJsonAddress_short() public {
        vm.parseJsonAddress('"0x00"', "$");
    }

    function test_parseJsonAddress_oddDigits() public {
        vm.parseJsonAddress('"0x000000000000000000000000000000000000dEa"', "$");
    }

    function test_parseJsonAddress_noHexOfTheRightLength() public {
        vm.parseJsonAddress('"0xg00000000000000000000000000000000000dEaD"', "$");
    }

    function test_parseJsonAddress_empty() public {
        vm.parseJsonAddress('""', "$");
    }

    function test_parseJsonAddress_number() public {
        vm.parseJsonAddress("1", "$");
    }

    function test_parseJsonString_array() public {
        vm.parseJsonString("[]", "$");
    }

    function test_parseJsonString_object() public {
        vm.parseJsonString('{"k": {}}', ".k");
    }

    function test_parseJsonString_nothing() public {
        vm.parseJsonString('{"k": {}}', unicode"['ü']");
    }

    function test_parseJsonBytes_empty() public {
        vm.parseJsonBytes('""', "$");
    }

    function test_parseJsonBytes_oddDigits() public {
        vm.parseJsonBytes('"0x1"', "$");
    }

    function test_parseJsonBytes_noHex() public {
        vm.parseJsonBytes('"0xzz"', "$");
    }

    function test_parseJsonBytes_words() public {
        vm.parseJsonBytes('"figs"', "$");
    }

    function test_parseJsonBytes_oddNumber() public {
        vm.parseJsonBytes("123", "$");
    }

    function test_parseJsonBytes32_short() public {
        vm.parseJsonBytes32('"0x01"', "$");
    }

    function test_parseJsonBytes32_long() public {
        vm.parseJsonBytes32('"0x000000000000000000000000000000000000000000000000000000000000000001"', "$");
    }

    function test_parseJsonBytes32_empty() public {
        vm.parseJsonBytes32('""', "$");
    }

    function test_parseJsonBytes32_object() public {
        vm.parseJsonBytes32("{}", "$");
    }
}
