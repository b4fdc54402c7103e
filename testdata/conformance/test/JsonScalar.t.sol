// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseJsonUint, -Int, -Bool, -Address, -String, -Bytes and -Bytes32: what they take for a value of their type.
contract JsonScalarTest is Conformance {
    string constant K = ".k";

    /// An object with `value` at `k`.
    function _k(string memory value) private pure returns (string memory) {
        return string.concat('{"k": ', value, "}");
    }

    function test_parseJsonUint_numbers() public {
        vm.assertEq(vm.parseJsonUint(_k("0"), K), 0);
        vm.assertEq(vm.parseJsonUint(_k("7"), K), 7);
        vm.assertEq(vm.parseJsonUint(_k("18446744073709551616"), K), 2 ** 64);
        vm.assertEq(
            vm.parseJsonUint(_k("115792089237316195423570985008687907853269984665640564039457584007913129639935"), K),
            type(uint256).max
        );
    }

    function test_parseJsonUint_exponents() public {
        vm.assertEq(vm.parseJsonUint(_k("1e18"), K), 1 ether);
        vm.assertEq(vm.parseJsonUint(_k("2E2"), K), 200);
        vm.assertEq(vm.parseJsonUint(_k("1.5e1"), K), 15);
        vm.assertEq(vm.parseJsonUint(_k("1.0e2"), K), 100);
        vm.assertEq(vm.parseJsonUint(_k("1e77"), K), 1e77);
        vm.assertEq(vm.parseJsonUint(_k("1.23456789012345678901e20"), K), 123456789012345678901);
    }

    function test_parseJsonUint_strings() public {
        vm.assertEq(vm.parseJsonUint(_k('"007"'), K), 7);
        vm.assertEq(vm.parseJsonUint(_k('"0xFf"'), K), 255);
        vm.assertEq(vm.parseJsonUint(_k('"0X10"'), K), 16);
        vm.assertEq(vm.parseJsonUint(_k('"0b11"'), K), 3);
        vm.assertEq(vm.parseJsonUint(_k('"0o17"'), K), 15);
        vm.assertEq(vm.parseJsonUint(_k('"1e+3"'), K), 1000);
        vm.assertEq(vm.parseJsonUint(_k('"5 "'), K), 5);
        vm.assertEq(
            vm.parseJsonUint(_k('"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"'), K),
            type(uint256).max
        );
    }

    function test_parseJsonUint_units() public {
        vm.assertEq(vm.parseJsonUint(_k('"1 ether"'), K), 1e18);
        vm.assertEq(vm.parseJsonUint(_k('"1.5ether"'), K), 1.5e18);
        vm.assertEq(vm.parseJsonUint(_k('"0.1  gwei"'), K), 1e8);
        vm.assertEq(vm.parseJsonUint(_k('"2wei"'), K), 2);
    }

    function test_parseJsonUint_paths() public {
        vm.assertEq(vm.parseJsonUint("7", "$"), 7);
        vm.assertEq(vm.parseJsonUint('"7"', ""), 7);
        vm.assertEq(vm.parseJsonUint('{"k": [1, {"m": 2}]}', ".k[1].m"), 2);
        vm.assertEq(vm.parseJsonUint('{"k": [5]}', ".k[*]"), 5);
    }

    function test_parseJsonInt_numbers() public {
        vm.assertEq(vm.parseJsonInt(_k("-1"), K), -1);
        vm.assertEq(vm.parseJsonInt(_k("1"), K), 1);
        vm.assertEq(vm.parseJsonInt(_k("-0"), K), 0);
        vm.assertEq(vm.parseJsonInt(_k("-1e3"), K), -1000);
        vm.assertEq(
            vm.parseJsonInt(_k("-57896044618658097711785492504343953926634992332820282019728792003956564819968"), K),
            type(int256).min
        );
    }

    function test_parseJsonInt_strings() public {
        vm.assertEq(vm.parseJsonInt(_k('"-1"'), K), -1);
        vm.assertEq(vm.parseJsonInt(_k('"+1"'), K), 1);
        vm.assertEq(vm.parseJsonInt(_k('"-0x10"'), K), -16);
        vm.assertEq(vm.parseJsonInt(_k('"0x10"'), K), 16);
        vm.assertEq(vm.parseJsonInt(_k('"-1 ether"'), K), -1 ether);
        vm.assertEq(
            vm.parseJsonInt(_k('"57896044618658097711785492504343953926634992332820282019728792003956564819967"'), K),
            type(int256).max
        );
    }

    function test_parseJsonBool_values() public {
        vm.assertTrue(vm.parseJsonBool(_k("true"), K));
        vm.assertFalse(vm.parseJsonBool(_k("false"), K));
        vm.assertTrue(vm.parseJsonBool(_k("1"), K));
        vm.assertFalse(vm.parseJsonBool(_k("0"), K));
        vm.assertTrue(vm.parseJsonBool(_k('"tRUE"'), K));
        vm.assertFalse(vm.parseJsonBool(_k('"False"'), K));
        vm.assertTrue(vm.parseJsonBool(_k('"1"'), K));
    }

    function test_parseJsonAddress_values() public {
        vm.assertEq(vm.parseJsonAddress(_k('"0x000000000000000000000000000000000000dEaD"'), K), address(0xdEaD));
        vm.assertEq(vm.parseJsonAddress(_k('"0x000000000000000000000000000000000000DEad"'), K), address(0xdEaD));
        vm.assertEq(vm.parseJsonAddress(_k('"000000000000000000000000000000000000dead"'), K), address(0xdEaD));
        vm.assertEq(
            vm.parseJsonAddress(_k("1111111111111111111111111111111111111111"), K),
            0x1111111111111111111111111111111111111111
        );
    }

    function test_parseJsonString_strings() public {
        vm.assertEq(vm.parseJsonString(_k('"figs"'), K), "figs");
        vm.assertEq(vm.parseJsonString(_k('""'), K), "");
        vm.assertEq(vm.parseJsonString(_k('"  a b "'), K), "  a b ");
        vm.assertEq(vm.parseJsonString(_k('"a\\"b\\\\c\\nd\\u00e9"'), K), unicode'a"b\\c\ndé');
        vm.assertEq(vm.parseJsonString(_k('"[1]"'), K), "[1]");
        vm.assertEq(vm.parseJsonString(_k(unicode'"é☃🙂"'), K), unicode"é☃🙂");
        vm.assertEq(vm.parseJsonString(_k('"0x12"'), K), "0x12");
    }

    /// Numbers keep their digits, but for the form of the exponent and the sign of an integer zero.
    function test_parseJsonString_otherValues() public {
        vm.assertEq(vm.parseJsonString(_k("null"), K), "null");
        vm.assertEq(vm.parseJsonString(_k("true"), K), "true");
        vm.assertEq(vm.parseJsonString(_k("-1.50"), K), "-1.50");
        vm.assertEq(vm.parseJsonString(_k("0.0"), K), "0.0");
        vm.assertEq(vm.parseJsonString(_k("-0.0"), K), "-0.0");
        vm.assertEq(vm.parseJsonString(_k("-0"), K), "0");
        vm.assertEq(vm.parseJsonString(_k("1E18"), K), "1e+18");
        vm.assertEq(vm.parseJsonString(_k("1.0e-7"), K), "1.0e-7");
        vm.assertEq(vm.parseJsonString(_k("123456789012345678901234567890"), K), "123456789012345678901234567890");
    }

    function test_parseJsonBytes_values() public {
        vm.assertEq(vm.parseJsonBytes(_k('"0x1234"'), K), hex"1234");
        vm.assertEq(vm.parseJsonBytes(_k('"ABcd"'), K), hex"abcd");
        vm.assertEq(vm.parseJsonBytes(_k('"0x"'), K), "");
        vm.assertEq(vm.parseJsonBytes(_k('"\\u0030x12"'), K), hex"12");
        vm.assertEq(vm.parseJsonBytes(_k("1234"), K), hex"1234");
    }

    function test_parseJsonBytes32_values() public {
        string memory one = "0000000000000000000000000000000000000000000000000000000000000001";
        vm.assertEq(vm.parseJsonBytes32(_k(string.concat('"0x', one, '"')), K), bytes32(uint256(1)));
        vm.assertEq(vm.parseJsonBytes32(_k(string.concat('"', one, '"')), K), bytes32(uint256(1)));
        vm.assertEq(
            vm.parseJsonBytes32(_k("1111111111111111111111111111111111111111111111111111111111111111"), K),
            0x1111111111111111111111111111111111111111111111111111111111111111
        );
    }
}

