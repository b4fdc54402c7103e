// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Writes a file for its caller, and reverts.
contract Clerk is Conformance {
    function write(string memory path) external {
        vm.writeJson("{}", path);
        revert();
    }
}

/// writeJson: whole files, and values at keys of files.
contract JsonWriteTest is Conformance {
    string constant START = '{"zinc": 1, "amber": {"c": 2, "l": [1]}, "none": null}';

    function setUp() public {
        vm.createDir("scratch/data", true);
    }

    function _path(string memory name) private pure returns (string memory) {
        return string.concat("scratch/data/", name, ".json");
    }

    /// Checks what is in a file; `'` stands for `"`.
    function _holds(string memory path, string memory expected) private {
        vm.assertEq(vm.readFile(path), vm.replace(expected, "'", '"'));
    }

    function test_writeJson_layout() public {
        string memory path = _path("layout");
        vm.writeJson('{"b":1,"a":[1,{"c":[]},[2]],"d":{}}', path);
        _holds(
            path,
            "{\n  'b': 1,\n  'a': [\n    1,\n    {\n      'c': []\n    },\n    [\n      2\n    ]\n  ],\n  'd': {}\n}"
        );
    }

    function test_writeJson_values() public {
        string memory path = _path("values");
        vm.writeJson(unicode' {"x": 1.50, "y": 1E3, "x": 123456789012345678901234567890, "é": "\\u00e9\\/\\n"} ', path);
        _holds(path, unicode"{\n  'x': 123456789012345678901234567890,\n  'y': 1e+3,\n  'é': 'é/\\n'\n}");
    }

    function test_writeJson_otherThanObjects() public {
        string memory path = _path("other");
        vm.writeJson("[ ]", path);
        _holds(path, "[]");
        vm.writeJson("1.0", path);
        _holds(path, "1.0");
        vm.writeJson('"s"', path);
        _holds(path, "'s'");
    }

    /// What is no JSON becomes a string.
    function test_writeJson_noJson() public {
        string memory path = _path("none");
        vm.writeJson('figs "and" plums', path);
        vm.assertEq(vm.readFile(path), '"figs \\"and\\" plums"');
        vm.writeJson("{bad", path);
        vm.assertEq(vm.readFile(path), '"{bad"');
        vm.writeJson("", path);
        vm.assertEq(vm.readFile(path), '""');
    }

    function test_writeJson_replacesTheFile() public {
        string memory path = _path("replaces");
        vm.writeFile(path, "something long that was there before");
        vm.writeJson("{}", path);
        vm.assertEq(vm.readFile(path), "{}");
    }

    function test_writeJson_serializedObject() public {
        string memory path = _path("serialized");
        vm.serializeUint("o", "zinc", 1);
        vm.writeJson(vm.serializeString("o", "amber", vm.serializeUint("p", "x", type(uint256).max)), path);
        vm.assertEq(vm.parseJsonUint(vm.readFile(path), ".amber.x"), type(uint256).max);
        vm.assertEq(vm.parseJsonKeys(vm.readFile(path), "$")[0], "amber");
    }

    /// A file stays where the call that wrote it reverts.
    function test_writeJson_revert() public {
        string memory path = _path("revert");
        vm.writeJson("[]", path);
        Clerk clerk = new Clerk();
        try clerk.write(path) {} catch {}
        vm.assertEq(vm.readFile(path), "{}");
    }

    function test_writeJson_keyOfTheFile() public {
        string memory path = _path("key");
        vm.writeFile(path, START);
        vm.writeJson("5", path, ".zinc");
        _holds(path, "{\n  'zinc': 5,\n  'amber': {\n    'c': 2,\n    'l': [\n      1\n    ]\n  },\n  'none': null\n}");
    }

    /// All the ways to write a key: with `$.`, with `.`, with neither, with more dots than needed.
    function test_writeJson_formsOfKeys() public {
        string memory path = _path("forms");
        vm.writeFile(path, START);
        vm.writeJson("10", path, "$.amber.c");
        vm.assertEq(vm.parseJsonUint(vm.readFile(path), ".amber.c"), 10);
        vm.writeJson("11", path, "amber.c");
        vm.assertEq(vm.parseJsonUint(vm.readFile(path), ".amber.c"), 11);
        vm.writeJson("12", path, "..amber..c.");
        vm.assertEq(vm.parseJsonUint(vm.readFile(path), ".amber.c"), 12);
    }

    function test_writeJson_kindsOfValues() public {
        string memory path = _path("kinds");
        vm.writeFile(path, "{}");
        vm.writeJson('{"x": [1]}', path, ".object");
        vm.writeJson("[]", path, ".array");
        vm.writeJson('"7"', path, ".string");
        vm.writeJson("figs", path, ".word");
        vm.writeJson("", path, ".empty");
        vm.writeJson("null", path, ".null");
        vm.writeJson("1E3", path, ".number");
        _holds(
            path,
            "{\n  'object': {\n    'x': [\n      1\n    ]\n  },\n  'array': [],\n  'string': '7',\n  'word': 'figs',\n"
            "  'empty': '',\n  'null': null,\n  'number': 1e+3\n}"
        );
    }

    /// A key keeps its place, a new one comes last, objects on the way to it are made.
    function test_writeJson_newKeys() public {
        string memory path = _path("new");
        vm.writeFile(path, '{"zinc": 1, "amber": {}}');
        vm.writeJson("3", path, ".new.deep.down");
        vm.writeJson("4", path, ".amber.c");
        vm.writeJson("5", path, ".zinc");
        _holds(
            path,
            "{\n  'zinc': 5,\n  'amber': {\n    'c': 4\n  },\n  'new': {\n    'deep': {\n      'down': 3\n    }\n  }\n}"
        );
    }

    /// The key is no JSON path: brackets, stars and quotes are part of names.
    function test_writeJson_keysThatLookLikePaths() public {
        string memory path = _path("paths");
        vm.writeFile(path, '{"l": [1]}');
        vm.writeJson("2", path, ".l[0]");
        vm.writeJson("3", path, "['l']");
        vm.writeJson("4", path, "*");
        vm.writeJson("5", path, "$");
        vm.writeJson("6", path, "$x.y");
        vm.writeJson("7", path, unicode"$x.$.é");
        vm.assertEq(
            vm.readFile(path),
            unicode'{\n  "l": [\n    1\n  ],\n  "l[0]": 2,\n  "[\'l\']": 3,\n  "*": 4,\n  "$": 5,\n  "$x": {\n    "y": 6,\n'
            unicode'    "$": {\n      "é": 7\n    }\n  }\n}'
        );
    }

    function test_writeJson_keyOfNoFile() public {
        string memory path = _path("missing");
        if (vm.exists(path)) vm.removeFile(path);
        vm.writeJson("1", path, ".zinc.amber");
        _holds(path, "{\n  'zinc': {\n    'amber': 1\n  }\n}");
        vm.removeFile(path);
    }

    /// A value that cannot be put in leaves the file alone.
    function test_writeJson_errorLeavesTheFile() public {
        string memory path = _path("alone");
        vm.writeFile(path, START);
        try vm.writeJson("1", path, ".zinc.x") {
            vm.assertTrue(false);
        } catch (bytes memory reason) {
            string memory text = "vm.writeJson: final destination is not an object, cannot insert key.";
            vm.assertEq(reason, abi.encodeWithSignature("CheatcodeError(string)", text));
        }
        vm.assertEq(vm.readFile(path), START);
    }
}

