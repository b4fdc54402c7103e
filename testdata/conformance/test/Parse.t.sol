// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Text parsed as values.
contract ParseTest is Conformance {
    address constant BOB = 0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e;

    function test_parseBytes_hex() public {
        vm.assertEq(vm.parseBytes("0x00Ff"), hex"00ff");
        vm.assertEq(vm.parseBytes("abcd"), hex"abcd");
        vm.assertEq(vm.parseBytes("0x"), "");
    }

    function test_parseAddress_hex() public {
        vm.assertEq(vm.parseAddress("0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e"), BOB);
        vm.assertEq(vm.parseAddress("0x1d96f2f6bef1202e4ce1ff6dad0c2cb002861d3E"), BOB);
        vm.assertEq(vm.parseAddress("1D96F2F6BEF1202E4CE1FF6DAD0C2CB002861D3E"), BOB);
    }

    function test_parseUint_decimal() public {
        vm.assertEq(vm.parseUint("0"), 0);
        vm.assertEq(vm.parseUint("0042"), 42);
        vm.assertEq(vm.parseUint("42 "), 42);
        vm.assertEq(
            vm.parseUint("115792089237316195423570985008687907853269984665640564039457584007913129639935"),
            type(uint256).max
        );
    }

    function test_parseUint_prefixes() public {
        vm.assertEq(vm.parseUint("0xfF"), 255);
        vm.assertEq(vm.parseUint("0Xff"), 255);
        vm.assertEq(vm.parseUint("0b101"), 5);
        vm.assertEq(vm.parseUint("0B11"), 3);
        vm.assertEq(vm.parseUint("0o17"), 15);
        vm.assertEq(vm.parseUint("0O7"), 7);
    }

    function test_parseUint_units() public {
        vm.assertEq(vm.parseUint("1ether"), 1 ether);
        vm.assertEq(vm.parseUint("1.25  ether"), 1.25 ether);
        vm.assertEq(vm.parseUint("2gwei"), 2 gwei);
        vm.assertEq(vm.parseUint("2 nano"), 2 gwei);
        vm.assertEq(vm.parseUint("2 nanoether"), 2 gwei);
        vm.assertEq(vm.parseUint("3 wei"), 3);
        vm.assertEq(vm.parseUint("0x10 gwei"), 16 gwei);
        vm.assertEq(vm.parseUint("0.000000000000000001 ether"), 1);
    }

    function test_parseUint_exponents() public {
        vm.assertEq(vm.parseUint("1e18"), 1 ether);
        vm.assertEq(vm.parseUint("1.5E2"), 150);
        vm.assertEq(vm.parseUint("12e-18 ether"), 12);
        vm.assertEq(vm.parseUint("1e+2"), 100);
        vm.assertEq(vm.parseUint("2e0"), 2);
    }

    function test_parseInt_signs() public {
        vm.assertEq(vm.parseInt("7"), 7);
        vm.assertEq(vm.parseInt("+7"), 7);
        vm.assertEq(vm.parseInt("-7"), -7);
        vm.assertEq(vm.parseInt("-0"), 0);
        vm.assertEq(vm.parseInt("-0x1f"), -31);
        vm.assertEq(vm.parseInt("-1.5 gwei"), -1.5 gwei);
        vm.assertEq(vm.parseInt("-1e3"), -1000);
    }

    function test_parseInt_limits() public {
        vm.assertEq(
            vm.parseInt("57896044618658097711785492504343953926634992332820282019728792003956564819967"),
            type(int256).max
        );
        vm.assertEq(
            vm.parseInt("-57896044618658097711785492504343953926634992332820282019728792003956564819968"),
            type(int256).min
        );
        vm.assertEq(
            vm.parseInt("-0x8000000000000000000000000000000000000000000000000000000000000000"), type(int256).min
        );
    }

    function test_parseBytes32_hex() public {
        vm.assertEq(
            vm.parseBytes32("0x7465737400000000000000000000000000000000000000000000000000000000"), bytes32("test")
        );
        vm.assertEq(
            vm.parseBytes32("7465737400000000000000000000000000000000000000000000000000000000"), bytes32("test")
        );
    }

    function test_parseBool_words() public {
        vm.assertTrue(vm.parseBool("true"));
        vm.assertTrue(vm.parseBool("tRuE"));
        vm.assertTrue(vm.parseBool("1"));
        vm.assertFalse(vm.parseBool("false"));
        vm.assertFalse(vm.parseBool("FALSE"));
        vm.assertFalse(vm.parseBool("0"));
    }
}

