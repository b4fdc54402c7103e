// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// TOML with a value that stands for a missing one.
contract TomlDefaultsTest is Conformance {
    string constant DOCUMENT =
        'Bool = true\nBools = [true, true]\n'
        'Uint = 7\nUints = [7, 7]\n'
        'Int = -7\nInts = [-7, -7]\n'
        'Address = "0x000000000000000000000000000000000000b0b0"\nAddresss = ["0x000000000000000000000000000000000000b0b0", "0x000000000000000000000000000000000000b0b0"]\n'
        'Bytes32 = "0x0000000000000000000000000000000000000000000000000000000000000007"\nBytes32s = ["0x0000000000000000000000000000000000000000000000000000000000000007", "0x0000000000000000000000000000000000000000000000000000000000000007"]\n'
        'String = "hi"\nStrings = ["hi", "hi"]\n'
        'Bytes = "0x1234"\nBytess = ["0x1234", "0x1234"]\n'
        '[object]\na = 1\n';

    function test_parseTomlBool_default() public {
        vm.assertEq(vm.parseTomlBool(DOCUMENT, ".Bool", false), true);
        vm.assertEq(vm.parseTomlBool(DOCUMENT, ".none", false), false);
        vm.assertEq(vm.parseTomlBool(DOCUMENT, "$.Bools[2]", false), false);
        fails(
            abi.encodeWithSignature("parseTomlBool(string,string,bool)", DOCUMENT, ".object", false),
            "vm.parseTomlBool: expected bool, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlBool(string,string,bool)", DOCUMENT, "$.Bools[*]", false),
            'vm.parseTomlBool: path "$.Bools[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlBoolArray_default() public {
        bool[] memory none = new bool[](1);
        none[0] = false;
        bool[] memory both = new bool[](2);
        (both[0], both[1]) = (true, true);
        vm.assertEq(vm.parseTomlBoolArray(DOCUMENT, ".Bools", none), both);
        vm.assertEq(vm.parseTomlBoolArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlBoolArray(string,string,bool[])", DOCUMENT, ".object", none),
            "vm.parseTomlBoolArray: expected bool[], found JSON object"
        );
    }

    function test_parseTomlUint_default() public {
        vm.assertEq(vm.parseTomlUint(DOCUMENT, ".Uint", 9), 7);
        vm.assertEq(vm.parseTomlUint(DOCUMENT, ".none", 9), 9);
        vm.assertEq(vm.parseTomlUint(DOCUMENT, "$.Uints[2]", 9), 9);
        fails(
            abi.encodeWithSignature("parseTomlUint(string,string,uint256)", DOCUMENT, ".object", 9),
            "vm.parseTomlUint: expected uint256, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlUint(string,string,uint256)", DOCUMENT, "$.Uints[*]", 9),
            'vm.parseTomlUint: path "$.Uints[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlUintArray_default() public {
        uint256[] memory none = new uint256[](1);
        none[0] = 9;
        uint256[] memory both = new uint256[](2);
        (both[0], both[1]) = (7, 7);
        vm.assertEq(vm.parseTomlUintArray(DOCUMENT, ".Uints", none), both);
        vm.assertEq(vm.parseTomlUintArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlUintArray(string,string,uint256[])", DOCUMENT, ".object", none),
            "vm.parseTomlUintArray: expected uint256[], found JSON object"
        );
    }

    function test_parseTomlInt_default() public {
        vm.assertEq(vm.parseTomlInt(DOCUMENT, ".Int", -9), -7);
        vm.assertEq(vm.parseTomlInt(DOCUMENT, ".none", -9), -9);
        vm.assertEq(vm.parseTomlInt(DOCUMENT, "$.Ints[2]", -9), -9);
        fails(
            abi.encodeWithSignature("parseTomlInt(string,string,int256)", DOCUMENT, ".object", -9),
            "vm.parseTomlInt: expected int256, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlInt(string,string,int256)", DOCUMENT, "$.Ints[*]", -9),
            'vm.parseTomlInt: path "$.Ints[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlIntArray_default() public {
        int256[] memory none = new int256[](1);
        none[0] = -9;
        int256[] memory both = new int256[](2);
        (both[0], both[1]) = (-7, -7);
        vm.assertEq(vm.parseTomlIntArray(DOCUMENT, ".Ints", none), both);
        vm.assertEq(vm.parseTomlIntArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlIntArray(string,string,int256[])", DOCUMENT, ".object", none),
            "vm.parseTomlIntArray: expected int256[], found JSON object"
        );
    }

    function test_parseTomlAddress_default() public {
        vm.assertEq(vm.parseTomlAddress(DOCUMENT, ".Address", address(9)), address(0xb0b0));
        vm.assertEq(vm.parseTomlAddress(DOCUMENT, ".none", address(9)), address(9));
        vm.assertEq(vm.parseTomlAddress(DOCUMENT, "$.Addresss[2]", address(9)), address(9));
        fails(
            abi.encodeWithSignature("parseTomlAddress(string,string,address)", DOCUMENT, ".object", address(9)),
            "vm.parseTomlAddress: expected address, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlAddress(string,string,address)", DOCUMENT, "$.Addresss[*]", address(9)),
            'vm.parseTomlAddress: path "$.Addresss[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlAddressArray_default() public {
        address[] memory none = new address[](1);
        none[0] = address(9);
        address[] memory both = new address[](2);
        (both[0], both[1]) = (address(0xb0b0), address(0xb0b0));
        vm.assertEq(vm.parseTomlAddressArray(DOCUMENT, ".Addresss", none), both);
        vm.assertEq(vm.parseTomlAddressArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlAddressArray(string,string,address[])", DOCUMENT, ".object", none),
            "vm.parseTomlAddressArray: expected address[], found JSON object"
        );
    }

    function test_parseTomlBytes32_default() public {
        vm.assertEq(vm.parseTomlBytes32(DOCUMENT, ".Bytes32", bytes32(uint256(9))), bytes32(uint256(7)));
        vm.assertEq(vm.parseTomlBytes32(DOCUMENT, ".none", bytes32(uint256(9))), bytes32(uint256(9)));
        vm.assertEq(vm.parseTomlBytes32(DOCUMENT, "$.Bytes32s[2]", bytes32(uint256(9))), bytes32(uint256(9)));
        fails(
            abi.encodeWithSignature("parseTomlBytes32(string,string,bytes32)", DOCUMENT, ".object", bytes32(uint256(9))),
            "vm.parseTomlBytes32: expected bytes32, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlBytes32(string,string,bytes32)", DOCUMENT, "$.Bytes32s[*]", bytes32(uint256(9))),
            'vm.parseTomlBytes32: path "$.Bytes32s[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlBytes32Array_default() public {
        bytes32[] memory none = new bytes32[](1);
        none[0] = bytes32(uint256(9));
        bytes32[] memory both = new bytes32[](2);
        (both[0], both[1]) = (bytes32(uint256(7)), bytes32(uint256(7)));
        vm.assertEq(vm.parseTomlBytes32Array(DOCUMENT, ".Bytes32s", none), both);
        vm.assertEq(vm.parseTomlBytes32Array(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlBytes32Array(string,string,bytes32[])", DOCUMENT, ".object", none),
            "vm.parseTomlBytes32Array: expected bytes32[], found JSON object"
        );
    }

    function test_parseTomlString_default() public {
        vm.assertEq(vm.parseTomlString(DOCUMENT, ".String", "none"), "hi");
        vm.assertEq(vm.parseTomlString(DOCUMENT, ".none", "none"), "none");
        vm.assertEq(vm.parseTomlString(DOCUMENT, "$.Strings[2]", "none"), "none");
        fails(
            abi.encodeWithSignature("parseTomlString(string,string,string)", DOCUMENT, ".object", "none"),
            "vm.parseTomlString: expected string, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlString(string,string,string)", DOCUMENT, "$.Strings[*]", "none"),
            'vm.parseTomlString: path "$.Strings[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlStringArray_default() public {
        string[] memory none = new string[](1);
        none[0] = "none";
        string[] memory both = new string[](2);
        (both[0], both[1]) = ("hi", "hi");
        vm.assertEq(vm.parseTomlStringArray(DOCUMENT, ".Strings", none), both);
        vm.assertEq(vm.parseTomlStringArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlStringArray(string,string,string[])", DOCUMENT, ".object", none),
            "vm.parseTomlStringArray: expected string[], found JSON object"
        );
    }

    function test_parseTomlBytes_default() public {
        vm.assertEq(vm.parseTomlBytes(DOCUMENT, ".Bytes", hex"99"), hex"1234");
        vm.assertEq(vm.parseTomlBytes(DOCUMENT, ".none", hex"99"), hex"99");
        vm.assertEq(vm.parseTomlBytes(DOCUMENT, "$.Bytess[2]", hex"99"), hex"99");
        fails(
            abi.encodeWithSignature("parseTomlBytes(string,string,bytes)", DOCUMENT, ".object", hex"99"),
            "vm.parseTomlBytes: expected bytes, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseTomlBytes(string,string,bytes)", DOCUMENT, "$.Bytess[*]", hex"99"),
            'vm.parseTomlBytes: path "$.Bytess[*]" must return exactly one JSON value'
        );
    }

    function test_parseTomlBytesArray_default() public {
        bytes[] memory none = new bytes[](1);
        none[0] = hex"99";
        bytes[] memory both = new bytes[](2);
        (both[0], both[1]) = (hex"1234", hex"1234");
        vm.assertEq(vm.parseTomlBytesArray(DOCUMENT, ".Bytess", none), both);
        vm.assertEq(vm.parseTomlBytesArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseTomlBytesArray(string,string,bytes[])", DOCUMENT, ".object", none),
            "vm.parseTomlBytesArray: expected bytes[], found JSON object"
        );
    }
}
