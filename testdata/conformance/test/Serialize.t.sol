// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Writes to an object of its caller's test.
contract Scribe is Conformance {
    constructor() {
        vm.serializeUint("desk", "constructor", 1);
    }

    function write() external {
        vm.serializeUint("desk", "write", 2);
    }

    function writeAndRevert() external {
        vm.serializeUint("desk", "writeAndRevert", 3);
        revert();
    }
}

/// serializeBool and the others of a value or of an array: what becomes of it, and of the object it is put into.
contract SerializeTest is Conformance {
    string fromSetUp;

    function setUp() public {
        fromSetUp = vm.serializeString("seat", "setUp", "yes");
    }

    function test_serializeBool_value() public {
        vm.assertEq(vm.serializeBool("o", "k", true), '{"k":true}');
        vm.assertEq(vm.serializeBool("o", "k", false), '{"k":false}');
    }

    function test_serializeBool_array() public {
        bool[] memory values = new bool[](2);
        values[1] = true;
        vm.assertEq(vm.serializeBool("o", "k", values), '{"k":[false,true]}');
        vm.assertEq(vm.serializeBool("o", "k", new bool[](0)), '{"k":[]}');
    }

    /// A number that no 64-bit integer can hold becomes a string.
    function test_serializeUint_value() public {
        vm.assertEq(vm.serializeUint("o", "k", 0), '{"k":0}');
        vm.assertEq(vm.serializeUint("o", "k", 2 ** 53 + 1), '{"k":9007199254740993}');
        vm.assertEq(vm.serializeUint("o", "k", type(uint64).max), '{"k":18446744073709551615}');
        vm.assertEq(vm.serializeUint("o", "k", 2 ** 64), '{"k":"18446744073709551616"}');
        vm.assertEq(
            vm.serializeUint("o", "k", type(uint256).max),
            '{"k":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}'
        );
    }

    function test_serializeUint_array() public {
        uint256[] memory values = new uint256[](3);
        (values[0], values[1]) = (type(uint64).max, 2 ** 64);
        vm.assertEq(vm.serializeUint("o", "k", values), '{"k":[18446744073709551615,"18446744073709551616",0]}');
        vm.assertEq(vm.serializeUint("o", "k", new uint256[](0)), '{"k":[]}');
    }

    function test_serializeInt_value() public {
        vm.assertEq(vm.serializeInt("o", "k", 0), '{"k":0}');
        vm.assertEq(vm.serializeInt("o", "k", -1), '{"k":-1}');
        vm.assertEq(vm.serializeInt("o", "k", type(int64).max), '{"k":9223372036854775807}');
        vm.assertEq(vm.serializeInt("o", "k", int256(2 ** 63)), '{"k":"9223372036854775808"}');
        vm.assertEq(vm.serializeInt("o", "k", type(int64).min), '{"k":-9223372036854775808}');
        vm.assertEq(vm.serializeInt("o", "k", -int256(2 ** 63) - 1), '{"k":"-9223372036854775809"}');
    }

    function test_serializeInt_array() public {
        int256[] memory values = new int256[](2);
        (values[0], values[1]) = (-5, type(int256).min);
        vm.assertEq(
            vm.serializeInt("o", "k", values),
            '{"k":[-5,"-57896044618658097711785492504343953926634992332820282019728792003956564819968"]}'
        );
        vm.assertEq(vm.serializeInt("o", "k", new int256[](0)), '{"k":[]}');
    }

    function test_serializeUintToHex_value() public {
        vm.assertEq(vm.serializeUintToHex("o", "k", 0), '{"k":"0x0"}');
        vm.assertEq(vm.serializeUintToHex("o", "k", 255), '{"k":"0xff"}');
        vm.assertEq(vm.serializeUintToHex("o", "k", 256), '{"k":"0x100"}');
        vm.assertEq(
            vm.serializeUintToHex("o", "k", type(uint256).max),
            '{"k":"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}'
        );
    }

    function test_serializeAddress_value() public {
        vm.assertEq(
            vm.serializeAddress("o", "k", 0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF),
            '{"k":"0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF"}'
        );
        vm.assertEq(vm.serializeAddress("o", "k", address(0)), '{"k":"0x0000000000000000000000000000000000000000"}');
    }

    function test_serializeAddress_array() public {
        address[] memory values = new address[](1);
        values[0] = address(0xdEaD);
        vm.assertEq(vm.serializeAddress("o", "k", values), '{"k":["0x000000000000000000000000000000000000dEaD"]}');
        vm.assertEq(vm.serializeAddress("o", "k", new address[](0)), '{"k":[]}');
    }

    function test_serializeBytes32_value() public {
        vm.assertEq(
            vm.serializeBytes32("o", "k", bytes32("ab")),
            '{"k":"0x6162000000000000000000000000000000000000000000000000000000000000"}'
        );
    }

    function test_serializeBytes32_array() public {
        bytes32[] memory values = new bytes32[](1);
        vm.assertEq(
            vm.serializeBytes32("o", "k", values),
            '{"k":["0x0000000000000000000000000000000000000000000000000000000000000000"]}'
        );
        vm.assertEq(vm.serializeBytes32("o", "k", new bytes32[](0)), '{"k":[]}');
    }

    function test_serializeBytes_value() public {
        vm.assertEq(vm.serializeBytes("o", "k", hex"00FF"), '{"k":"0x00ff"}');
        vm.assertEq(vm.serializeBytes("o", "k", ""), '{"k":"0x"}');
    }

    function test_serializeBytes_array() public {
        bytes[] memory values = new bytes[](2);
        values[0] = "ab";
        vm.assertEq(vm.serializeBytes("o", "k", values), '{"k":["0x6162","0x"]}');
        vm.assertEq(vm.serializeBytes("o", "k", new bytes[](0)), '{"k":[]}');
    }

    function test_serializeString_value() public {
        vm.assertEq(vm.serializeString("o", "k", ""), '{"k":""}');
        vm.assertEq(vm.serializeString("o", "k", 'a"b\\c/\n\t\x01\x7f'), '{"k":"a\\"b\\\\c/\\n\\t\\u0001\x7f"}');
        vm.assertEq(vm.serializeString("o", "k", unicode"é☃🙂"), unicode'{"k":"é☃🙂"}');
        vm.assertEq(vm.serializeString("o", "k", string(bytes(hex"61ff62"))), unicode'{"k":"a�b"}');
    }

    function test_serializeString_array() public {
        string[] memory values = new string[](4);
        (values[0], values[1], values[2]) = ('{"z":1, "y":[]}', "[1]", "a,b");
        vm.assertEq(vm.serializeString("o", "k", values), '{"k":[{"z":1,"y":[]},"[1]","a,b",""]}');
        vm.assertEq(vm.serializeString("o", "k", new string[](0)), '{"k":[]}');
    }

    /// Only the text of an object becomes a value of its own: its keys stay in their order, its numbers keep their digits.
    function test_serializeString_json() public {
        vm.assertEq(
            vm.serializeString("o", "k", unicode' { "z" : 1.50, "a": 1E3, "é": -0 } '),
            unicode'{"k":{"z":1.50,"a":1e+3,"é":0}}'
        );
        vm.assertEq(vm.serializeString("o", "k", '{"z":1,"z":{}}'), '{"k":{"z":{}}}');
        vm.assertEq(
            vm.serializeString("o", "k", '{"z":123456789012345678901234567890}'),
            '{"k":{"z":123456789012345678901234567890}}'
        );
        vm.assertEq(vm.serializeString("o", "k", "[1]"), '{"k":"[1]"}');
        vm.assertEq(vm.serializeString("o", "k", "1"), '{"k":"1"}');
        vm.assertEq(vm.serializeString("o", "k", '"s"'), '{"k":"\\"s\\""}');
        vm.assertEq(vm.serializeString("o", "k", "null"), '{"k":"null"}');
        vm.assertEq(vm.serializeString("o", "k", '{"z":1'), '{"k":"{\\"z\\":1"}');
    }

    /// An object returns all its keys, sorted; a key that is given again takes the new value.
    function test_serializeUint_keysOfAnObject() public {
        vm.assertEq(vm.serializeUint("o", "zinc", 1), '{"zinc":1}');
        vm.assertEq(vm.serializeUint("o", unicode"é", 2), unicode'{"zinc":1,"é":2}');
        vm.assertEq(vm.serializeUint("o", "amber", 3), unicode'{"amber":3,"zinc":1,"é":2}');
        vm.assertEq(vm.serializeBool("o", "zinc", true), unicode'{"amber":3,"zinc":true,"é":2}');
        vm.assertEq(vm.serializeUint("o", "Zinc", 4), unicode'{"Zinc":4,"amber":3,"zinc":true,"é":2}');
        vm.assertEq(vm.serializeUint("o", "", 5), unicode'{"":5,"Zinc":4,"amber":3,"zinc":true,"é":2}');
    }

    function test_serializeUint_keysThatLookLikePaths() public {
        vm.serializeUint("o", "a.b", 1);
        vm.serializeUint("o", "$", 2);
        vm.assertEq(vm.serializeUint("o", 'a"\n', 3), '{"$":2,"a\\"\\n":3,"a.b":1}');
    }

    function test_serializeUint_objectsApart() public {
        vm.serializeUint("one", "k", 1);
        vm.serializeUint("", "k", 2);
        vm.assertEq(vm.serializeUint("two", "m", 3), '{"m":3}');
        vm.assertEq(vm.serializeUint("", "m", 4), '{"k":2,"m":4}');
        vm.assertEq(vm.serializeUint("one", "m", 5), '{"k":1,"m":5}');
    }

    /// An object in an object is a copy.
    function test_serializeString_nested() public {
        string memory inner = vm.serializeUint("inner", "x", 1);
        vm.assertEq(vm.serializeString("outer", "in", inner), '{"in":{"x":1}}');
        inner = vm.serializeUint("inner", "w", 2);
        vm.assertEq(vm.serializeUint("outer", "t", 3), '{"in":{"x":1},"t":3}');
        vm.assertEq(vm.serializeString("outer", "in", inner), '{"in":{"w":2,"x":1},"t":3}');
        vm.assertEq(vm.serializeString("inner", "self", inner), '{"self":{"w":2,"x":1},"w":2,"x":1}');
    }

    /// No other test's objects.
    function test_serializeUint_objectOfNoOtherTest() public {
        vm.assertEq(vm.serializeUint("o", "only", 1), '{"only":1}');
    }

    function test_serializeUint_objectOfSetUp() public {
        vm.assertEq(fromSetUp, '{"setUp":"yes"}');
        vm.assertEq(vm.serializeUint("seat", "test", 1), '{"setUp":"yes","test":1}');
    }

    /// Other contracts write into the same objects, and a revert takes nothing back.
    function test_serializeUint_otherContractsAndReverts() public {
        Scribe scribe = new Scribe();
        scribe.write();
        try scribe.writeAndRevert() {} catch {}
        vm.assertEq(vm.serializeUint("desk", "last", 4), '{"constructor":1,"last":4,"write":2,"writeAndRevert":3}');
    }

    function test_serializeUint_snapshots() public {
        uint256 id = vm.snapshotState();
        vm.serializeUint("o", "k", 1);
        vm.revertToState(id);
        vm.assertEq(vm.serializeUint("o", "m", 2), '{"k":1,"m":2}');
    }

    function test_serializeAddress_prank() public {
        vm.prank(address(7));
        vm.assertEq(vm.serializeBool("o", "k", true), '{"k":true}');
        (bool ok, bytes memory data) =
            address(vm).staticcall(abi.encodeWithSignature("serializeUint(string,string,uint256)", "o", "m", 1));
        vm.assertTrue(ok);
        vm.assertEq(abi.decode(data, (string)), '{"k":true,"m":1}');
    }

    function test_serializeUint_parsedAgain() public {
        string memory json = vm.serializeUint("o", "k", type(uint256).max);
        vm.assertEq(vm.parseJsonUint(json, ".k"), type(uint256).max);
        json = vm.serializeInt("o", "m", type(int256).min);
        vm.assertEq(vm.parseJsonInt(json, ".m"), type(int256).min);
        vm.assertEq(vm.parseJson(json, ".m"), abi.encode(type(int256).min));
    }
}
