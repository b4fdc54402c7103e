// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Values as text, and text taken apart.
contract StringsTest is Conformance {
    function test_toString_address() public {
        vm.assertEq(
            vm.toString(0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e), "0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e"
        );
        vm.assertEq(vm.toString(address(0)), "0x0000000000000000000000000000000000000000");
    }

    function test_toString_bool() public {
        vm.assertEq(vm.toString(true), "true");
        vm.assertEq(vm.toString(false), "false");
    }

    function test_toString_bytes() public {
        bytes memory empty;
        vm.assertEq(vm.toString(empty), "0x");
        vm.assertEq(vm.toString(bytes(hex"00ABcd")), "0x00abcd");
    }

    function test_toString_bytes32() public {
        vm.assertEq(
            vm.toString(bytes32("test")), "0x7465737400000000000000000000000000000000000000000000000000000000"
        );
        vm.assertEq(
            vm.toString(bytes32(0)), "0x0000000000000000000000000000000000000000000000000000000000000000"
        );
    }

    function test_toString_int() public {
        vm.assertEq(vm.toString(int256(0)), "0");
        vm.assertEq(vm.toString(int256(-42)), "-42");
        vm.assertEq(
            vm.toString(type(int256).min),
            "-57896044618658097711785492504343953926634992332820282019728792003956564819968"
        );
        vm.assertEq(
            vm.toString(type(int256).max),
            "57896044618658097711785492504343953926634992332820282019728792003956564819967"
        );
    }

    function test_toString_uint() public {
        vm.assertEq(vm.toString(uint256(0)), "0");
        vm.assertEq(vm.toString(uint256(1 ether)), "1000000000000000000");
        vm.assertEq(
            vm.toString(type(uint256).max),
            "115792089237316195423570985008687907853269984665640564039457584007913129639935"
        );
    }

    function checkSplit(string memory text, string memory delimiter, string memory joined) internal {
        string[] memory parts = vm.split(text, delimiter);
        string memory result;
        for (uint256 i = 0; i < parts.length; i++) {
            result = string.concat(result, "<", parts[i], ">");
        }
        vm.assertEq(result, joined);
    }

    function test_split_parts() public {
        checkSplit("a,b,c", ",", "<a><b><c>");
        checkSplit("a, b", ",", "<a>< b>");
        checkSplit("abc", ",", "<abc>");
        checkSplit("a<>b<>", "<>", "<a><b><>");
        checkSplit("aaa", "aa", "<><a>");
        checkSplit(",,", ",", "<><><>");
    }

    function test_split_empty() public {
        checkSplit("", ",", "<>");
        checkSplit("ab", "", "<><a><b><>");
        checkSplit(unicode"é", "", unicode"<><é><>");
        checkSplit("", "", "<><>");
    }

    function test_replace_all() public {
        vm.assertEq(vm.replace("a-b-c", "-", "+"), "a+b+c");
        vm.assertEq(vm.replace("aaa", "aa", "b"), "ba");
        vm.assertEq(vm.replace("aaa", "a", "aa"), "aaaaaa");
        vm.assertEq(vm.replace("abc", "x", "y"), "abc");
        vm.assertEq(vm.replace("abc", "b", ""), "ac");
        vm.assertEq(vm.replace("", "a", "b"), "");
    }

    function test_replace_empty_pattern() public {
        vm.assertEq(vm.replace("ab", "", "-"), "-a-b-");
        vm.assertEq(vm.replace("", "", "-"), "-");
        vm.assertEq(vm.replace(unicode"é", "", "-"), unicode"-é-");
    }

    function test_trim_whitespace() public {
        vm.assertEq(vm.trim(" \t\r\n a b \n"), "a b");
        vm.assertEq(vm.trim("ab"), "ab");
        vm.assertEq(vm.trim("  "), "");
        vm.assertEq(vm.trim(""), "");
        vm.assertEq(vm.trim(unicode"\u00a0\u2003\u3000a\u0085"), "a");
        vm.assertEq(vm.trim(unicode"\u200ba\u0000"), unicode"\u200ba\u0000");
        vm.assertEq(vm.trim("\x0b\x0ca\x1f"), "a\x1f");
    }

    function test_indexOf_bytes() public {
        vm.assertEq(vm.indexOf("hello", "h"), 0);
        vm.assertEq(vm.indexOf("hello", "l"), 2);
        vm.assertEq(vm.indexOf("hello", "lo"), 3);
        vm.assertEq(vm.indexOf(unicode"éa", "a"), 2);
        vm.assertEq(vm.indexOf("hello", ""), 0);
        vm.assertEq(vm.indexOf("", ""), 0);
    }

    function test_indexOf_none() public {
        vm.assertEq(vm.indexOf("hello", "H"), type(uint256).max);
        vm.assertEq(vm.indexOf("", "a"), type(uint256).max);
        vm.assertEq(vm.indexOf("ab", "abc"), type(uint256).max);
    }

    function test_contains_text() public {
        vm.assertTrue(vm.contains("hello", "ell"));
        vm.assertTrue(vm.contains("hello", ""));
        vm.assertTrue(vm.contains("", ""));
        vm.assertFalse(vm.contains("hello", "Ell"));
        vm.assertFalse(vm.contains("", "a"));
    }

    function test_toLowercase_unicode() public {
        vm.assertEq(vm.toLowercase("Hello 123 WORLD"), "hello 123 world");
        vm.assertEq(vm.toLowercase(unicode"ÀÉ ΟΔΟΣ"), unicode"àé οδος");
        vm.assertEq(vm.toLowercase(unicode"İ"), unicode"i\u0307");
        vm.assertEq(vm.toLowercase(""), "");
    }

    function test_toUppercase_unicode() public {
        vm.assertEq(vm.toUppercase("Hello 123 world"), "HELLO 123 WORLD");
        vm.assertEq(vm.toUppercase(unicode"straße ﬁ ŉ"), unicode"STRASSE FI ʼN");
        vm.assertEq(vm.toUppercase(""), "");
    }

    function test_toBase64_text() public {
        string memory empty;
        string memory one = "a";
        string memory text = unicode"Subject?é~";
        vm.assertEq(vm.toBase64(empty), "");
        vm.assertEq(vm.toBase64(one), "YQ==");
        vm.assertEq(vm.toBase64(text), "U3ViamVjdD/DqX4=");
    }

    function test_toBase64_bytes() public {
        bytes memory data = hex"fbff00fe";
        bytes memory empty;
        vm.assertEq(vm.toBase64(data), "+/8A/g==");
        vm.assertEq(vm.toBase64(empty), "");
    }

    function test_toBase64URL_text() public {
        string memory empty;
        string memory one = "a";
        string memory text = unicode"Subject?é~";
        vm.assertEq(vm.toBase64URL(empty), "");
        vm.assertEq(vm.toBase64URL(one), "YQ==");
        vm.assertEq(vm.toBase64URL(text), "U3ViamVjdD_DqX4=");
    }

    function test_toBase64URL_bytes() public {
        bytes memory data = hex"fbff00fe";
        bytes memory empty;
        vm.assertEq(vm.toBase64URL(data), "-_8A_g==");
        vm.assertEq(vm.toBase64URL(empty), "");
    }
}
