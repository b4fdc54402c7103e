// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// parseTomlUint and the others of a type: what they take for a value of their type.
contract TomlTypedTest is Conformance {
    struct Brick {
        uint256 mass;
        string glaze;
    }

    string constant BRICK = "Brick(uint256 mass,string glaze)";

    function test_parseTomlUint_values() public {
        vm.assertEq(vm.parseTomlUint("k = 7", ".k"), 7);
        vm.assertEq(vm.parseTomlUint("k = 0xff", "$.k"), 255);
        vm.assertEq(vm.parseTomlUint("k = 1_000", ".k"), 1000);
        vm.assertEq(vm.parseTomlUint("k = 1e18", ".k"), 1 ether);
        vm.assertEq(vm.parseTomlUint("k = '1.5 ether'", ".k"), 1.5 ether);
        vm.assertEq(vm.parseTomlUint("[a.b]\nk = '0x10'", ".a.b.k"), 16);
        vm.assertEq(
            vm.parseTomlUint(
                'k = "115792089237316195423570985008687907853269984665640564039457584007913129639935"', ".k"
            ),
            type(uint256).max
        );
    }

    function test_parseTomlInt_values() public {
        vm.assertEq(vm.parseTomlInt("k = -7", ".k"), -7);
        vm.assertEq(vm.parseTomlInt("k = +7", ".k"), 7);
        vm.assertEq(vm.parseTomlInt("k = -1e18", ".k"), -1 ether);
        vm.assertEq(vm.parseTomlInt("k = '-0x10'", ".k"), -16);
        vm.assertEq(vm.parseTomlInt("k = -9223372036854775808", ".k"), type(int64).min);
    }

    function test_parseTomlBool_values() public {
        vm.assertTrue(vm.parseTomlBool("k = true", ".k"));
        vm.assertFalse(vm.parseTomlBool("k = false", ".k"));
        vm.assertTrue(vm.parseTomlBool("k = 'TRUE'", ".k"));
        vm.assertTrue(vm.parseTomlBool("k = 1", ".k"));
        vm.assertFalse(vm.parseTomlBool("k = 0x0", ".k"));
    }

    function test_parseTomlAddress_values() public {
        vm.assertEq(vm.parseTomlAddress("k = '0x000000000000000000000000000000000000dEaD'", ".k"), address(0xdEaD));
        vm.assertEq(
            vm.parseTomlAddress('[[l]]\nk = "000000000000000000000000000000000000DEAD"', ".l[0].k"), address(0xdEaD)
        );
    }

    function test_parseTomlString_strings() public {
        vm.assertEq(vm.parseTomlString('k = "a\\"\\n"', ".k"), 'a"\n');
        vm.assertEq(vm.parseTomlString("k = ''", ".k"), "");
        vm.assertEq(vm.parseTomlString('k = """\na\n b"""', ".k"), "a\n b");
        vm.assertEq(vm.parseTomlString(unicode"['ü x']\nk = 'é☃'", unicode"['ü x'].k"), unicode"é☃");
    }

    /// Values of other types in the form that they have in JSON.
    function test_parseTomlString_otherValues() public {
        vm.assertEq(vm.parseTomlString("k = 0xff", ".k"), "255");
        vm.assertEq(vm.parseTomlString("k = -1_0", ".k"), "-10");
        vm.assertEq(vm.parseTomlString("k = true", ".k"), "true");
        vm.assertEq(vm.parseTomlString("k = 1.50", ".k"), "1.5");
        vm.assertEq(vm.parseTomlString("k = -0.0", ".k"), "-0.0");
        vm.assertEq(vm.parseTomlString("k = 1e3", ".k"), "1000.0");
        vm.assertEq(vm.parseTomlString("k = 1e18", ".k"), "1e+18");
        vm.assertEq(vm.parseTomlString("k = 1e-7", ".k"), "1e-7");
        vm.assertEq(vm.parseTomlString("k = 0.1234567890123456789", ".k"), "0.12345678901234568");
        vm.assertEq(vm.parseTomlString("k = nan", ".k"), "NaN");
        vm.assertEq(vm.parseTomlString("k = +inf", ".k"), "inf");
        vm.assertEq(vm.parseTomlString("k = 1979-05-27 07:32:00.10Z", ".k"), "1979-05-27T07:32:00.1Z");
        vm.assertEq(vm.parseTomlString("k = 1979-05-27", ".k"), "1979-05-27");
    }

    function test_parseTomlBytes_values() public {
        vm.assertEq(vm.parseTomlBytes("k = '0x1234'", ".k"), hex"1234");
        vm.assertEq(vm.parseTomlBytes("k = 'AB'", ".k"), hex"ab");
        vm.assertEq(vm.parseTomlBytes("k = '0x'", ".k"), "");
        vm.assertEq(vm.parseTomlBytes("k = 0x12", ".k"), hex"18");
    }

    function test_parseTomlBytes32_values() public {
        vm.assertEq(
            vm.parseTomlBytes32("k = '0x0000000000000000000000000000000000000000000000000000000000000001'", ".k"),
            bytes32(uint256(1))
        );
    }

    function test_parseTomlUintArray_values() public {
        uint256[] memory values = vm.parseTomlUintArray("k = [1, 0x10, '1 gwei', 1e18]", ".k");
        vm.assertEq(abi.encode(values), abi.encode(0x20, 4, 1, 16, 1 gwei, 1 ether));
        vm.assertEq(vm.parseTomlUintArray("k = []", ".k").length, 0);
        vm.assertEq(vm.parseTomlUintArray("k = '[1, 2]'", ".k")[1], 2);
    }

    function test_parseTomlIntArray_values() public {
        int256[] memory values = vm.parseTomlIntArray("k = [1, -2]", ".k");
        vm.assertEq(values.length, 2);
        vm.assertEq(values[1], -2);
    }

    function test_parseTomlBoolArray_values() public {
        bool[] memory values = vm.parseTomlBoolArray("k = [true, 'false', 1]", ".k");
        vm.assertEq(abi.encode(values), abi.encode(0x20, 3, true, false, true));
    }

    function test_parseTomlAddressArray_values() public {
        address[] memory values = vm.parseTomlAddressArray("k = ['0x000000000000000000000000000000000000dEaD']", ".k");
        vm.assertEq(values.length, 1);
        vm.assertEq(values[0], address(0xdEaD));
    }

    function test_parseTomlStringArray_values() public {
        string[] memory values = vm.parseTomlStringArray("k = ['a,b', '', 1.0, true, 07:32:00]", ".k");
        vm.assertEq(values.length, 5);
        vm.assertEq(values[0], "a,b");
        vm.assertEq(values[1], "");
        vm.assertEq(values[2], "1.0");
        vm.assertEq(values[3], "true");
        vm.assertEq(values[4], "07:32:00");
    }

    function test_parseTomlBytesArray_values() public {
        bytes[] memory values = vm.parseTomlBytesArray("k = ['0x', '12']", ".k");
        vm.assertEq(values.length, 2);
        vm.assertEq(values[0], "");
        vm.assertEq(values[1], hex"12");
    }

    function test_parseTomlBytes32Array_values() public {
        bytes32[] memory values = vm.parseTomlBytes32Array(
            "k = ['0x0000000000000000000000000000000000000000000000000000000000000001']", ".k"
        );
        vm.assertEq(abi.encode(values), abi.encode(0x20, 1, 1));
    }

    function test_parseTomlType_wholeText() public {
        Brick memory brick = abi.decode(vm.parseTomlType("glaze = 5\nmass = '2 gwei'\nmore = 1", BRICK), (Brick));
        vm.assertEq(brick.mass, 2 gwei);
        vm.assertEq(brick.glaze, "5");
        vm.assertEq(vm.parseTomlType("amber = 1\nzinc = [2, 3]", "Ore(uint8[2] zinc,uint8 amber)"), abi.encode(2, 3, 1));
    }

    function test_parseTomlType_atKey() public {
        vm.assertEq(vm.parseTomlType("k = 7", ".k", "uint8"), abi.encode(7));
        vm.assertEq(vm.parseTomlType("k = '0x12345678'", ".k", "bytes4"), abi.encode(bytes4(0x12345678)));
        vm.assertEq(vm.parseTomlType("k = [[1], []]", ".k[0]", "uint256[]"), abi.encode(0x20, 1, 1));
        vm.assertEq(vm.parseTomlType("k = [1, true]", ".k", "(uint8,bool)"), abi.encode(1, true));
        vm.assertEq(
            vm.parseTomlType("[k]\nglaze = 'red'\nmass = 1", ".k", BRICK), abi.encode(Brick({mass: 1, glaze: "red"}))
        );
    }

    function test_parseTomlTypeArray_values() public {
        Brick[] memory bricks = abi.decode(
            vm.parseTomlTypeArray("[[k]]\nmass = 1\nglaze = 'a'\n[[k]]\nglaze = 'b'\nmass = 2", ".k", BRICK), (Brick[])
        );
        vm.assertEq(bricks.length, 2);
        vm.assertEq(bricks[1].mass, 2);
        vm.assertEq(bricks[1].glaze, "b");
        vm.assertEq(vm.parseTomlTypeArray("k = [1, 2]", ".k", "uint256"), abi.encode(0x20, 2, 1, 2));
        vm.assertEq(vm.parseTomlTypeArray("k = []", ".k", "bytes"), abi.encode(0x20, 0));
    }
}

