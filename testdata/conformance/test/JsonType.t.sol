// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseJsonType and parseJsonTypeArray: types that are given by a description.
contract JsonTypeTest is Conformance {
    struct Ingot {
        string stamp;
        uint8[] marks;
    }

    string constant INGOT = "Ingot(string stamp,uint8[] marks)";

    function test_parseJsonType_numbers() public {
        vm.assertEq(vm.parseJsonType("7", "uint256"), abi.encode(7));
        vm.assertEq(vm.parseJsonType('"0x10"', "uint"), abi.encode(16));
        vm.assertEq(vm.parseJsonType("255", "uint8"), abi.encode(255));
        vm.assertEq(vm.parseJsonType("-1", "int"), abi.encode(-1));
        vm.assertEq(vm.parseJsonType('"-1e3"', "int64"), abi.encode(-1000));
        vm.assertEq(vm.parseJsonType('"1.5 ether"', "uint256"), abi.encode(1.5 ether));
    }

    /// Too small a number for its type is let through.
    function test_parseJsonType_signedNumberTooSmall() public {
        vm.assertEq(vm.parseJsonType("-129", "int8"), abi.encode(-129));
    }

    function test_parseJsonType_bytes() public {
        vm.assertEq(vm.parseJsonType('"0x12"', "bytes"), abi.encode(hex"12"));
        vm.assertEq(vm.parseJsonType('"12"', "bytes"), abi.encode(hex"12"));
        vm.assertEq(vm.parseJsonType('"0x12345678"', "bytes4"), abi.encode(bytes4(0x12345678)));
        vm.assertEq(vm.parseJsonType('"ff"', "bytes1"), abi.encode(bytes1(0xff)));
        vm.assertEq(vm.parseJsonType('"0x000000000000000000000000000000000000dEaD"', "address"), abi.encode(0xdEaD));
    }

    function test_parseJsonType_stringsAndBools() public {
        vm.assertEq(vm.parseJsonType('"figs"', "string"), abi.encode("figs"));
        vm.assertEq(vm.parseJsonType("1e2", "string"), abi.encode("1e+2"));
        vm.assertEq(vm.parseJsonType("null", "string"), abi.encode("null"));
        vm.assertEq(vm.parseJsonType("true", "bool"), abi.encode(true));
        vm.assertEq(vm.parseJsonType('"false"', "bool"), abi.encode(false));
    }

    function test_parseJsonType_arrays() public {
        uint8[][] memory rows = new uint8[][](2);
        rows[1] = new uint8[](1);
        rows[1][0] = 9;
        vm.assertEq(vm.parseJsonType("[[], [9]]", "uint8[][]"), abi.encode(rows));
        vm.assertEq(vm.parseJsonType('[1, "2"]', "uint256[2]"), abi.encode(1, 2));
        vm.assertEq(vm.parseJsonType("[[1, 2]]", "uint256[2][]"), abi.encode(0x20, 1, 1, 2));
        vm.assertEq(vm.parseJsonType("[]", "string[]"), abi.encode(new string[](0)));
    }

    /// An array may be written in a string, in the syntax of the command line.
    function test_parseJsonType_arraysInStrings() public {
        string[] memory texts = new string[](2);
        (texts[0], texts[1]) = ("a", "b");
        vm.assertEq(vm.parseJsonType('"[a, b]"', "string[]"), abi.encode(texts));
        vm.assertEq(vm.parseJsonType('"[1,2]"', "uint256[2]"), abi.encode(1, 2));
        vm.assertEq(vm.parseJsonType('"(1,true)"', "(uint256,bool)"), abi.encode(1, true));
    }

    function test_parseJsonType_tuples() public {
        vm.assertEq(vm.parseJsonType('[1, "a"]', "(uint256,string)"), abi.encode(0x20, 1, 0x40, 1, bytes32("a")));
        vm.assertEq(vm.parseJsonType("[1, [true]]", "tuple(uint8,(bool))"), abi.encode(1, true));
        vm.assertEq(vm.parseJsonType("[]", "()"), "");
        vm.assertEq(vm.parseJsonType("[[1, 2], [3, 4]]", "(uint8,uint8)[]"), abi.encode(0x20, 2, 1, 2, 3, 4));
    }

    /// A name with a dot is taken for an enum.
    function test_parseJsonType_enum() public {
        vm.assertEq(vm.parseJsonType("3", "Ore.Colour"), abi.encode(3));
        vm.assertEq(vm.parseJsonType("[3]", "Ore.Colour[]"), abi.encode(0x20, 1, 3));
    }

    function test_parseJsonType_function() public {
        vm.assertEq(
            vm.parseJsonType('"0x000000000000000000000000000000000000dEaD12345678"', "function"),
            abi.encode(bytes24(hex"000000000000000000000000000000000000dEaD12345678"))
        );
    }

    function test_parseJsonType_atKey() public {
        string memory json = '{"zinc": [{"stamp": "fine", "marks": [1, 2]}, 7], "amber": "8"}';
        vm.assertEq(vm.parseJsonType(json, ".amber", "uint256"), abi.encode(8));
        vm.assertEq(vm.parseJsonType(json, "$.zinc[1]", "string"), abi.encode("7"));
        vm.assertEq(vm.parseJsonType(json, "..marks", "uint8[2]"), abi.encode(1, 2));
        Ingot memory ingot = abi.decode(vm.parseJsonType(json, ".zinc[0]", INGOT), (Ingot));
        vm.assertEq(ingot.stamp, "fine");
        vm.assertEq(uint256(ingot.marks[1]), 2);
    }

    function test_parseJsonTypeArray_values() public {
        string memory json = '{"zinc": [1, "0x2", 3e1], "amber": [], "ochre": [[1, 2], [3, 4]]}';
        vm.assertEq(vm.parseJsonTypeArray(json, ".zinc", "uint256"), abi.encode(0x20, 3, 1, 2, 30));
        vm.assertEq(vm.parseJsonTypeArray(json, ".amber", "address"), abi.encode(0x20, 0));
        vm.assertEq(vm.parseJsonTypeArray(json, ".ochre", "uint8[2]"), abi.encode(0x20, 2, 1, 2, 3, 4));
        vm.assertEq(vm.parseJsonTypeArray('["[1,2]"]', "$", "uint8[]"), abi.encode(0x20, 1, 0x20, 2, 1, 2));
    }

    function test_parseJsonTypeArray_structs() public {
        string memory json = '{"bars": [{"marks": [], "stamp": "a"}, {"stamp": "b", "marks": [5]}]}';
        Ingot[] memory ingots = abi.decode(vm.parseJsonTypeArray(json, ".bars", INGOT), (Ingot[]));
        vm.assertEq(ingots.length, 2);
        vm.assertEq(ingots[0].stamp, "a");
        vm.assertEq(ingots[0].marks.length, 0);
        vm.assertEq(ingots[1].stamp, "b");
        vm.assertEq(uint256(ingots[1].marks[0]), 5);
    }
}

