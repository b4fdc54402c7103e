// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Arrays of two, and empty ones.
abstract contract Lists {
    function bools() internal pure returns (bool[] memory) {}

    function bools(bool a, bool b) internal pure returns (bool[] memory list) {
        list = new bool[](2);
        (list[0], list[1]) = (a, b);
    }

    function uints(uint256 a, uint256 b) internal pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (a, b);
    }

    function ints(int256 a, int256 b) internal pure returns (int256[] memory list) {
        list = new int256[](2);
        (list[0], list[1]) = (a, b);
    }

    function addresses(address a, address b) internal pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (a, b);
    }

    function words(bytes32 a, bytes32 b) internal pure returns (bytes32[] memory list) {
        list = new bytes32[](2);
        (list[0], list[1]) = (a, b);
    }

    function strings(string memory a, string memory b) internal pure returns (string[] memory list) {
        list = new string[](2);
        (list[0], list[1]) = (a, b);
    }

    function blobs(bytes memory a, bytes memory b) internal pure returns (bytes[] memory list) {
        list = new bytes[](2);
        (list[0], list[1]) = (a, b);
    }
}

/// assertEq where both sides are equal.
contract AssertEqTest is Conformance, Lists {
    function test_assertEq_values() public {
        vm.assertEq(true, true);
        vm.assertEq(true, true, "not reported");
        vm.assertEq(type(uint256).max, type(uint256).max);
        vm.assertEq(type(uint256).max, type(uint256).max, "not reported");
        vm.assertEq(type(int256).min, type(int256).min);
        vm.assertEq(type(int256).min, type(int256).min, "not reported");
        vm.assertEq(address(0xA11CE), address(0xA11CE));
        vm.assertEq(address(0xA11CE), address(0xA11CE), "not reported");
        vm.assertEq(bytes32("a"), bytes32("a"));
        vm.assertEq(bytes32("a"), bytes32("a"), "not reported");
        vm.assertEq(string("left \"quoted\""), string("left \"quoted\""));
        vm.assertEq(string("left \"quoted\""), string("left \"quoted\""), "not reported");
        vm.assertEq(bytes(hex"00ff"), bytes(hex"00ff"));
        vm.assertEq(bytes(hex"00ff"), bytes(hex"00ff"), "not reported");
    }

    function test_assertEq_arrays() public {
        vm.assertEq(bools(true, false), bools(true, false));
        vm.assertEq(bools(true, false), bools(true, false), "not reported");
        vm.assertEq(uints(1, type(uint256).max), uints(1, type(uint256).max));
        vm.assertEq(uints(1, type(uint256).max), uints(1, type(uint256).max), "not reported");
        vm.assertEq(ints(-1, type(int256).max), ints(-1, type(int256).max));
        vm.assertEq(ints(-1, type(int256).max), ints(-1, type(int256).max), "not reported");
        vm.assertEq(addresses(address(0xA11CE), address(1)), addresses(address(0xA11CE), address(1)));
        vm.assertEq(addresses(address(0xA11CE), address(1)), addresses(address(0xA11CE), address(1)), "not reported");
        vm.assertEq(words("a", "b"), words("a", "b"));
        vm.assertEq(words("a", "b"), words("a", "b"), "not reported");
        vm.assertEq(strings("a", ""), strings("a", ""));
        vm.assertEq(strings("a", ""), strings("a", ""), "not reported");
        vm.assertEq(blobs("", hex"01"), blobs("", hex"01"));
        vm.assertEq(blobs("", hex"01"), blobs("", hex"01"), "not reported");
    }

    function test_assertEq_empty() public {
        vm.assertEq(string(""), "");
        vm.assertEq(bytes(""), bytes(""));
        vm.assertEq(bools(), bools());
        vm.assertEq(new string[](0), new string[](0));
    }

    // Bytes of a string that are not UTF-8 are replaced before they are compared.
    function test_assertEq_notUtf8() public {
        vm.assertEq(string(bytes(hex"61ff62")), string(bytes(hex"61fe62")));
        vm.assertEq(string(bytes(hex"61ff62")), unicode"a\ufffdb");
    }
}

