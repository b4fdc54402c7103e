// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseToml, keyExistsToml and parseTomlKeys: TOML is turned into JSON, and that is read as JSON is.
contract TomlParseTest is Conformance {
    function _market() private returns (string memory) {
        return vm.readFile("files/data/market.toml");
    }

    /// Checks the one value that `toml` has, at `k`.
    function _k(string memory toml, bytes memory expected) private {
        vm.assertEq(vm.parseToml(string.concat("k = ", toml), ".k"), expected, toml);
    }

    function test_parseToml_nothing() public {
        vm.assertEq(vm.parseToml(""), "");
        vm.assertEq(vm.parseToml("# a comment\r\n\n"), "");
        vm.assertEq(vm.parseToml("[k]"), "");
    }

    function test_parseToml_integers() public {
        _k("0", abi.encode(0));
        _k("+5", abi.encode(5));
        _k("-5", abi.encode(-5));
        _k("1_000", abi.encode(1000));
        _k("0xdead_BEEF", abi.encode(0xdeadbeef));
        _k("0o17", abi.encode(15));
        _k("0b101", abi.encode(5));
        _k("9223372036854775807", abi.encode(type(int64).max));
        _k("-9223372036854775808", abi.encode(type(int64).min));
    }

    /// A float is an integer only where its JSON has an exponent: from 1e16 on.
    function test_parseToml_floats() public {
        _k("1e16", abi.encode(1e16));
        _k("1e18", abi.encode(1 ether));
        _k("-1e22", abi.encode(-1e22));
        _k("1_0.0e17", abi.encode(1 ether));
        _k("nan", abi.encode("NaN"));
        _k("-inf", abi.encode("-inf"));
        _k("inf", abi.encode("inf"));
    }

    function test_parseToml_strings() public {
        _k('"figs"', abi.encode("figs"));
        _k('""', abi.encode(""));
        _k("'a\\n'", abi.encode("a\\n"));
        _k('"a\\n\\"\\u00e9\\U0001F642\\x41\\e"', abi.encode(unicode'a\n"é🙂A\u001b'));
        _k('"""\na\nb\\\n   c"""', abi.encode("a\nbc"));
        _k("'''a''b'''", abi.encode("a''b"));
        _k('"0x000000000000000000000000000000000000dEaD"', abi.encode(address(0xdEaD)));
        _k('"0x12"', abi.encode(hex"12"));
        _k('"5"', abi.encode("5"));
        _k('"99999999999999999999"', abi.encode(99999999999999999999));
    }

    function test_parseToml_dates() public {
        _k("1979-05-27", abi.encode("1979-05-27"));
        _k("07:32:00", abi.encode("07:32:00"));
        _k("07:32:00.500", abi.encode("07:32:00.5"));
        _k("1979-05-27T07:32:00Z", abi.encode("1979-05-27T07:32:00Z"));
        _k("1979-05-27 07:32:00z", abi.encode("1979-05-27T07:32:00Z"));
        _k("1979-05-27t07:32:00.999999-07:00", abi.encode("1979-05-27T07:32:00.999999-07:00"));
        _k("1979-05-27T07:32:00", abi.encode("1979-05-27T07:32:00"));
        _k("1979-05-27T07:32:00+00:00", abi.encode("1979-05-27T07:32:00+00:00"));
    }

    /// What TOML 1.1 has come with: times without seconds, and inline tables on several lines.
    function test_parseToml_version11() public {
        _k("07:32", abi.encode("07:32:00"));
        _k("{ zinc = 1,\n amber = 2,\n}", abi.encode(2, 1));
    }

    function test_parseToml_arraysAndBools() public {
        _k("true", abi.encode(true));
        _k("[]", abi.encode(new uint256[](0)));
        _k("[1, # one\n 2,\n]", abi.encode(0x20, 2, 1, 2));
        _k('[1, "a", true]', abi.encode(0x20, 3, 1, 0x60, 1, 1, bytes32("a")));
    }

    /// Keys that no struct has come in the order of their bytes, as those of JSON do.
    function test_parseToml_tables() public {
        vm.assertEq(vm.parseToml("zinc = 1\namber = 2\nZinc = 3"), abi.encode(3, 2, 1));
        vm.assertEq(vm.parseToml("[zinc]\nk = 1\n[amber]\nk = 2"), abi.encode(2, 1));
        vm.assertEq(vm.parseToml("zinc.yew = 1\nzinc.ash = 2\namber = 3"), abi.encode(3, 2, 1));
        vm.assertEq(vm.parseToml("[[zinc]]\nk = 1\n[[zinc]]\nk = 2\n"), abi.encode(0x20, 0x20, 2, 1, 2));
    }

    function test_parseToml_withKey() public {
        string memory toml = _market();
        vm.assertEq(vm.parseToml(toml, "$.title"), abi.encode(unicode"Märkt ☃"));
        vm.assertEq(vm.parseToml(toml, ".owner"), abi.encode(address(0xdEaD)));
        vm.assertEq(vm.parseToml(toml, ".opened"), abi.encode("1979-05-27T07:32:00-07:00"));
        vm.assertEq(vm.parseToml(toml, "['odd.key']"), abi.encode(5));
        vm.assertEq(vm.parseToml(toml, unicode".ü"), abi.encode(7));
        vm.assertEq(vm.parseToml(toml, ".grid[1]"), abi.encode(0x20, 2, 3, 4));
        vm.assertEq(vm.parseToml(toml, ".origin.zone"), abi.encode(3));
        vm.assertEq(vm.parseToml(toml, ".stalls.south.rank"), abi.encode(2));
        vm.assertEq(vm.parseToml(toml, ".goods[*].cost"), abi.encode(0x20, 2, 8, 12));
        vm.assertEq(vm.parseToml(toml, ".goods[?(@.item == 'plum')].cost"), abi.encode(12));
        vm.assertEq(vm.parseToml(toml, "..rank"), abi.encode(0x20, 2, 1, 2));
        vm.assertEq(vm.parseToml(toml, ".void"), "");
        vm.assertEq(vm.parseToml(toml, ".nothing"), "");
    }

    function test_keyExistsToml_foundOrNot() public {
        string memory toml = _market();
        vm.assertTrue(vm.keyExistsToml(toml, ".limit"));
        vm.assertTrue(vm.keyExistsToml(toml, ".stalls.north"));
        vm.assertTrue(vm.keyExistsToml(toml, ".goods[1].tags"));
        vm.assertTrue(vm.keyExistsToml(toml, ".void"));
        vm.assertTrue(vm.keyExistsToml("", "$"));
        vm.assertFalse(vm.keyExistsToml(toml, ".goods[2]"));
        vm.assertFalse(vm.keyExistsToml(toml, ".odd.key"));
    }

    function test_parseTomlKeys_orderOfTheText() public {
        string[] memory keys = vm.parseTomlKeys(_market(), "$");
        vm.assertEq(keys.length, 13);
        vm.assertEq(keys[0], "title");
        vm.assertEq(keys[5], "odd.key");
        vm.assertEq(keys[12], "void");
        keys = vm.parseTomlKeys(_market(), ".goods[1]");
        vm.assertEq(keys.length, 3);
        vm.assertEq(keys[2], "tags");
        vm.assertEq(vm.parseTomlKeys(_market(), ".stalls")[0], "north");
        vm.assertEq(vm.parseTomlKeys(_market(), ".void").length, 0);
        vm.assertEq(vm.parseTomlKeys("", "").length, 0);
    }
}