/// parseJsonType and parseJsonTypeArray: values that are not of the type.
contract JsonTypeErrors is Conformance {
    function test_parseJsonType_tooBig() public {
        vm.parseJsonType("256", "uint8");
    }

    function test_parseJsonType_tooBigWithSign() public {
        vm.parseJsonType("128", "int8");
    }

    function test_parseJsonType_tooFewBytes() public {
        vm.parseJsonType('"0x12"', "bytes4");
    }

    function test_parseJsonType_oddDigits() public {
        vm.parseJsonType('"0x1"', "bytes1");
    }

    function test_parseJsonType_tooFewElements() public {
        vm.parseJsonType("[1]", "uint256[2]");
    }

    function test_parseJsonType_tooManyComponents() public {
        vm.parseJsonType("[1, 2]", "(uint256)");
    }

    function test_parseJsonType_arrayForNumber() public {
        vm.parseJsonType("[1]", "uint256");
    }

    function test_parseJsonType_objectForNumber() public {
        vm.parseJsonType("{}", "int8");
    }

    function test_parseJsonType_objectForTuple() public {
        vm.parseJsonType('{"zinc": 1}', "(uint256,string[])");
    }

    function test_parseJsonType_numberForArray() public {
        vm.parseJsonType("1", "bytes4[3]");
    }

    function test_parseJsonType_enumTooBig() public {
        vm.parseJsonType("300", "Ore.Colour");
    }

    function test_parseJsonType_text() public {
        vm.parseJsonType("", "uint256");
    }

    function test_parseJsonType_atKeyOfNothing() public {
        vm.parseJsonType("{}", ".zinc", "uint256");
    }

    function test_parseJsonType_atSeveralKeys() public {
        vm.parseJsonType("[1, 2]", "$[*]", "uint256");
    }

    function test_parseJsonType_atWrongPath() public {
        vm.parseJsonType("{}", "zinc", "uint256");
    }

    function test_parseJsonType_atKeyOfAnotherType() public {
        vm.parseJsonType('{"zinc": "x"}', ".zinc", "address");
    }

    function test_parseJsonType_atKeyOfAnotherText() public {
        vm.parseJsonType("{", ".zinc", "address");
    }

    function test_parseJsonTypeArray_value() public {
        vm.parseJsonTypeArray('{"zinc": 1}', ".zinc", "uint256");
    }

    function test_parseJsonTypeArray_object() public {
        vm.parseJsonTypeArray('{"zinc": {}}', ".zinc", "(uint8,bool)");
    }

    function test_parseJsonTypeArray_nothing() public {
        vm.parseJsonTypeArray("{}", ".zinc", "uint256");
    }

    function test_parseJsonTypeArray_element() public {
        vm.parseJsonTypeArray('["0x12", ""]', "$", "bytes");
    }

    function test_parseJsonTypeArray_path() public {
        vm.parseJsonTypeArray("[]", "$[", "bytes");
    }

    function test_parseJsonTypeArray_text() public {
        vm.parseJsonTypeArray("[", "$", "bytes");
    }

    function test_parseJsonTypeArray_type() public {
        vm.parseJsonTypeArray("[]", "$", "Seam(Vein vein)");
    }
}