/// Text that is no value of the type asked for.
contract ParseErrors is Conformance {
    function test_parseBytes_empty() public {
        vm.parseBytes("");
    }

    function test_parseBytes_odd() public {
        vm.parseBytes("0x123");
    }

    function test_parseBytes_odd_no_prefix() public {
        vm.parseBytes("123");
    }

    function test_parseBytes_word() public {
        vm.parseBytes("hello");
    }

    function test_parseBytes_rest() public {
        vm.parseBytes("0x12 ");
    }

    function test_parseBytes_uppercase_prefix() public {
        vm.parseBytes("0X12");
    }

    function test_parseAddress_empty() public {
        vm.parseAddress("");
    }

    function test_parseAddress_short() public {
        vm.parseAddress("0x1234");
    }

    function test_parseAddress_long() public {
        vm.parseAddress("0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e00");
    }

    function test_parseAddress_space() public {
        vm.parseAddress(" 0x1D96F2f6BeF1202E4Ce1Ff6Dad0c2CB002861d3e");
    }

    function test_parseUint_empty() public {
        vm.parseUint("");
    }

    function test_parseUint_word() public {
        vm.parseUint("two");
    }

    function test_parseUint_hex_without_prefix() public {
        vm.parseUint("1f");
    }

    function test_parseUint_prefix_alone() public {
        vm.parseUint("0x");
    }

    function test_parseUint_negative() public {
        vm.parseUint("-1");
    }

    function test_parseUint_plus() public {
        vm.parseUint("+1");
    }

    function test_parseUint_leading_space() public {
        vm.parseUint(" 1");
    }

    function test_parseUint_fraction() public {
        vm.parseUint("1.5");
    }

    function test_parseUint_zero_fraction() public {
        vm.parseUint("1.0");
    }

    function test_parseUint_point_alone() public {
        vm.parseUint("1.");
    }

    function test_parseUint_too_many_decimals() public {
        vm.parseUint("1.0000000001 gwei");
    }

    function test_parseUint_negative_exponent() public {
        vm.parseUint("100e-1");
    }

    function test_parseUint_unknown_unit() public {
        vm.parseUint("1 finney");
    }

    function test_parseUint_bad_binary() public {
        vm.parseUint("0b102");
    }

    function test_parseUint_bad_octal() public {
        vm.parseUint("0o8");
    }

    function test_parseUint_separator() public {
        vm.parseUint("1_000");
    }

    function test_parseUint_escapes() public {
        vm.parseUint('"1"\t\\');
    }

    function test_parseUint_first_line() public {
        vm.parseUint("12\n34");
    }

    function test_parseBytes_second_line() public {
        vm.parseBytes("0x12\n\n0x34");
    }

    function test_parseUint_unicode() public {
        vm.parseUint(unicode"1é2");
    }

    function test_parseUint_unicode_first() public {
        vm.parseUint(unicode"é");
    }

    function test_parseUint_overflow_decimal() public {
        vm.parseUint("115792089237316195423570985008687907853269984665640564039457584007913129639936");
    }

    function test_parseUint_overflow_hex() public {
        vm.parseUint("0x10000000000000000000000000000000000000000000000000000000000000000");
    }

    function test_parseUint_overflow_units() public {
        vm.parseUint("1e60 ether");
    }

    function test_parseUint_overflow_exponent() public {
        vm.parseUint("1e78");
    }

    function test_parseInt_overflow() public {
        vm.parseInt("57896044618658097711785492504343953926634992332820282019728792003956564819968");
    }

    function test_parseInt_underflow() public {
        vm.parseInt("-57896044618658097711785492504343953926634992332820282019728792003956564819969");
    }

    function test_parseInt_word() public {
        vm.parseInt("-two");
    }

    function test_parseInt_two_signs() public {
        vm.parseInt("--1");
    }

    function test_parseInt_empty() public {
        vm.parseInt("");
    }

    function test_parseBytes32_empty() public {
        vm.parseBytes32("");
    }

    function test_parseBytes32_short() public {
        vm.parseBytes32("0x1234");
    }

    function test_parseBytes32_odd() public {
        vm.parseBytes32("0x123");
    }

    function test_parseBytes32_word() public {
        vm.parseBytes32("test");
    }

    function test_parseBool_empty() public {
        vm.parseBool("");
    }

    function test_parseBool_word() public {
        vm.parseBool("yes");
    }

    function test_parseBool_number() public {
        vm.parseBool("2");
    }

    function test_parseBool_rest() public {
        vm.parseBool("true1");
    }
}
