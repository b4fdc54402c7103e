// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// JSON with a value that stands for a missing one.
contract JsonDefaultsTest is Conformance {
    string constant DOCUMENT =
        '{'
        '"Bool": true, "Bools": [true, true],'
        '"Uint": 7, "Uints": [7, 7],'
        '"Int": -7, "Ints": [-7, -7],'
        '"Address": "0x000000000000000000000000000000000000b0b0", "Addresss": ["0x000000000000000000000000000000000000b0b0", "0x000000000000000000000000000000000000b0b0"],'
        '"Bytes32": "0x0000000000000000000000000000000000000000000000000000000000000007", "Bytes32s": ["0x0000000000000000000000000000000000000000000000000000000000000007", "0x0000000000000000000000000000000000000000000000000000000000000007"],'
        '"String": "hi", "Strings": ["hi", "hi"],'
        '"Bytes": "0x1234", "Bytess": ["0x1234", "0x1234"],'
        '"object": {"a": 1}}';

    function test_parseJsonBool_default() public {
        vm.assertEq(vm.parseJsonBool(DOCUMENT, ".Bool", false), true);
        vm.assertEq(vm.parseJsonBool(DOCUMENT, ".none", false), false);
        vm.assertEq(vm.parseJsonBool(DOCUMENT, "$.Bools[2]", false), false);
        fails(
            abi.encodeWithSignature("parseJsonBool(string,string,bool)", DOCUMENT, ".object", false),
            "vm.parseJsonBool: expected bool, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonBool(string,string,bool)", DOCUMENT, "$.Bools[*]", false),
            'vm.parseJsonBool: path "$.Bools[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonBoolArray_default() public {
        bool[] memory none = new bool[](1);
        none[0] = false;
        bool[] memory both = new bool[](2);
        (both[0], both[1]) = (true, true);
        vm.assertEq(vm.parseJsonBoolArray(DOCUMENT, ".Bools", none), both);
        vm.assertEq(vm.parseJsonBoolArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonBoolArray(string,string,bool[])", DOCUMENT, ".object", none),
            "vm.parseJsonBoolArray: expected bool[], found JSON object"
        );
    }

    function test_parseJsonUint_default() public {
        vm.assertEq(vm.parseJsonUint(DOCUMENT, ".Uint", 9), 7);
        vm.assertEq(vm.parseJsonUint(DOCUMENT, ".none", 9), 9);
        vm.assertEq(vm.parseJsonUint(DOCUMENT, "$.Uints[2]", 9), 9);
        fails(
            abi.encodeWithSignature("parseJsonUint(string,string,uint256)", DOCUMENT, ".object", 9),
            "vm.parseJsonUint: expected uint256, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonUint(string,string,uint256)", DOCUMENT, "$.Uints[*]", 9),
            'vm.parseJsonUint: path "$.Uints[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonUintArray_default() public {
        uint256[] memory none = new uint256[](1);
        none[0] = 9;
        uint256[] memory both = new uint256[](2);
        (both[0], both[1]) = (7, 7);
        vm.assertEq(vm.parseJsonUintArray(DOCUMENT, ".Uints", none), both);
        vm.assertEq(vm.parseJsonUintArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonUintArray(string,string,uint256[])", DOCUMENT, ".object", none),
            "vm.parseJsonUintArray: expected uint256[], found JSON object"
        );
    }

    function test_parseJsonInt_default() public {
        vm.assertEq(vm.parseJsonInt(DOCUMENT, ".Int", -9), -7);
        vm.assertEq(vm.parseJsonInt(DOCUMENT, ".none", -9), -9);
        vm.assertEq(vm.parseJsonInt(DOCUMENT, "$.Ints[2]", -9), -9);
        fails(
            abi.encodeWithSignature("parseJsonInt(string,string,int256)", DOCUMENT, ".object", -9),
            "vm.parseJsonInt: expected int256, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonInt(string,string,int256)", DOCUMENT, "$.Ints[*]", -9),
            'vm.parseJsonInt: path "$.Ints[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonIntArray_default() public {
        int256[] memory none = new int256[](1);
        none[0] = -9;
        int256[] memory both = new int256[](2);
        (both[0], both[1]) = (-7, -7);
        vm.assertEq(vm.parseJsonIntArray(DOCUMENT, ".Ints", none), both);
        vm.assertEq(vm.parseJsonIntArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonIntArray(string,string,int256[])", DOCUMENT, ".object", none),
            "vm.parseJsonIntArray: expected int256[], found JSON object"
        );
    }

    function test_parseJsonAddress_default() public {
        vm.assertEq(vm.parseJsonAddress(DOCUMENT, ".Address", address(9)), address(0xb0b0));
        vm.assertEq(vm.parseJsonAddress(DOCUMENT, ".none", address(9)), address(9));
        vm.assertEq(vm.parseJsonAddress(DOCUMENT, "$.Addresss[2]", address(9)), address(9));
        fails(
            abi.encodeWithSignature("parseJsonAddress(string,string,address)", DOCUMENT, ".object", address(9)),
            "vm.parseJsonAddress: expected address, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonAddress(string,string,address)", DOCUMENT, "$.Addresss[*]", address(9)),
            'vm.parseJsonAddress: path "$.Addresss[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonAddressArray_default() public {
        address[] memory none = new address[](1);
        none[0] = address(9);
        address[] memory both = new address[](2);
        (both[0], both[1]) = (address(0xb0b0), address(0xb0b0));
        vm.assertEq(vm.parseJsonAddressArray(DOCUMENT, ".Addresss", none), both);
        vm.assertEq(vm.parseJsonAddressArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonAddressArray(string,string,address[])", DOCUMENT, ".object", none),
            "vm.parseJsonAddressArray: expected address[], found JSON object"
        );
    }

    function test_parseJsonBytes32_default() public {
        vm.assertEq(vm.parseJsonBytes32(DOCUMENT, ".Bytes32", bytes32(uint256(9))), bytes32(uint256(7)));
        vm.assertEq(vm.parseJsonBytes32(DOCUMENT, ".none", bytes32(uint256(9))), bytes32(uint256(9)));
        vm.assertEq(vm.parseJsonBytes32(DOCUMENT, "$.Bytes32s[2]", bytes32(uint256(9))), bytes32(uint256(9)));
        fails(
            abi.encodeWithSignature("parseJsonBytes32(string,string,bytes32)", DOCUMENT, ".object", bytes32(uint256(9))),
            "vm.parseJsonBytes32: expected bytes32, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonBytes32(string,string,bytes32)", DOCUMENT, "$.Bytes32s[*]", bytes32(uint256(9))),
            'vm.parseJsonBytes32: path "$.Bytes32s[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonBytes32Array_default() public {
        bytes32[] memory none = new bytes32[](1);
        none[0] = bytes32(uint256(9));
        bytes32[] memory both = new bytes32[](2);
        (both[0], both[1]) = (bytes32(uint256(7)), bytes32(uint256(7)));
        vm.assertEq(vm.parseJsonBytes32Array(DOCUMENT, ".Bytes32s", none), both);
        vm.assertEq(vm.parseJsonBytes32Array(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonBytes32Array(string,string,bytes32[])", DOCUMENT, ".object", none),
            "vm.parseJsonBytes32Array: expected bytes32[], found JSON object"
        );
    }

    function test_parseJsonString_default() public {
        vm.assertEq(vm.parseJsonString(DOCUMENT, ".String", "none"), "hi");
        vm.assertEq(vm.parseJsonString(DOCUMENT, ".none", "none"), "none");
        vm.assertEq(vm.parseJsonString(DOCUMENT, "$.Strings[2]", "none"), "none");
        fails(
            abi.encodeWithSignature("parseJsonString(string,string,string)", DOCUMENT, ".object", "none"),
            "vm.parseJsonString: expected string, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonString(string,string,string)", DOCUMENT, "$.Strings[*]", "none"),
            'vm.parseJsonString: path "$.Strings[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonStringArray_default() public {
        string[] memory none = new string[](1);
        none[0] = "none";
        string[] memory both = new string[](2);
        (both[0], both[1]) = ("hi", "hi");
        vm.assertEq(vm.parseJsonStringArray(DOCUMENT, ".Strings", none), both);
        vm.assertEq(vm.parseJsonStringArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonStringArray(string,string,string[])", DOCUMENT, ".object", none),
            "vm.parseJsonStringArray: expected string[], found JSON object"
        );
    }

    function test_parseJsonBytes_default() public {
        vm.assertEq(vm.parseJsonBytes(DOCUMENT, ".Bytes", hex"99"), hex"1234");
        vm.assertEq(vm.parseJsonBytes(DOCUMENT, ".none", hex"99"), hex"99");
        vm.assertEq(vm.parseJsonBytes(DOCUMENT, "$.Bytess[2]", hex"99"), hex"99");
        fails(
            abi.encodeWithSignature("parseJsonBytes(string,string,bytes)", DOCUMENT, ".object", hex"99"),
            "vm.parseJsonBytes: expected bytes, found JSON object"
        );
        fails(
            abi.encodeWithSignature("parseJsonBytes(string,string,bytes)", DOCUMENT, "$.Bytess[*]", hex"99"),
            'vm.parseJsonBytes: path "$.Bytess[*]" must return exactly one JSON value'
        );
    }

    function test_parseJsonBytesArray_default() public {
        bytes[] memory none = new bytes[](1);
        none[0] = hex"99";
        bytes[] memory both = new bytes[](2);
        (both[0], both[1]) = (hex"1234", hex"1234");
        vm.assertEq(vm.parseJsonBytesArray(DOCUMENT, ".Bytess", none), both);
        vm.assertEq(vm.parseJsonBytesArray(DOCUMENT, ".none", none), none);
        fails(
            abi.encodeWithSignature("parseJsonBytesArray(string,string,bytes[])", DOCUMENT, ".object", none),
            "vm.parseJsonBytesArray: expected bytes[], found JSON object"
        );
    }
}
