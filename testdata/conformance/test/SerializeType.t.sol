// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// serializeJson and serializeJsonType: whole objects, and values whose type is described.
contract SerializeTypeTest is Conformance {
    struct Lamp {
        uint256 watts;
        string brand;
        bytes4 code;
        int8[2] span;
    }

    struct Room {
        Lamp[] lamps;
        address owner_;
        bool lit;
    }

    string constant LAMP = "Lamp(uint256 watts,string brand,bytes4 code,int8[2] span)";
    string constant ROOM =
        "Room(Lamp[] lamps,address owner_,bool lit)Lamp(uint256 watts,string brand,bytes4 code,int8[2] span)";

    /// A lamp, and the JSON that it makes.
    function _lamp() private pure returns (Lamp memory, string memory) {
        return
            (
                Lamp(60, "glow", 0x12345678, [int8(-2), 3]),
                '{"watts":60,"brand":"glow","code":"0x12345678","span":[-2,3]}'
            );
    }

    /// The text comes back as it is; what follows knows its values only.
    function test_serializeJson_returnsTheText() public {
        vm.assertEq(vm.serializeJson("o", ' { "z" : 1, "a":1e2, "a":2 }'), ' { "z" : 1, "a":1e2, "a":2 }');
        vm.assertEq(vm.serializeBool("o", "m", true), '{"a":2,"m":true,"z":1}');
        vm.assertEq(vm.serializeJson("p", "{}"), "{}");
    }

    function test_serializeJson_replacesTheObject() public {
        vm.serializeUint("o", "k", 1);
        vm.assertEq(vm.serializeJson("o", '{"n":{"z":1.50,"a":[1E2]},"m":null}'), '{"n":{"z":1.50,"a":[1E2]},"m":null}');
        vm.assertEq(vm.serializeUint("o", "q", 2), '{"m":null,"n":{"z":1.50,"a":[1e+2]},"q":2}');
    }

    function test_serializeJsonType_numbers() public {
        vm.assertEq(vm.serializeJsonType("uint256", abi.encode(5)), "5");
        vm.assertEq(vm.serializeJsonType("uint256", abi.encode(2 ** 64)), '"18446744073709551616"');
        vm.assertEq(vm.serializeJsonType("int8", abi.encode(-5)), "-5");
        vm.assertEq(vm.serializeJsonType("int256", abi.encode(type(int64).min)), "-9223372036854775808");
    }

    /// What is no value of its type is taken nevertheless, and so is what follows a value.
    function test_serializeJsonType_valuesOutOfRange() public {
        vm.assertEq(vm.serializeJsonType("uint8", abi.encode(256)), "256");
        vm.assertEq(vm.serializeJsonType("bool", abi.encode(2)), "true");
        vm.assertEq(
            vm.serializeJsonType("address", abi.encode(type(uint256).max)),
            '"0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF"'
        );
        vm.assertEq(vm.serializeJsonType("uint256", abi.encode(1, 2)), "1");
    }

    function test_serializeJsonType_otherValues() public {
        vm.assertEq(vm.serializeJsonType("bool", abi.encode(true)), "true");
        vm.assertEq(vm.serializeJsonType("string", abi.encode('a"b')), '"a\\"b"');
        vm.assertEq(vm.serializeJsonType("string", abi.encode('{"z": 1}')), '{"z":1}');
        vm.assertEq(vm.serializeJsonType("string", abi.encode(hex"61ff62")), unicode'"a�b"');
        vm.assertEq(vm.serializeJsonType("bytes", abi.encode(hex"00FF")), '"0x00ff"');
        vm.assertEq(vm.serializeJsonType("bytes4", abi.encode(bytes4(0x12345678))), '"0x12345678"');
        vm.assertEq(
            vm.serializeJsonType("address", abi.encode(address(0xdEaD))), '"0x000000000000000000000000000000000000dEaD"'
        );
    }

    function test_serializeJsonType_arraysAndTuples() public {
        bytes[] memory values = new bytes[](2);
        values[1] = hex"01";
        vm.assertEq(vm.serializeJsonType("bytes[]", abi.encode(values)), '["0x","0x01"]');
        vm.assertEq(vm.serializeJsonType("uint8[2][]", abi.encode(0x20, 1, 3, 4)), "[[3,4]]");
        vm.assertEq(vm.serializeJsonType("string[]", abi.encode(new string[](0))), "[]");
        vm.assertEq(vm.serializeJsonType("(uint256,bool)", abi.encode(1, true)), "[1,true]");
        vm.assertEq(vm.serializeJsonType("()", ""), "[]");
    }

    function test_serializeJsonType_structs() public {
        (Lamp memory lamp, string memory json) = _lamp();
        vm.assertEq(vm.serializeJsonType(LAMP, abi.encode(lamp)), json);
        Room memory room = Room(new Lamp[](1), address(0xdEaD), true);
        room.lamps[0] = lamp;
        vm.assertEq(
            vm.serializeJsonType(ROOM, abi.encode(room)),
            string.concat('{"lamps":[', json, '],"owner_":"0x000000000000000000000000000000000000dEaD","lit":true}')
        );
    }

    /// The keys of a struct that the project does not know come in no certain order.
    function test_serializeJsonType_structKnownToNobody() public {
        vm.assertEq(vm.serializeJsonType("Spark(uint256 z)", abi.encode(1)), '{"z":1}');
        string memory json = vm.serializeJsonType("Wick(uint256 z,bool a)", abi.encode(1, true));
        vm.assertEq(vm.parseJsonKeys(json, "$").length, 2);
        vm.assertEq(vm.parseJsonUint(json, ".z"), 1);
        vm.assertTrue(vm.parseJsonBool(json, ".a"));
    }

    function test_serializeJsonType_intoObject() public {
        (Lamp memory lamp, string memory json) = _lamp();
        vm.serializeJsonType("o", "zinc", LAMP, abi.encode(lamp));
        vm.assertEq(
            vm.serializeJsonType("o", "amber", "uint256[]", abi.encode(new uint256[](2))),
            string.concat('{"amber":[0,0],"zinc":', json, "}")
        );
        vm.assertEq(vm.serializeJsonType("o", "zinc", "bool", abi.encode(true)), '{"amber":[0,0],"zinc":true}');
    }

    /// What the type cheatcodes write, they read.
    function test_serializeJsonType_parsedAgain() public {
        (Lamp memory lamp,) = _lamp();
        string memory json = vm.serializeJsonType("o", "lamp", LAMP, abi.encode(lamp));
        vm.assertEq(vm.parseJsonType(json, ".lamp", LAMP), abi.encode(lamp));
        vm.assertEq(vm.parseJsonType(vm.serializeJsonType(LAMP, abi.encode(lamp)), LAMP), abi.encode(lamp));
    }
}

