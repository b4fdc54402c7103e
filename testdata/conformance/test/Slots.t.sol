// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// A layout with all kinds of variables.
contract SlotsBox {
    struct Pair {
        uint256 a;
        address b;
    }

    uint128 public low;
    uint128 public high;
    uint256 public whole;
    Pair public pair;
    uint256[3] public fixedArray;
    uint64[5] public packedArray;
    string public text = "short";
    bytes public data = "a text that is longer than one word, in fact longer than two words";
    uint256[] public list;
    mapping(uint256 => uint256) public map;
    uint256 public constant FIXED = 1;
    uint256 public immutable unmoved = 2;

    function setText(string calldata value) external {
        text = value;
    }
}

/// The slots of named variables.
contract SlotsTest is Conformance {
    SlotsBox private box;

    function setUp() public {
        box = new SlotsBox();
    }

    function checkRange(string memory name, uint256 first, uint256 count) private {
        uint256[] memory slots = vm.getStorageSlots(address(box), name);
        vm.assertEq(slots.length, count);
        for (uint256 i; i < count; ++i) {
            vm.assertEq(slots[i], first + i);
        }
    }

    function test_getStorageSlots_inPlace() public {
        checkRange("low", 0, 1);
        checkRange("high", 0, 1);
        checkRange("whole", 1, 1);
        checkRange("pair", 2, 2);
        checkRange("fixedArray", 4, 3);
        checkRange("packedArray", 7, 2);
    }

    function test_getStorageSlots_case() public {
        checkRange("WHOLE", 1, 1);
        checkRange("fixedarray", 4, 3);
    }

    /// A long text has its slot and those of its words.
    function checkLong(address who, string memory name, uint256 slot) private {
        uint256[] memory slots = vm.getStorageSlots(who, name);
        vm.assertEq(slots.length, 4);
        vm.assertEq(slots[0], slot);
        for (uint256 i = 1; i < 4; ++i) {
            vm.assertEq(slots[i], uint256(keccak256(abi.encode(slot))) + i - 1);
        }
    }

    function test_getStorageSlots_bytes() public {
        checkRange("text", 9, 1);
        checkLong(address(box), "data", 10);
        box.setText("a text that is longer than one word, in fact longer than two words");
        checkLong(address(box), "text", 9);
    }

    /// The layout is found by the code.
    function test_getStorageSlots_etched() public {
        vm.etch(address(0x99), address(box).code);
        uint256[] memory slots = vm.getStorageSlots(address(0x99), "data");
        vm.assertEq(slots.length, 1);
        vm.assertEq(slots[0], 10);
        vm.store(address(0x99), bytes32(uint256(10)), bytes32(uint256(66 * 2 + 1)));
        checkLong(address(0x99), "data", 10);
    }

    function test_getStorageSlots_private() public {
        vm.assertEq(vm.getStorageSlots(address(this), "box").length, 1);
    }
}

/// Variables without slots of their own.
contract SlotsErrors is Conformance {
    address private box = address(new SlotsBox());

    function test_getStorageSlots_list() public {
        vm.getStorageSlots(box, "list");
    }

    function test_getStorageSlots_map() public {
        vm.getStorageSlots(box, "map");
    }

    function test_getStorageSlots_constant() public {
        vm.getStorageSlots(box, "FIXED");
    }

    function test_getStorageSlots_immutable() public {
        vm.getStorageSlots(box, "unmoved");
    }

    function test_getStorageSlots_empty() public {
        vm.getStorageSlots(box, "");
    }

    function test_getStorageSlots_member() public {
        vm.getStorageSlots(box, "pair.a");
    }

    function test_getStorageSlots_noCode() public {
        vm.getStorageSlots(address(0x77), "low");
    }

    function test_getStorageSlots_foreignCode() public {
        vm.etch(address(0x77), hex"6001");
        vm.getStorageSlots(address(0x77), "low");
    }
}