/// parseToml, keyExistsToml and parseTomlKeys: texts that are not TOML, and what JSON does not let through.
contract TomlParseErrors is Conformance {
    function test_parseToml_noValue() public {
        vm.parseToml("zinc");
    }

    function test_parseToml_emptyValue() public {
        vm.parseToml("zinc = 1\namber = \n");
    }

    function test_parseToml_duplicateKey() public {
        vm.parseToml("zinc = 1\nzinc = 2");
    }

    function test_parseToml_duplicateTable() public {
        vm.parseToml("[zinc]\n[amber]\n[zinc]");
    }

    function test_parseToml_openTable() public {
        vm.parseToml("[zinc");
    }

    function test_parseToml_openArray() public {
        vm.parseToml("zinc = [1");
    }

    function test_parseToml_openInlineTable() public {
        vm.parseToml("zinc = { amber = 1");
    }

    function test_parseToml_openString() public {
        vm.parseToml('zinc = "figs');
    }

    function test_parseToml_openLiteralString() public {
        vm.parseToml("zinc = 'figs");
    }

    function test_parseToml_wrongEscape() public {
        vm.parseToml('zinc = "\\q"');
    }

    function test_parseToml_json() public {
        vm.parseToml('{"zinc": 1}');
    }

    function test_parseToml_null() public {
        vm.parseToml("zinc = null");
    }

    function test_parseToml_bareWord() public {
        vm.parseToml("zinc = figs");
    }

    function test_parseToml_twoOnALine() public {
        vm.parseToml("zinc = 1 amber = 2");
    }

    function test_parseToml_leadingZero() public {
        vm.parseToml("zinc = 01");
    }

    function test_parseToml_leadingPoint() public {
        vm.parseToml("zinc = .5");
    }

    function test_parseToml_trailingPoint() public {
        vm.parseToml("zinc = 1.");
    }

    function test_parseToml_twoUnderscores() public {
        vm.parseToml("zinc = 1__0");
    }

    function test_parseToml_wrongHex() public {
        vm.parseToml("zinc = 0xzz");
    }

    function test_parseToml_tooBig() public {
        vm.parseToml("zinc = 9223372036854775808");
    }

    function test_parseToml_tooSmall() public {
        vm.parseToml("zinc = -9223372036854775809");
    }

    function test_parseToml_floatTooBig() public {
        vm.parseToml("zinc = 1e400");
    }

    function test_parseToml_wrongMonth() public {
        vm.parseToml("zinc = 1979-13-01");
    }

    function test_parseToml_accentInBareKey() public {
        vm.parseToml(unicode"é = 1");
    }

    function test_parseToml_dottedKeyIntoInlineTable() public {
        vm.parseToml("zinc = { amber = 1 }\nzinc.ochre = 2");
    }

    function test_parseToml_dottedKeyIntoNumber() public {
        vm.parseToml("zinc = 1\nzinc.ochre = 2");
    }

    function test_parseToml_float() public {
        vm.parseToml("zinc = [1.50]");
    }

    function test_parseToml_smallExponent() public {
        vm.parseToml("zinc = 1e15", ".zinc");
    }

    function test_parseToml_path() public {
        vm.parseToml("zinc = 1", "zinc");
    }

    function test_keyExistsToml_path() public {
        vm.keyExistsToml("zinc = 1", "zinc");
    }

    function test_keyExistsToml_text() public {
        vm.keyExistsToml("zinc", "$");
    }

    function test_parseTomlKeys_value() public {
        vm.parseTomlKeys("zinc = 1", ".zinc");
    }

    function test_parseTomlKeys_nothing() public {
        vm.parseTomlKeys("zinc = 1", ".amber");
    }

    function test_parseTomlKeys_path() public {
        vm.parseTomlKeys("zinc = 1", "$[");
    }

    function test_parseTomlKeys_text() public {
        vm.parseTomlKeys("=", "$");
    }
}
