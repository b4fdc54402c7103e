// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseJson: how each kind of JSON value is encoded.
contract JsonParseTest is Conformance {
    struct Mixed {
        uint256 number;
        string text;
        bool flag;
    }

    struct Pair {
        uint256 first;
        uint256 second;
    }

    function test_parseJson_literals() public {
        vm.assertEq(vm.parseJson("null"), abi.encode(bytes32(0)));
        vm.assertEq(vm.parseJson("true"), abi.encode(true));
        vm.assertEq(vm.parseJson("false"), abi.encode(false));
        vm.assertEq(vm.parseJson(" \n\t 7 \r\n "), abi.encode(7));
    }

    function test_parseJson_integers() public {
        vm.assertEq(vm.parseJson("0"), abi.encode(0));
        vm.assertEq(vm.parseJson("-0"), abi.encode(0));
        vm.assertEq(vm.parseJson("-1"), abi.encode(-1));
        vm.assertEq(vm.parseJson("18446744073709551615"), abi.encode(type(uint64).max));
        vm.assertEq(vm.parseJson("18446744073709551616"), abi.encode(uint256(2 ** 64)));
        vm.assertEq(vm.parseJson("-9223372036854775809"), abi.encode(-int256(2 ** 63) - 1));
    }

    function test_parseJson_integersOf256Bits() public {
        vm.assertEq(
            vm.parseJson("115792089237316195423570985008687907853269984665640564039457584007913129639935"),
            abi.encode(type(uint256).max)
        );
        vm.assertEq(
            vm.parseJson("-57896044618658097711785492504343953926634992332820282019728792003956564819968"),
            abi.encode(type(int256).min)
        );
        vm.assertEq(vm.parseJson("9007199254740993"), abi.encode(2 ** 53 + 1));
        vm.assertEq(vm.parseJson("123456789012345678901234567890"), abi.encode(123456789012345678901234567890));
    }

    function test_parseJson_exponents() public {
        vm.assertEq(vm.parseJson("1e3"), abi.encode(1000));
        vm.assertEq(vm.parseJson("1E3"), abi.encode(1000));
        vm.assertEq(vm.parseJson("1e+3"), abi.encode(1000));
        vm.assertEq(vm.parseJson("3e0"), abi.encode(3));
        vm.assertEq(vm.parseJson("-1e3"), abi.encode(-1000));
        vm.assertEq(vm.parseJson("1e18"), abi.encode(1 ether));
        vm.assertEq(vm.parseJson("-1e30"), abi.encode(-1e30));
        vm.assertEq(vm.parseJson("1.5e1"), abi.encode(15));
        vm.assertEq(vm.parseJson("1.0e2"), abi.encode(100));
        vm.assertEq(vm.parseJson("100e-2"), abi.encode(1));
    }

    /// A number with an exponent goes through a 64-bit float, and the float's decimal form is padded with zeros.
    function test_parseJson_exponentsAreRounded() public {
        vm.assertEq(vm.parseJson("1.23456789012345678901e20"), abi.encode(123456789012345680000));
        vm.assertEq(vm.parseJson("12345678901234567890123e0"), abi.encode(12345678901234568000000));
        vm.assertEq(vm.parseJson("1e77"), abi.encode(1e77));
    }

    function test_parseJson_strings() public {
        vm.assertEq(vm.parseJson('"figs"'), abi.encode("figs"));
        vm.assertEq(vm.parseJson('""'), abi.encode(""));
        vm.assertEq(vm.parseJson(unicode'"é☃🙂"'), abi.encode(unicode"é☃🙂"));
        vm.assertEq(vm.parseJson('"\\u00e9\\ud83d\\ude42"'), abi.encode(unicode"é🙂"));
        vm.assertEq(vm.parseJson('"a\\"b\\\\c\\/d\\n\\t\\b"'), abi.encode('a"b\\c/d\n\t\x08'));
        vm.assertEq(vm.parseJson('"null"'), abi.encode("null"));
        vm.assertEq(vm.parseJson('"true"'), abi.encode("true"));
    }

    function test_parseJson_hexStrings() public {
        vm.assertEq(vm.parseJson('"0x"'), abi.encode(bytes("")));
        vm.assertEq(vm.parseJson('"0x12"'), abi.encode(hex"12"));
        vm.assertEq(vm.parseJson('"0x1"'), abi.encode(hex"01"));
        vm.assertEq(vm.parseJson('"0xABcd"'), abi.encode(hex"abcd"));
        vm.assertEq(vm.parseJson('"0xzz"'), abi.encode("0xzz"));
        vm.assertEq(vm.parseJson('"0X12"'), abi.encode("0X12"));
        vm.assertEq(vm.parseJson('"12ab"'), abi.encode("12ab"));
    }

    /// 20 bytes of hex are an address (any case), 32 bytes a word, also with one digit missing.
    function test_parseJson_hexStringsOfTwentyAndThirtyTwoBytes() public {
        bytes memory dead = abi.encode(address(0xdEaD));
        vm.assertEq(vm.parseJson('"0x000000000000000000000000000000000000dEaD"'), dead);
        vm.assertEq(vm.parseJson('"0x000000000000000000000000000000000000DeAd"'), dead);
        bytes memory one = abi.encode(uint256(1));
        vm.assertEq(vm.parseJson('"0x0000000000000000000000000000000000000000000000000000000000000001"'), one);
        vm.assertEq(vm.parseJson('"0x000000000000000000000000000000000000000000000000000000000000001"'), one);
        vm.assertEq(
            vm.parseJson('"0x000000000000000000000000000000000000000000"'),
            abi.encode(hex"000000000000000000000000000000000000000000")
        );
    }

    /// A decimal string is a number only where neither a 64-bit signed nor an unsigned integer can hold it.
    function test_parseJson_decimalStrings() public {
        vm.assertEq(vm.parseJson('"5"'), abi.encode("5"));
        vm.assertEq(vm.parseJson('"-5"'), abi.encode("-5"));
        vm.assertEq(vm.parseJson('"9223372036854775807"'), abi.encode("9223372036854775807"));
        vm.assertEq(vm.parseJson('"9223372036854775808"'), abi.encode(uint256(2 ** 63)));
        vm.assertEq(vm.parseJson('"18446744073709551615"'), abi.encode(type(uint64).max));
        vm.assertEq(vm.parseJson('"18446744073709551616"'), abi.encode(uint256(2 ** 64)));
        vm.assertEq(vm.parseJson('"-9223372036854775808"'), abi.encode("-9223372036854775808"));
        vm.assertEq(vm.parseJson('"-9223372036854775809"'), abi.encode(-int256(2 ** 63) - 1));
    }

    function test_parseJson_decimalStringsOf256Bits() public {
        string memory above = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        vm.assertEq(
            vm.parseJson('"115792089237316195423570985008687907853269984665640564039457584007913129639935"'),
            abi.encode(type(uint256).max)
        );
        vm.assertEq(vm.parseJson(string.concat('"', above, '"')), abi.encode(above));
    }

    /// What else passes for a big number in a string, and what does not.
    function test_parseJson_decimalStringsOfOtherForms() public {
        vm.assertEq(vm.parseJson('"+99999999999999999999"'), abi.encode(99999999999999999999));
        vm.assertEq(vm.parseJson('"1_00_000_000_000_000_000_000"'), abi.encode(1e20));
        vm.assertEq(vm.parseJson('"0o7777777777777777777777"'), abi.encode(2 ** 66 - 1));
        vm.assertEq(vm.parseJson('"1e30"'), abi.encode("1e30"));
        vm.assertEq(vm.parseJson('" 99999999999999999999"'), abi.encode(" 99999999999999999999"));
        vm.assertEq(vm.parseJson('"99999999999999999999.0"'), abi.encode("99999999999999999999.0"));
    }

    function test_parseJson_arrays() public {
        uint256[] memory numbers = new uint256[](2);
        vm.assertEq(vm.parseJson("[]"), abi.encode(new uint256[](0)));
        vm.assertEq(vm.parseJson("[0, 0]"), abi.encode(numbers));
        vm.assertEq(vm.parseJson("[null, false]"), abi.encode(numbers));
        string[] memory texts = new string[](2);
        texts[0] = "a";
        vm.assertEq(vm.parseJson('["a", ""]'), abi.encode(texts));
    }

    function test_parseJson_arraysOfArrays() public {
        uint256[][] memory rows = new uint256[][](3);
        rows[0] = new uint256[](1);
        rows[2] = new uint256[](2);
        rows[2][1] = 9;
        vm.assertEq(vm.parseJson("[[0], [], [0, 9]]"), abi.encode(rows));
    }

    /// Not a Solidity type any more: three heads, and the tail of the string.
    function test_parseJson_mixedArray() public {
        bytes memory expected = abi.encode(0x20, 3, 1, 0x60, 1, 1, bytes32("a"));
        vm.assertEq(vm.parseJson('[1, "a", true]'), expected);
    }

    function test_parseJson_objects() public {
        vm.assertEq(vm.parseJson("{}"), "");
        vm.assertEq(vm.parseJson('{"zinc": 1}'), abi.encode(1));
        vm.assertEq(vm.parseJson('{"zinc": 1, "zinc": 2}'), abi.encode(2));
        vm.assertEq(vm.parseJson('{"zinc": "a"}'), abi.encode(0x20, 0x20, 1, bytes32("a")));
    }

    /// Keys that no struct has come in the order of their bytes: capitals first, accents last.
    function test_parseJson_objectsAreSorted() public {
        vm.assertEq(
            vm.parseJson(unicode'{"zinc": 1, "é": 2, "amber": 3, "Zinc": 4, "amber2": 5, "_": 6, "10": 7, "9": 8}'),
            abi.encode(7, 8, 4, 6, 3, 5, 1, 2)
        );
    }

    function test_parseJson_nestedObjects() public {
        bytes memory expected = abi.encode(0x20, 0x40, 1, 0x40, 1, 1, bytes32("s"));
        vm.assertEq(vm.parseJson('{"zinc": 1, "amber": {"yew": true, "xenon": "s"}}'), expected);
    }

    function test_parseJson_arrayOfObjects() public {
        Pair[] memory pairs = abi.decode(vm.parseJson('[{"zinc": 1, "amber": 2}, {"amber": 3, "zinc": 4}]'), (Pair[]));
        vm.assertEq(abi.encode(pairs[0]), abi.encode(2, 1));
        vm.assertEq(abi.encode(pairs[1]), abi.encode(3, 4));
    }

    function test_parseJson_withKey() public {
        string memory json = vm.readFile("files/data/market.json");
        vm.assertEq(abi.decode(vm.parseJson(json, ".title"), (string)), unicode"Märkt ☃");
        vm.assertEq(abi.decode(vm.parseJson(json, ".limit"), (uint256)), 10);
        vm.assertEq(abi.decode(vm.parseJson(json, ".owner"), (address)), address(0xdEaD));
        vm.assertEq(abi.decode(vm.parseJson(json, ".root"), (bytes32)), bytes32(uint256(1)));
        vm.assertEq(abi.decode(vm.parseJson(json, ".blob"), (bytes)), hex"c0ffee");
        vm.assertEq(abi.decode(vm.parseJson(json, ".none"), (bytes32)), 0);
        vm.assertEq(abi.decode(vm.parseJson(json, ".empty"), (uint256[])).length, 0);
        vm.assertEq(vm.parseJson(json, ".void"), "");
        vm.assertEq(abi.decode(vm.parseJson(json, ".grid"), (uint256[][]))[1][0], 3);
    }

    /// Nothing found is no error: no bytes.
    function test_parseJson_withKeyOfNothing() public {
        vm.assertEq(vm.parseJson('{"zinc": 1}', ".amber"), "");
        vm.assertEq(vm.parseJson("[]", "$[0]"), "");
        vm.assertEq(vm.parseJson("1", ".zinc"), "");
    }

    /// A float is no error as long as it is not asked for.
    function test_parseJson_floatBesideTheKey() public {
        vm.assertEq(vm.parseJson('{"zinc": 1.5, "amber": 1}', ".amber"), abi.encode(1));
    }

    /// The error that a contract can catch.
    function test_parseJson_errorIsCheatcodeError() public {
        try vm.parseJson("{") {
            vm.assertTrue(false);
        } catch (bytes memory reason) {
            string memory text = "vm.parseJson: failed parsing JSON: EOF while parsing an object at line 1 column 1";
            vm.assertEq(reason, abi.encodeWithSignature("CheatcodeError(string)", text));
        }
    }

    function test_parseJson_staticcall() public {
        (bool ok, bytes memory data) = address(vm).staticcall(abi.encodeWithSignature("parseJson(string)", "[1]"));
        uint256[] memory one = new uint256[](1);
        one[0] = 1;
        vm.assertTrue(ok);
        vm.assertEq(abi.decode(data, (bytes)), abi.encode(one));
    }

    function test_parseJson_decodedIntoMixed() public {
        Mixed memory mixed = abi.decode(vm.parseJson('{"bb": "x", "cc": true, "aa": 5}'), (Mixed));
        vm.assertEq(mixed.number, 5);
        vm.assertEq(mixed.text, "x");
        vm.assertTrue(mixed.flag);
    }
}

