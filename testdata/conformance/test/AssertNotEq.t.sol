// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Lists} from "./AssertEq.t.sol";

/// assertNotEq where the sides differ.
contract AssertNotEqTest is Conformance, Lists {
    function test_assertNotEq_values() public {
        vm.assertNotEq(true, false);
        vm.assertNotEq(true, false, "not reported");
        vm.assertNotEq(type(uint256).max, uint256(0));
        vm.assertNotEq(type(uint256).max, uint256(0), "not reported");
        vm.assertNotEq(type(int256).min, int256(-1));
        vm.assertNotEq(type(int256).min, int256(-1), "not reported");
        vm.assertNotEq(address(0xA11CE), address(0));
        vm.assertNotEq(address(0xA11CE), address(0), "not reported");
        vm.assertNotEq(bytes32("a"), bytes32(uint256(1)));
        vm.assertNotEq(bytes32("a"), bytes32(uint256(1)), "not reported");
        vm.assertNotEq(string("left \"quoted\""), string(unicode"rechts \n ä"));
        vm.assertNotEq(string("left \"quoted\""), string(unicode"rechts \n ä"), "not reported");
        vm.assertNotEq(bytes(hex"00ff"), bytes(""));
        vm.assertNotEq(bytes(hex"00ff"), bytes(""), "not reported");
    }

    function test_assertNotEq_arrays() public {
        vm.assertNotEq(bools(true, false), bools());
        vm.assertNotEq(bools(true, false), bools(), "not reported");
        vm.assertNotEq(uints(1, type(uint256).max), uints(1, 2));
        vm.assertNotEq(uints(1, type(uint256).max), uints(1, 2), "not reported");
        vm.assertNotEq(ints(-1, type(int256).max), ints(-1, type(int256).min));
        vm.assertNotEq(ints(-1, type(int256).max), ints(-1, type(int256).min), "not reported");
        vm.assertNotEq(addresses(address(0xA11CE), address(1)), addresses(address(1), address(0xA11CE)));
        vm.assertNotEq(addresses(address(0xA11CE), address(1)), addresses(address(1), address(0xA11CE)), "not reported");
        vm.assertNotEq(words("a", "b"), words("b", "a"));
        vm.assertNotEq(words("a", "b"), words("b", "a"), "not reported");
        vm.assertNotEq(strings("a", ""), strings("", "a, b"));
        vm.assertNotEq(strings("a", ""), strings("", "a, b"), "not reported");
        vm.assertNotEq(blobs("", hex"01"), blobs(hex"0001", ""));
        vm.assertNotEq(blobs("", hex"01"), blobs(hex"0001", ""), "not reported");
    }

    function test_assertNotEq_alike() public {
        vm.assertNotEq(string("a"), "A");
        vm.assertNotEq(bytes("a"), bytes("a\x00"));
        vm.assertNotEq(bytes32("a"), bytes32(uint256(uint8(bytes1("a")))));
        vm.assertNotEq(new uint256[](1), new uint256[](2));
        vm.assertNotEq(strings("a", "b"), strings("b", "a"));
    }
}

/// assertNotEq where both sides are equal, by type, with and without a message.
contract AssertNotEqErrors is Conformance, Lists {
    function test_assertNotEq_bool() public {
        vm.assertNotEq(true, true);
    }

    function test_assertNotEq_boolMessage() public {
        vm.assertNotEq(true, true, "note");
    }

    function test_assertNotEq_uint() public {
        vm.assertNotEq(type(uint256).max, type(uint256).max);
    }

    function test_assertNotEq_uintMessage() public {
        vm.assertNotEq(type(uint256).max, type(uint256).max, "note");
    }

    function test_assertNotEq_int() public {
        vm.assertNotEq(type(int256).min, type(int256).min);
    }

    function test_assertNotEq_intMessage() public {
        vm.assertNotEq(type(int256).min, type(int256).min, "note");
    }

    function test_assertNotEq_address() public {
        vm.assertNotEq(address(0xA11CE), address(0xA11CE));
    }

    function test_assertNotEq_addressMessage() public {
        vm.assertNotEq(address(0xA11CE), address(0xA11CE), "note");
    }

    function test_assertNotEq_bytes32() public {
        vm.assertNotEq(bytes32("a"), bytes32("a"));
    }

    function test_assertNotEq_bytes32Message() public {
        vm.assertNotEq(bytes32("a"), bytes32("a"), "note");
    }

    function test_assertNotEq_string() public {
        vm.assertNotEq(string("left \"quoted\""), string("left \"quoted\""));
    }

    function test_assertNotEq_stringMessage() public {
        vm.assertNotEq(string("left \"quoted\""), string("left \"quoted\""), "note");
    }

    function test_assertNotEq_bytes() public {
        vm.assertNotEq(bytes(hex"00ff"), bytes(hex"00ff"));
    }

    function test_assertNotEq_bytesMessage() public {
        vm.assertNotEq(bytes(hex"00ff"), bytes(hex"00ff"), "note");
    }

    function test_assertNotEq_boolArray() public {
        vm.assertNotEq(bools(true, false), bools(true, false));
    }

    function test_assertNotEq_boolArrayMessage() public {
        vm.assertNotEq(bools(true, false), bools(true, false), "note");
    }

    function test_assertNotEq_uintArray() public {
        vm.assertNotEq(uints(1, 2), uints(1, 2));
    }

    function test_assertNotEq_uintArrayMessage() public {
        vm.assertNotEq(uints(1, 2), uints(1, 2), "note");
    }

    function test_assertNotEq_intArray() public {
        vm.assertNotEq(ints(-1, type(int256).min), ints(-1, type(int256).min));
    }

    function test_assertNotEq_intArrayMessage() public {
        vm.assertNotEq(ints(-1, type(int256).min), ints(-1, type(int256).min), "note");
    }

    function test_assertNotEq_addressArray() public {
        vm.assertNotEq(addresses(address(1), address(0xA11CE)), addresses(address(1), address(0xA11CE)));
    }

    function test_assertNotEq_addressArrayMessage() public {
        vm.assertNotEq(addresses(address(1), address(0xA11CE)), addresses(address(1), address(0xA11CE)), "note");
    }

    function test_assertNotEq_bytes32Array() public {
        vm.assertNotEq(words("b", "a"), words("b", "a"));
    }

    function test_assertNotEq_bytes32ArrayMessage() public {
        vm.assertNotEq(words("b", "a"), words("b", "a"), "note");
    }

    function test_assertNotEq_stringArray() public {
        vm.assertNotEq(strings("", "a, b"), strings("", "a, b"));
    }

    function test_assertNotEq_stringArrayMessage() public {
        vm.assertNotEq(strings("", "a, b"), strings("", "a, b"), "note");
    }

    function test_assertNotEq_bytesArray() public {
        vm.assertNotEq(blobs(hex"0001", ""), blobs(hex"0001", ""));
    }

    function test_assertNotEq_bytesArrayMessage() public {
        vm.assertNotEq(blobs(hex"0001", ""), blobs(hex"0001", ""), "note");
    }

    function test_assertNotEq_emptyString() public {
        vm.assertNotEq(string(""), "");
    }

    function test_assertNotEq_notUtf8() public {
        vm.assertNotEq(string(bytes(hex"61ff62")), string(bytes(hex"61fe62")), string(bytes(hex"ff")));
    }

    function test_assertNotEq_emptyArray() public {
        vm.assertNotEq(new bytes32[](0), new bytes32[](0));
    }
}