/// Scalars of JSON: values that are not of the type.
contract JsonScalarErrors is Conformance {
    function test_parseJsonUint_negative() public {
        vm.parseJsonUint("-1", "$");
    }

    function test_parseJsonUint_negativeString() public {
        vm.parseJsonUint('"-1"', "$");
    }

    function test_parseJsonUint_fraction() public {
        vm.parseJsonUint("1.5", "$");
    }

    function test_parseJsonUint_fractionOfZero() public {
        vm.parseJsonUint("1.0", "$");
    }

    function test_parseJsonUint_negativeExponent() public {
        vm.parseJsonUint("10e-1", "$");
    }

    function test_parseJsonUint_exponentOfZero() public {
        vm.parseJsonUint("3e0", "$");
    }

    function test_parseJsonUint_tooBig() public {
        vm.parseJsonUint("115792089237316195423570985008687907853269984665640564039457584007913129639936", "$");
    }

    function test_parseJsonUint_exponentTooBig() public {
        vm.parseJsonUint("1e78", "$");
    }

    function test_parseJsonUint_tooManyDecimals() public {
        vm.parseJsonUint('"0.0000000001 gwei"', "$");
    }

    function test_parseJsonUint_unknownUnit() public {
        vm.parseJsonUint('"7 days"', "$");
    }

    function test_parseJsonUint_empty() public {
        vm.parseJsonUint('""', "$");
    }

    function test_parseJsonUint_hexWithoutPrefix() public {
        vm.parseJsonUint('"beef"', "$");
    }

    function test_parseJsonUint_noHex() public {
        vm.parseJsonUint('"0xzz"', "$");
    }

    function test_parseJsonUint_leadingBlank() public {
        vm.parseJsonUint('" 5"', "$");
    }

    function test_parseJsonUint_leadingNewline() public {
        vm.parseJsonUint('"\\n5"', "$");
    }

    function test_parseJsonUint_true() public {
        vm.parseJsonUint("true", "$");
    }

    function test_parseJsonUint_null() public {
        vm.parseJsonUint("null", "$");
    }

    function test_parseJsonUint_array() public {
        vm.parseJsonUint("[1]", "$");
    }

    function test_parseJsonUint_object() public {
        vm.parseJsonUint("{}", "$");
    }

    function test_parseJsonUint_nothing() public {
        vm.parseJsonUint("{}", '["k"]');
    }

    function test_parseJsonUint_several() public {
        vm.parseJsonUint("[1, 2]", "$[*]");
    }

    function test_parseJsonUint_path() public {
        vm.parseJsonUint("{}", "k");
    }

    function test_parseJsonUint_text() public {
        vm.parseJsonUint("{", ".k");
    }

    function test_parseJsonInt_tooBig() public {
        vm.parseJsonInt('"57896044618658097711785492504343953926634992332820282019728792003956564819968"', "$");
    }

    function test_parseJsonInt_tooBigHex() public {
        vm.parseJsonInt('"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"', "$");
    }

    function test_parseJsonInt_tooSmall() public {
        vm.parseJsonInt("-57896044618658097711785492504343953926634992332820282019728792003956564819969", "$");
    }

    function test_parseJsonInt_fraction() public {
        vm.parseJsonInt("-1.5", "$");
    }

    function test_parseJsonInt_signApart() public {
        vm.parseJsonInt('"- 1"', "$");
    }
}
