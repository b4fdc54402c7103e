// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// writeToml: JSON into whole TOML files, and into keys of files.
contract TomlWriteTest is Conformance {
    function setUp() public {
        vm.createDir("scratch/data", true);
    }

    function _path(string memory name) private pure returns (string memory) {
        return string.concat("scratch/data/", name, ".toml");
    }

    /// Checks that `json` is written as `toml`.
    function _writes(string memory name, string memory json, string memory toml) private {
        vm.writeToml(json, _path(name));
        vm.assertEq(vm.readFile(_path(name)), toml);
    }

    function test_writeToml_empty() public {
        _writes("empty", "{}", "");
    }

    function test_writeToml_values() public {
        _writes(
            "values",
            '{"b": 1, "a": -5, "s": "q", "t": true, "n": null, "e": ""}',
            'b = 1\na = -5\ns = "q"\nt = true\nn = "null"\ne = ""\n'
        );
    }

    /// What no signed 64-bit integer can hold becomes a float.
    function test_writeToml_numbers() public {
        _writes(
            "numbers",
            '{"a": 9223372036854775807, "b": 9223372036854775808, "c": 18446744073709551616, "d": 1.50, "e": 1e3}',
            "a = 9223372036854775807\nb = 9223372036854776000.0\nc = 18446744073709552000.0\nd = 1.5\ne = 1000.0\n"
        );
    }

    /// An array of one is on one line.
    function test_writeToml_arrays() public {
        _writes(
            "arrays",
            '{"a": [], "b": [1], "c": ["x", "y"], "d": [[1, 2], [null]]}',
            'a = []\nb = [1]\nc = [\n    "x",\n    "y",\n]\nd = [\n    [\n    1,\n    2,\n],\n    ["null"],\n]\n'
        );
    }

    /// Tables come after the values, otherwise the order stays.
    function test_writeToml_tables() public {
        _writes(
            "tables",
            '{"z": {"y": 1}, "b": {"v": {"u": 3}, "w": 2}, "m": 4, "o": {}, "p": {"q": {"r": 5}}}',
            "m = 4\n\n[z]\ny = 1\n\n[b]\nw = 2\n\n[b.v]\nu = 3\n\n[o]\n\n[p.q]\nr = 5\n"
        );
    }

    function test_writeToml_arraysOfTables() public {
        _writes(
            "arraysOfTables",
            '{"a": [{"n": 1}, {"n": 2, "o": {"p": 3}}], "b": [1, {"n": 2}]}',
            "b = [\n    1,\n    { n = 2 },\n]\n\n[[a]]\nn = 1\n\n[[a]]\nn = 2\n\n[a.o]\np = 3\n"
        );
    }

    function test_writeToml_keys() public {
        _writes(
            "keys",
            unicode'{"a b": 1, "é": 2, "": 3, "k.p": 4, "q\\"r": 5, "7-_": 6}',
            unicode'"a b" = 1\n"é" = 2\n"" = 3\n"k.p" = 4\n\'q"r\' = 5\n7-_ = 6\n'
        );
    }

    function test_writeToml_quotes() public {
        _writes(
            "quotes",
            '{"a": "q\\"q", "b": "it\'s", "c": "b\\\\c", "d": "\\t", "e": "l1\\nl2", "f": "\'\'\'", "g": "\\u0001"}',
            "a = 'q\"q'\nb = \"it's\"\nc = 'b\\c'\nd = \"\\t\"\ne = \"\"\"\nl1\nl2\"\"\"\nf = \"'''\"\ng = \"\\u0001\"\n"
        );
    }

    function test_writeToml_readAgain() public {
        string memory path = _path("again");
        vm.serializeUint("o", "zinc", 7);
        vm.writeToml(vm.serializeString("o", "amber", vm.serializeUint("p", "x", type(uint256).max)), path);
        vm.assertEq(vm.parseTomlUint(vm.readFile(path), ".amber.x"), type(uint256).max);
        vm.assertEq(vm.parseTomlUint(vm.readFile(path), ".zinc"), 7);
        vm.assertEq(vm.parseTomlKeys(vm.readFile(path), "$")[0], "zinc");
    }

    /// What else is in the file is written anew: without comments, with decimal numbers.
    function test_writeToml_keyOfTheFile() public {
        string memory path = _path("key");
        vm.writeFile(path, "# lost\nb = 1\na = 0x10\n[t]\nx = [1,2]\n");
        vm.writeToml("5", path, ".b");
        vm.assertEq(vm.readFile(path), "b = 5\na = 16\n\n[t]\nx = [\n    1,\n    2,\n]\n");
        vm.writeToml('{"n": 1}', path, "$.t.x");
        vm.assertEq(vm.readFile(path), "b = 5\na = 16\n\n[t.x]\nn = 1\n");
    }

    function test_writeToml_newKeys() public {
        string memory path = _path("new");
        vm.writeFile(path, "a = 1.50\n");
        vm.writeToml("figs", path, "s");
        vm.writeToml('"7"', path, ".q");
        vm.writeToml("[true]", path, ".t.u");
        vm.writeToml("", path, "..t..v.");
        vm.writeToml("null", path, "$");
        vm.assertEq(vm.readFile(path), 'a = 1.5\ns = "figs"\nq = "7"\n"$" = "null"\n\n[t]\nu = [true]\nv = ""\n');
    }

    /// A date of the file does not survive a write: it becomes a table. Nor does a number that is none.
    function test_writeToml_datesOfTheFile() public {
        string memory path = _path("dates");
        vm.writeFile(path, "d = 1979-05-27\nn = nan\n");
        vm.writeToml("1", path, ".b");
        vm.assertEq(vm.readFile(path), 'n = "null"\nb = 1\n\n[d]\n"$__toml_private_datetime" = "1979-05-27"\n');
    }

    function test_writeToml_keyOfEmptyFile() public {
        string memory path = _path("blank");
        vm.writeFile(path, "");
        vm.writeToml("1", path, ".b");
        vm.assertEq(vm.readFile(path), "b = 1\n");
    }

    function test_writeToml_keyOfNoFile() public {
        string memory path = _path("missing");
        if (vm.exists(path)) vm.removeFile(path);
        vm.writeToml("1", path, ".a.b");
        vm.assertEq(vm.readFile(path), "[a]\nb = 1\n");
        vm.removeFile(path);
    }

    function test_writeToml_errorLeavesTheFile() public {
        string memory path = _path("alone");
        vm.writeFile(path, "a = 1 # one");
        try vm.writeToml("1", path, ".a.b") {
            vm.assertTrue(false);
        } catch {}
        vm.assertEq(vm.readFile(path), "a = 1 # one");
    }
}