/// Typed values of TOML: texts, paths and values that do not fit.
contract TomlTypedErrors is Conformance {
    function test_parseTomlUint_negative() public {
        vm.parseTomlUint("k = -1", ".k");
    }

    function test_parseTomlUint_float() public {
        vm.parseTomlUint("k = 1e3", ".k");
    }

    function test_parseTomlUint_nothing() public {
        vm.parseTomlUint("k = 1", ".m");
    }

    function test_parseTomlUint_path() public {
        vm.parseTomlUint("k = 1", "k");
    }

    function test_parseTomlUint_text() public {
        vm.parseTomlUint("k", ".k");
    }

    function test_parseTomlInt_date() public {
        vm.parseTomlInt("k = 1979-05-27", ".k");
    }

    function test_parseTomlInt_several() public {
        vm.parseTomlInt("k = [1, 2]", ".k[*]");
    }

    function test_parseTomlBool_number() public {
        vm.parseTomlBool("k = 2", ".k");
    }

    function test_parseTomlAddress_number() public {
        vm.parseTomlAddress("k = 0x1", ".k");
    }

    function test_parseTomlString_array() public {
        vm.parseTomlString("k = []", ".k");
    }

    function test_parseTomlString_table() public {
        vm.parseTomlString("[k]", ".k");
    }

    function test_parseTomlBytes_word() public {
        vm.parseTomlBytes("k = 'figs'", ".k");
    }

    function test_parseTomlBytes32_short() public {
        vm.parseTomlBytes32("k = '0x12'", ".k");
    }

    function test_parseTomlUintArray_number() public {
        vm.parseTomlUintArray("k = 1", ".k");
    }

    function test_parseTomlIntArray_element() public {
        vm.parseTomlIntArray("k = [1.5]", ".k");
    }

    function test_parseTomlBoolArray_array() public {
        vm.parseTomlBoolArray("k = [[]]", ".k");
    }

    function test_parseTomlAddressArray_element() public {
        vm.parseTomlAddressArray("k = ['']", ".k");
    }

    function test_parseTomlStringArray_tables() public {
        vm.parseTomlStringArray("[[k]]", ".k");
    }

    function test_parseTomlBytesArray_table() public {
        vm.parseTomlBytesArray("[k]", ".k");
    }

    function test_parseTomlBytes32Array_element() public {
        vm.parseTomlBytes32Array("k = ['0x']", ".k");
    }

    function test_parseTomlType_fieldMissing() public {
        vm.parseTomlType("glaze = 'a'", "Brick(uint256 mass,string glaze)");
    }

    function test_parseTomlType_text() public {
        vm.parseTomlType("k = ", "uint256");
    }

    function test_parseTomlType_table() public {
        vm.parseTomlType("", "uint256");
    }

    function test_parseTomlType_atKeyOfNothing() public {
        vm.parseTomlType("k = 1", ".m", "uint256");
    }

    function test_parseTomlType_atKeyTooBig() public {
        vm.parseTomlType("k = 256", ".k", "uint8");
    }

    function test_parseTomlTypeArray_value() public {
        vm.parseTomlTypeArray("k = 1", ".k", "uint256");
    }

    function test_parseTomlTypeArray_typeNotDescribed() public {
        vm.parseTomlTypeArray("k = []", ".k", "Wall(Stone stone)");
    }
}
