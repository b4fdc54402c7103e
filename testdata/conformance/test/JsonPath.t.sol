// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// JSON paths: what each form of them selects, seen through parseJson, keyExists, keyExistsJson and parseJsonKeys.
contract JsonPathTest is Conformance {
    string json = vm.readFile("files/data/market.json");

    /// Checks that `path` selects just `number`.
    function _one(string memory path, uint256 number) private {
        vm.assertEq(vm.parseJson(json, path), abi.encode(number), path);
    }

    /// Checks that `path` selects several values.
    function _two(string memory path, uint256 a, uint256 b) private {
        vm.assertEq(vm.parseJson(json, path), abi.encode(0x20, 2, a, b), path);
    }

    function _three(string memory path, uint256 a, uint256 b, uint256 c) private {
        vm.assertEq(vm.parseJson(json, path), abi.encode(0x20, 3, a, b, c), path);
    }

    function _none(string memory path) private {
        vm.assertEq(vm.parseJson(json, path), "", path);
    }

    function test_parseJson_rootPaths() public {
        string memory text = '{"amber": 3}';
        vm.assertEq(vm.parseJson(text, "$"), abi.encode(3));
        vm.assertEq(vm.parseJson(text, "."), abi.encode(3));
        vm.assertEq(vm.parseJson(text, ""), abi.encode(3));
    }

    function test_parseJson_dotPaths() public {
        _one("$.limit", 10);
        _one(".limit", 10);
        _one(".goods[0].cost", 8);
        _one("$.stalls.south.rank", 2);
        _one(".co-op", 12);
        _one(unicode".ü", 7);
        _one(".7", 9);
    }

    function test_parseJson_bracketPaths() public {
        _one("['limit']", 10);
        _one('["limit"]', 10);
        _one("$['limit']", 10);
        _one(".['limit']", 10);
        _one("$['stalls']['north']['rank']", 1);
        _one('.stalls["south"].rank', 2);
        _one("['odd.key']", 5);
        _one("['two words']", 6);
        _one(unicode"['ü']", 7);
        _one("['']", 8);
        _one("['7']", 9);
        _one("['$']", 11);
    }

    function test_parseJson_bracketPathsOfSeveralKeys() public {
        _two("['two words','odd.key']", 6, 5);
        _two(".stalls['south','north'].rank", 2, 1);
        _one("['limit','nothing']", 10);
    }

    function test_parseJson_indexPaths() public {
        _one(".grid[1][0]", 3);
        _two(".grid[1]", 3, 4);
        _one(".grid[-1][-2]", 3);
        _one(".goods[ 1 ].cost", 12);
        _two(".goods[2,0].cost", 10, 8);
        _two(".goods[1,1].cost", 12, 12);
        _none(".goods[3]");
        _none(".goods.0");
        _none(".goods['0']");
        _none(".stalls[0]");
    }

    /// An index too far below zero is the first element.
    function test_parseJson_indexPathFarBelowZero() public {
        _one(".goods[-9].cost", 8);
    }

    function test_parseJson_slicePaths() public {
        _two(".goods[1:].cost", 12, 10);
        _two(".goods[:2].cost", 8, 12);
        _two(".goods[-2:].cost", 12, 10);
        _two(".goods[:-1].cost", 8, 12);
        _two(".goods[::2].cost", 8, 10);
        _one(".goods[1:2].cost", 12);
        _three(".goods[:].cost", 8, 12, 10);
        _three(".goods[0:99].cost", 8, 12, 10);
        _none(".goods[2:1]");
        _none(".goods[5:]");
    }

    function test_parseJson_wildcardPaths() public {
        _three(".goods[*].cost", 8, 12, 10);
        _three(".goods.*.cost", 8, 12, 10);
        _two(".stalls.*.rank", 1, 2);
        _two(".stalls[*].rank", 1, 2);
        _two(".grid[*][1]", 2, 4);
        _none(".empty[*]");
        _none(".void.*");
        _none(".limit.*");
        vm.assertEq(vm.parseJson('{"zinc": 1, "amber": 2}', ".*"), abi.encode(0x20, 2, 1, 2));
    }

    function test_parseJson_descendantPaths() public {
        _two("..rank", 1, 2);
        _three("$..cost", 8, 12, 10);
        _two(".stalls..rank", 1, 2);
        _one("..goods[1].cost", 12);
        _one("..limit", 10);
        _none("..nothing");
    }

    function test_parseJson_filterPathsOfNumbers() public {
        _one(".goods[?(@.cost == 12)].cost", 12);
        _one(".goods[?(@.cost==12)].cost", 12);
        _one(".goods[?(12 == @.cost)].cost", 12);
        _one(".goods[?(@.cost == 12.0)].cost", 12);
        _two(".goods[?(@.cost != 12)].cost", 8, 10);
        _one(".goods[?(@.cost > 10)].cost", 12);
        _two(".goods[?(@.cost >= 10)].cost", 12, 10);
        _one(".goods[?(@.cost < 10)].cost", 8);
        _two(".goods[?(@.cost <= $.limit)].cost", 8, 10);
        _none(".goods[?(@.cost == '12')].cost");
    }

    function test_parseJson_filterPathsOfOtherTypes() public {
        _one(".goods[?(@.item == 'plum')].cost", 12);
        _one('.goods[?(@.item == "plum")].cost', 12);
        _one(".goods[?(@['item'] == 'plum')].cost", 12);
        _two(".goods[?(@.item > 'figs')].cost", 12, 10);
        _one(".goods[?(@.fresh == true)].cost", 8);
        _one(".goods[?(@.fresh == false)].cost", 10);
        _one(".goods[?(@.from.land == 'IT')].cost", 12);
        _none(".goods[?(@.nothing == 1)]");
    }

    /// A filter without comparison asks whether there is a value: `false` is one.
    function test_parseJson_filterPathsOfPresence() public {
        _two(".goods[?(@.fresh)].cost", 8, 10);
        _one(".goods[?(@.tags)].cost", 10);
        _one(".goods[?(@.from.land)].cost", 12);
        _none(".goods[?(@.nothing)]");
    }

    function test_parseJson_filterPathsWithAndOr() public {
        _one(".goods[?(@.cost > 8 && @.fresh == false)].cost", 10);
        _two(".goods[?(@.cost == 12 || @.item == 'kiwi')].cost", 12, 10);
        _two(".goods[?(@.cost == 8 || @.cost == 12 && @.from)].cost", 8, 12);
        _one(".goods[?((@.cost == 8 || @.cost == 12) && @.from)].cost", 12);
        _two(".goods[?(@.fresh && @.item)].cost", 8, 10);
    }

    /// What only the right side of an `||` finds comes after all that the left side finds.
    function test_parseJson_filterPathWithOrIsNotInOrder() public {
        _three(".goods[?(@.fresh || @.from)].cost", 8, 10, 12);
    }

    /// Filters see the elements of arrays that are objects: neither numbers nor the values of an object.
    function test_parseJson_filterPathsOnOtherThanArraysOfObjects() public {
        _none(".grid[0][?(@ > 1)]");
        _none(".stalls[?(@.rank == 2)]");
        _one(".limit[?(@ > 1)]", 10);
        _two("$..[?(@.rank)]", 1, 2);
    }

    function test_parseJson_pathsAfterFilters() public {
        _one(".goods[?(@.item == 'plum')]['cost']", 12);
        vm.assertEq(vm.parseJson(json, ".goods[?(@.tags)].tags[1]"), abi.encode("soft"));
    }

    /// Reading stops without an error at a blank, at `]` and at `=`; what was read before selects.
    function test_parseJson_pathsThatStopEarly() public {
        _one(".limit ", 10);
        _one(".limit .nothing", 10);
        _one(".limit]", 10);
        _one(".limit=", 10);
        _two(".grid[0] [1]", 1, 2);
    }

    function test_parseJson_pathsOfNothing() public {
        _none(".nothing");
        _none(".nothing.more");
        _none(".limit.more");
        _none(".none.more");
        _none(".odd.key");
        _none(".goods.length");
        _none(".Limit");
    }

    function test_keyExists_foundOrNot() public {
        vm.assertTrue(vm.keyExists(json, ".limit"));
        vm.assertTrue(vm.keyExists(json, ".none"));
        vm.assertTrue(vm.keyExists(json, "$"));
        vm.assertTrue(vm.keyExists(json, ".goods[2].tags[1]"));
        vm.assertTrue(vm.keyExists(json, "['odd.key']"));
        vm.assertFalse(vm.keyExists(json, ".odd.key"));
        vm.assertFalse(vm.keyExists(json, ".goods[3]"));
        vm.assertFalse(vm.keyExists("[]", "$[0]"));
    }

    function test_keyExistsJson_foundOrNot() public {
        vm.assertTrue(vm.keyExistsJson(json, ".limit"));
        vm.assertTrue(vm.keyExistsJson(json, ".none"));
        vm.assertTrue(vm.keyExistsJson("null", ""));
        vm.assertTrue(vm.keyExistsJson(json, "..land"));
        vm.assertTrue(vm.keyExistsJson(json, ".goods[?(@.cost > 11)]"));
        vm.assertFalse(vm.keyExistsJson(json, ".goods[?(@.cost > 12)]"));
        vm.assertFalse(vm.keyExistsJson("{}", ".limit"));
    }

    function test_parseJsonKeys_orderOfTheText() public {
        string[] memory keys = vm.parseJsonKeys(unicode'{"zinc": 1, "amber": {}, "é": 2, "": 3, "amber": 4}', "$");
        vm.assertEq(keys.length, 4);
        vm.assertEq(keys[0], "zinc");
        vm.assertEq(keys[1], "amber");
        vm.assertEq(keys[2], unicode"é");
        vm.assertEq(keys[3], "");
    }

    function test_parseJsonKeys_nested() public {
        vm.assertEq(vm.parseJsonKeys(json, ".stalls").length, 2);
        vm.assertEq(vm.parseJsonKeys(json, ".goods[1].from")[0], "land");
        vm.assertEq(vm.parseJsonKeys(json, ".goods[?(@.tags)]")[3], "tags");
        vm.assertEq(vm.parseJsonKeys(json, ".void").length, 0);
        vm.assertEq(vm.parseJsonKeys(json, "").length, 19);
    }
}