/// writeToml: what is no table, keys without a place, and paths that must not or cannot be written.
contract TomlWriteErrors is Conformance {
    function setUp() public {
        vm.createDir("scratch/data", true);
    }

    /// Writes `text` to a file of its own.
    function _file(string memory name, string memory text) private returns (string memory path) {
        path = string.concat("scratch/data/error-", name, ".toml");
        vm.writeFile(path, text);
    }

    function test_writeToml_word() public {
        vm.writeToml("figs", "scratch/data/error.toml");
    }

    function test_writeToml_array() public {
        vm.writeToml("[1]", "scratch/data/error.toml");
    }

    function test_writeToml_integer() public {
        vm.writeToml("1", "scratch/data/error.toml");
    }

    function test_writeToml_float() public {
        vm.writeToml("1.5", "scratch/data/error.toml");
    }

    function test_writeToml_bool() public {
        vm.writeToml("true", "scratch/data/error.toml");
    }

    function test_writeToml_null() public {
        vm.writeToml("null", "scratch/data/error.toml");
    }

    function test_writeToml_emptyKey() public {
        vm.writeToml("1", _file("empty", ""), "");
    }

    function test_writeToml_keyOfDots() public {
        vm.writeToml("1", _file("dots", ""), "$.");
    }

    function test_writeToml_keyOfNumber() public {
        vm.writeToml("1", _file("number", "zinc = 1"), ".zinc.x");
    }

    function test_writeToml_keyBehindNumber() public {
        vm.writeToml("1", _file("behind", "zinc = 1"), ".zinc.x.y");
    }

    function test_writeToml_keyOfArrayOfTables() public {
        vm.writeToml("1", _file("tables", "[[zinc]]\nx = 1"), ".zinc.x");
    }

    function test_writeToml_keyOfFileWithoutToml() public {
        vm.writeToml("1", _file("text", "zinc = 1\nfigs"), "zinc");
    }

    function test_writeToml_forbidden() public {
        vm.writeToml("{}", "files/data/forbidden.toml");
    }

    function test_writeToml_forbiddenOnTheWay() public {
        vm.writeToml("{}", "scratch/../foundry.toml");
    }

    function test_writeToml_forbiddenKey() public {
        vm.writeToml("1", "foundry.toml", ".profile");
    }

    function test_writeToml_readableKey() public {
        vm.writeToml("1", "files/data/market.toml", ".limit");
    }

    function test_writeToml_noFolder() public {
        vm.writeToml("{}", "scratch/data/nowhere/x.toml");
    }

    function test_writeToml_keyInNoFolder() public {
        vm.writeToml("1", "scratch/data/nowhere/x.toml", ".zinc");
    }

    function test_writeToml_folder() public {
        vm.writeToml("{}", "scratch/data");
    }

    function test_writeToml_keyOfFolder() public {
        vm.writeToml("1", "scratch/data", ".zinc");
    }
}