/// assertEq where the sides differ, by type, with and without a message.
contract AssertEqErrors is Conformance, Lists {
    function test_assertEq_bool() public {
        vm.assertEq(true, false);
    }

    function test_assertEq_boolMessage() public {
        vm.assertEq(true, false, "note");
    }

    function test_assertEq_uint() public {
        vm.assertEq(type(uint256).max, uint256(0));
    }

    function test_assertEq_uintMessage() public {
        vm.assertEq(type(uint256).max, uint256(0), "note");
    }

    function test_assertEq_int() public {
        vm.assertEq(type(int256).min, int256(-1));
    }

    function test_assertEq_intMessage() public {
        vm.assertEq(type(int256).min, int256(-1), "note");
    }

    function test_assertEq_address() public {
        vm.assertEq(address(0xA11CE), address(0));
    }

    function test_assertEq_addressMessage() public {
        vm.assertEq(address(0xA11CE), address(0), "note");
    }

    function test_assertEq_bytes32() public {
        vm.assertEq(bytes32("a"), bytes32(uint256(1)));
    }

    function test_assertEq_bytes32Message() public {
        vm.assertEq(bytes32("a"), bytes32(uint256(1)), "note");
    }

    function test_assertEq_string() public {
        vm.assertEq(string("left \"quoted\""), string(unicode"rechts \n ä"));
    }

    function test_assertEq_stringMessage() public {
        vm.assertEq(string("left \"quoted\""), string(unicode"rechts \n ä"), "note");
    }

    function test_assertEq_bytes() public {
        vm.assertEq(bytes(hex"00ff"), bytes(""));
    }

    function test_assertEq_bytesMessage() public {
        vm.assertEq(bytes(hex"00ff"), bytes(""), "note");
    }

    function test_assertEq_boolArray() public {
        vm.assertEq(bools(true, false), bools());
    }

    function test_assertEq_boolArrayMessage() public {
        vm.assertEq(bools(true, false), bools(), "note");
    }

    function test_assertEq_uintArray() public {
        vm.assertEq(uints(1, type(uint256).max), uints(1, 2));
    }

    function test_assertEq_uintArrayMessage() public {
        vm.assertEq(uints(1, type(uint256).max), uints(1, 2), "note");
    }

    function test_assertEq_intArray() public {
        vm.assertEq(ints(-1, type(int256).max), ints(-1, type(int256).min));
    }

    function test_assertEq_intArrayMessage() public {
        vm.assertEq(ints(-1, type(int256).max), ints(-1, type(int256).min), "note");
    }

    function test_assertEq_addressArray() public {
        vm.assertEq(addresses(address(0xA11CE), address(1)), addresses(address(1), address(0xA11CE)));
    }

    function test_assertEq_addressArrayMessage() public {
        vm.assertEq(addresses(address(0xA11CE), address(1)), addresses(address(1), address(0xA11CE)), "note");
    }

    function test_assertEq_bytes32Array() public {
        vm.assertEq(words("a", "b"), words("b", "a"));
    }

    function test_assertEq_bytes32ArrayMessage() public {
        vm.assertEq(words("a", "b"), words("b", "a"), "note");
    }

    function test_assertEq_stringArray() public {
        vm.assertEq(strings("a", ""), strings("", "a, b"));
    }

    function test_assertEq_stringArrayMessage() public {
        vm.assertEq(strings("a", ""), strings("", "a, b"), "note");
    }

    function test_assertEq_bytesArray() public {
        vm.assertEq(blobs("", hex"01"), blobs(hex"0001", ""));
    }

    function test_assertEq_bytesArrayMessage() public {
        vm.assertEq(blobs("", hex"01"), blobs(hex"0001", ""), "note");
    }

    function test_assertEq_emptyMessage() public {
        vm.assertEq(uint256(1), uint256(2), "");
    }

    function test_assertEq_longMessage() public {
        vm.assertEq(uint256(1), uint256(2), unicode"why: ä\nand more");
    }

    function test_assertEq_lengths() public {
        vm.assertEq(new uint256[](1), new uint256[](2));
    }

    function test_assertEq_addressChecksum() public {
        vm.assertEq(0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045, 0x00000000219ab540356cBB839Cbe05303d7705Fa);
    }
}