/// JSON paths: those that are none, and keys of what has none.
contract JsonPathErrors is Conformance {
    function test_parseJson_pathWithoutDot() public {
        vm.parseJson('{"zinc": 1}', "zinc");
    }

    function test_parseJson_pathEndsWithDot() public {
        vm.parseJson('{"zinc": 1}', ".zinc.");
    }

    function test_parseJson_pathOfOpenBracket() public {
        vm.parseJson('{"zinc": 1}', ".zinc[0");
    }

    function test_parseJson_pathOfOpenQuote() public {
        vm.parseJson('{"zinc": 1}', "['zinc]");
    }

    function test_parseJson_pathOfBareWordInBrackets() public {
        vm.parseJson('{"zinc": 1}', '$[zinc]["amber"]');
    }

    function test_parseJson_pathOfOpenFilter() public {
        vm.parseJson("[]", unicode"$.ü[?(@.zinc == 1]");
    }

    function test_parseJson_pathOfNullInFilter() public {
        vm.parseJson("[]", "$[?(@.zinc == null)]");
    }

    function test_parseJson_pathOfWrongFilterOperator() public {
        vm.parseJson("[]", "$[?(@.zinc = 1)]");
    }

    function test_parseJson_pathOfScript() public {
        vm.parseJson("[]", "$[(@.length-1)]");
    }

    function test_parseJson_textFirst() public {
        vm.parseJson("{", "zinc");
    }

    function test_keyExists_path() public {
        vm.keyExists("{}", "..");
    }

    function test_keyExists_text() public {
        vm.keyExists("zinc", "$");
    }

    function test_keyExistsJson_path() public {
        vm.keyExistsJson("{}", "zinc");
    }

    function test_keyExistsJson_text() public {
        vm.keyExistsJson("", "$");
    }

    function test_parseJsonKeys_nothing() public {
        vm.parseJsonKeys("{}", ".zinc");
    }

    function test_parseJsonKeys_several() public {
        vm.parseJsonKeys("[{}, {}]", "$[*]");
    }

    function test_parseJsonKeys_array() public {
        vm.parseJsonKeys("[{}]", "$");
    }

    function test_parseJsonKeys_null() public {
        vm.parseJsonKeys('{"zi\\"nc": null}', "['zi\"nc']");
    }

    function test_parseJsonKeys_path() public {
        vm.parseJsonKeys("{}", "$$");
    }

    function test_parseJsonKeys_text() public {
        vm.parseJsonKeys("{]", "$");
    }
}
