// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

struct Segment {
    uint256[2] from;
    uint256[2] to;
    string name;
}

struct Corner {
    uint256 x;
    uint256 y;
}

struct Shape {
    Corner[2] corners;
    bytes32[2][] words;
}

/// JSON with comments, the length of arrays, and arrays of fixed length in structs.
contract JsonTest is Conformance {
    function test_parseJsonArrayLength() public {
        vm.assertEq(vm.parseJsonArrayLength('{"a": [1, [2, 3], {}]}', ".a"), 3);
        vm.assertEq(vm.parseJsonArrayLength("[]", "$"), 0);
        bytes memory call = abi.encodeWithSignature("parseJsonArrayLength(string,string)", '{"a": 1}', ".a");
        fails(call, 'vm.parseJsonArrayLength: JSON value at ".a" is not an array');
        call = abi.encodeWithSignature("parseJsonArrayLength(string,string)", '{"a": 1}', ".b");
        fails(call, 'vm.parseJsonArrayLength: key ".b" must return exactly one JSON array');
    }

    function test_parseJson_comments() public {
        string memory json = '{ // one\n "a": /* 2, */ 3, "url": "http://x/*y*/" /* \n */ }';
        vm.assertEq(vm.parseJsonUint(json, ".a"), 3);
        vm.assertEq(vm.parseJsonString(json, ".url"), "http://x/*y*/");
        vm.assertTrue(vm.keyExistsJson(json, ".a"));
        fails(
            abi.encodeWithSignature("parseJson(string)", "{} /*"),
            "vm.parseJson: failed parsing JSON: unterminated block comment"
        );
    }

    function test_parseJson_arraysOfFixedLength() public {
        bytes memory data = vm.parseJson('{"to": [3, 4], "name": "ab", "from": [1, 2]}');
        Segment memory segment = abi.decode(data, (Segment));
        vm.assertEq(segment.from[1], 2);
        vm.assertEq(segment.to[0], 3);
        vm.assertEq(segment.name, "ab");
    }

    function test_parseJson_arraysOfStructs() public {
        string memory word = '"0x0000000000000000000000000000000000000000000000000000000000000007"';
        string memory words = string.concat('"words": [[', word, ", ", word, "]]");
        string memory corners = '"corners": [{"x": 1, "y": 2}, {"y": 4, "x": 3}]';
        Shape memory shape = abi.decode(vm.parseJson(string.concat("{", words, ",", corners, "}")), (Shape));
        vm.assertEq(shape.corners[1].x, 3);
        vm.assertEq(shape.words.length, 1);
        vm.assertEq(shape.words[0][1], bytes32(uint256(7)));
    }

    function test_parseJson_arrayOfAnotherLength() public {
        bytes memory call = abi.encodeWithSignature("parseJson(string)", '{"to": [3], "name": "ab", "from": [1, 2]}');
        fails(call, "vm.parseJson: array length mismatch");
    }
}