/// writeJson: keys without a place, and paths that must not or cannot be written.
contract JsonWriteErrors is Conformance {
    function setUp() public {
        vm.createDir("scratch/data", true);
    }

    /// Writes `text` to a file of its own.
    function _file(string memory name, string memory text) private returns (string memory path) {
        path = string.concat("scratch/data/error-", name, ".json");
        vm.writeFile(path, text);
    }

    function test_writeJson_emptyKey() public {
        vm.writeJson("1", _file("empty", "{}"), "");
    }

    function test_writeJson_keyOfDots() public {
        vm.writeJson("1", _file("dots", "{}"), "$..");
    }

    function test_writeJson_keyOfNumber() public {
        vm.writeJson("1", _file("number", '{"zinc": 1}'), ".zinc.x");
    }

    function test_writeJson_keyBehindNumber() public {
        vm.writeJson("1", _file("behind", '{"zinc": 1}'), ".zinc.x.y");
    }

    function test_writeJson_keyOfArray() public {
        vm.writeJson("1", _file("array", "[1]"), "0");
    }

    function test_writeJson_keyOfFileWithoutJson() public {
        vm.writeJson("1", _file("text", "figs"), "zinc");
    }

    function test_writeJson_keyOfEmptyFile() public {
        vm.writeJson("1", _file("nothing", ""), "a.b");
    }

    function test_writeJson_forbidden() public {
        vm.writeJson("{}", "files/data/forbidden.json");
    }

    function test_writeJson_forbiddenOnTheWay() public {
        vm.writeJson("{}", "scratch/../foundry.toml");
    }

    function test_writeJson_forbiddenKey() public {
        vm.writeJson("1", "src/forbidden.json", ".zinc");
    }

    function test_writeJson_readableKey() public {
        vm.writeJson("1", "files/data/market.json", ".limit");
    }

    function test_writeJson_noFolder() public {
        vm.writeJson("{}", "scratch/data/nowhere/x.json");
    }

    function test_writeJson_keyInNoFolder() public {
        vm.writeJson("1", "scratch/data/nowhere/x.json", ".zinc");
    }

    function test_writeJson_folder() public {
        vm.writeJson("{}", "scratch/data");
    }

    function test_writeJson_keyOfFolder() public {
        vm.writeJson("1", "scratch/data", ".zinc");
    }
}