/// parseJson: texts that are not JSON, and values that have no encoding.
contract JsonParseErrors is Conformance {
    function test_parseJson_empty() public {
        vm.parseJson("");
    }

    function test_parseJson_openObject() public {
        vm.parseJson("{");
    }

    function test_parseJson_openArray() public {
        vm.parseJson("[1, 2");
    }

    function test_parseJson_openString() public {
        vm.parseJson('"figs');
    }

    function test_parseJson_trailingComma() public {
        vm.parseJson('{"zinc": 1,}');
    }

    function test_parseJson_trailingCharacters() public {
        vm.parseJson('{"zinc": 1} x');
    }

    function test_parseJson_bareKey() public {
        vm.parseJson("{zinc: 1}");
    }

    function test_parseJson_noColon() public {
        vm.parseJson('{"zinc" 1}');
    }

    function test_parseJson_noComma() public {
        vm.parseJson("[1 2]");
    }

    function test_parseJson_noCommaInObject() public {
        vm.parseJson('{"zinc": 1 "amber": 2}');
    }

    function test_parseJson_noValueOnLine3() public {
        vm.parseJson('\n\n {"zinc": }');
    }

    function test_parseJson_nan() public {
        vm.parseJson("[NaN]");
    }

    function test_parseJson_leadingZero() public {
        vm.parseJson("01");
    }

    function test_parseJson_unknownWord() public {
        vm.parseJson("trua");
    }

    function test_parseJson_wrongEscape() public {
        vm.parseJson('"\\x"');
    }

    function test_parseJson_loneSurrogate() public {
        vm.parseJson('"\\ud800"');
    }

    function test_parseJson_controlCharacter() public {
        vm.parseJson('"a\nb"');
    }

    function test_parseJson_fraction() public {
        vm.parseJson("[1, 1.5]");
    }

    function test_parseJson_fractionOfZero() public {
        vm.parseJson("1.0");
    }

    function test_parseJson_negativeExponent() public {
        vm.parseJson("1E-2");
    }

    function test_parseJson_exponentBeyondFloats() public {
        vm.parseJson("1e400");
    }

    function test_parseJson_above256Bits() public {
        vm.parseJson("115792089237316195423570985008687907853269984665640564039457584007913129639936");
    }

    function test_parseJson_belowInt256() public {
        vm.parseJson("-57896044618658097711785492504343953926634992332820282019728792003956564819969");
    }

    function test_parseJson_addressWithoutOneDigit() public {
        vm.parseJson('["0x00000000000000000000000000000000000dEaD"]');
    }
}