/// serializeJson and serializeJsonType: what is no object, and what is not of the type.
contract SerializeTypeErrors is Conformance {
    function test_serializeJson_array() public {
        vm.serializeJson("o", "[1]");
    }

    function test_serializeJson_number() public {
        vm.serializeJson("o", " 1.50");
    }

    function test_serializeJson_integer() public {
        vm.serializeJson("o", "-7");
    }

    function test_serializeJson_bool() public {
        vm.serializeJson("o", "true");
    }

    function test_serializeJson_null() public {
        vm.serializeJson("o", "null");
    }

    function test_serializeJson_string() public {
        vm.serializeJson("o", '"s"');
    }

    function test_serializeJson_empty() public {
        vm.serializeJson("o", "");
    }

    function test_serializeJson_noJson() public {
        vm.serializeJson("o", '{"z":1} x');
    }

    function test_serializeJsonType_noValue() public {
        vm.serializeJsonType("uint256", "");
    }

    function test_serializeJsonType_shortValue() public {
        vm.serializeJsonType("(uint256,string)", abi.encode(1, "x"));
    }

    function test_serializeJsonType_function() public {
        vm.serializeJsonType("function", abi.encode(bytes24("f")));
    }

    function test_serializeJsonType_typeNotDescribed() public {
        vm.serializeJsonType("Wick(Flame flame)", "");
    }

    function test_serializeJsonType_noValueForObject() public {
        vm.serializeJsonType("o", "k", "uint256[]", "");
    }

    function test_serializeJsonType_functionForObject() public {
        vm.serializeJsonType("o", "k", "function[]", abi.encode(0x20, 1, 0));
    }

    function test_serializeJsonType_typeNotDescribedForObject() public {
        vm.serializeJsonType("o", "k", "Wick(Flame[] flame)", "");
    }
}
