// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// The random cheatcodes, setSeed, shuffle and bound: ranges, and that a seed makes them repeat.
contract RandomTest is Conformance {
    uint256 constant DRAWS = 40;

    function draw() internal returns (bytes memory) {
        uint256[] memory list = new uint256[](5);
        for (uint256 i = 0; i < 5; i++) {
            list[i] = i;
        }
        return bytes.concat(
            abi.encode(vm.randomUint(), vm.randomUint(100), vm.randomUint(3, 9), vm.randomInt(), vm.randomInt(50)),
            abi.encode(vm.randomAddress(), vm.randomBool(), vm.randomBytes(7), vm.randomBytes4(), vm.randomBytes8()),
            abi.encode(vm.shuffle(list), vm.bound(uint256(5), 1, 100), vm.bound(int256(-5), -100, 100))
        );
    }

    function test_setSeed_repeats() public {
        vm.setSeed(1);
        bytes memory first = draw();
        bytes memory second = draw();
        vm.assertNotEq(first, second);
        vm.setSeed(1);
        vm.assertEq(draw(), first);
        vm.assertEq(draw(), second);
        vm.setSeed(2);
        vm.assertNotEq(draw(), first);
        vm.setSeed(type(uint256).max);
        vm.assertNotEq(draw(), first);
    }

    // Neither a call that is undone nor a state that is restored takes a draw back.
    function test_setSeed_drawsAreNotUndone() public {
        vm.setSeed(1);
        uint256 first = vm.randomUint();
        uint256 second = vm.randomUint();
        uint256 third = vm.randomUint();
        vm.assertNotEq(first, second);
        vm.setSeed(1);
        try this.drawAndRevert() {} catch {}
        uint256 id = vm.snapshotState();
        vm.assertEq(vm.randomUint(), second);
        vm.revertToState(id);
        vm.assertEq(vm.randomUint(), third);
    }

    function test_setSeed_inAnUndoneCall() public {
        vm.setSeed(1);
        uint256 first = vm.randomUint();
        try this.seedAndRevert() {} catch {}
        vm.assertEq(vm.randomUint(), first);
    }

    function drawAndRevert() external {
        vm.randomUint();
        revert();
    }

    function seedAndRevert() external {
        vm.setSeed(1);
        revert();
    }

    function test_randomUint_differs() public {
        vm.assertNotEq(vm.randomUint(), vm.randomUint());
        vm.assertNotEq(vm.randomAddress(), vm.randomAddress());
        vm.assertNotEq(vm.randomInt(), vm.randomInt());
        vm.assertNotEq(vm.randomBytes(32), vm.randomBytes(32));
        vm.assertNotEq(vm.randomBytes8(), vm.randomBytes8());
    }

    function test_randomUint_bits() public {
        for (uint256 i = 0; i < DRAWS; i++) {
            vm.assertEq(vm.randomUint(0), 0);
            vm.assertLt(vm.randomUint(1), 2);
            vm.assertLt(vm.randomUint(9), 512);
            vm.assertLe(vm.randomUint(255), type(uint256).max >> 1);
            vm.randomUint(256);
        }
    }

    function test_randomUint_range() public {
        bool low;
        bool high;
        for (uint256 i = 0; i < 200; i++) {
            uint256 value = vm.randomUint(3, 5);
            vm.assertGe(value, 3);
            vm.assertLe(value, 5);
            (low, high) = (low || value == 3, high || value == 5);
        }
        vm.assertTrue(low && high);
        vm.assertEq(vm.randomUint(7, 7), 7);
        vm.assertEq(vm.randomUint(type(uint256).max, type(uint256).max), type(uint256).max);
        vm.randomUint(0, type(uint256).max);
    }

    function test_randomInt_bits() public {
        for (uint256 i = 0; i < DRAWS; i++) {
            vm.assertEq(vm.randomInt(0), 0);
            vm.assertLe(vm.randomInt(1), 0);
            vm.assertGe(vm.randomInt(1), -1);
            vm.assertLe(vm.randomInt(8), type(int8).max);
            vm.assertGe(vm.randomInt(8), type(int8).min);
            vm.randomInt(256);
        }
    }

    function test_randomBool_both() public {
        uint256 heads;
        for (uint256 i = 0; i < 200; i++) {
            heads += vm.randomBool() ? 1 : 0;
        }
        vm.assertGt(heads, 0);
        vm.assertLt(heads, 200);
    }

    function test_randomBytes_length() public {
        vm.assertEq(vm.randomBytes(0), "");
        vm.assertEq(vm.randomBytes(1).length, 1);
        vm.assertEq(vm.randomBytes(1000).length, 1000);
    }

    function test_randomBytes4_isPadded() public {
        bytes memory data = rawCall(abi.encodeWithSignature("randomBytes4()"));
        vm.assertEq(data.length, 32);
        vm.assertEq(uint256(bytes32(data)) << 32, 0);
        vm.assertNotEq(vm.randomBytes4(), vm.randomBytes4());
    }

    function test_randomBytes8_isPadded() public {
        bytes memory data = rawCall(abi.encodeWithSignature("randomBytes8()"));
        vm.assertEq(data.length, 32);
        vm.assertEq(uint256(bytes32(data)) << 64, 0);
    }

    function rawCall(bytes memory data) internal returns (bytes memory result) {
        bool ok;
        (ok, result) = address(vm).call(data);
        vm.assertTrue(ok);
    }

    function test_shuffle_keepsTheValues() public {
        uint256[] memory list = new uint256[](20);
        for (uint256 i = 0; i < 20; i++) {
            list[i] = i / 2;
        }
        uint256[] memory shuffled = vm.shuffle(list);
        vm.assertNotEq(shuffled, list);
        vm.assertEq(vm.sort(shuffled), list);
    }

    function test_shuffle_short() public {
        uint256[] memory list = new uint256[](0);
        vm.assertEq(vm.shuffle(list), list);
        list = new uint256[](1);
        list[0] = 7;
        vm.assertEq(vm.shuffle(list), list);
    }

    function test_sort_ascending() public {
        uint256[] memory list = new uint256[](5);
        (list[0], list[1], list[2], list[3], list[4]) = (3, type(uint256).max, 0, 3, 1);
        uint256[] memory sorted = vm.sort(list);
        (list[0], list[1], list[2], list[3], list[4]) = (0, 1, 3, 3, type(uint256).max);
        vm.assertEq(sorted, list);
        vm.assertEq(vm.sort(new uint256[](0)), new uint256[](0));
    }

    // A value of the range, but never the current one.
    function test_bound_uint() public {
        for (uint256 i = 0; i < DRAWS; i++) {
            uint256 value = vm.bound(uint256(5), 4, 7);
            vm.assertTrue(value == 4 || value == 6 || value == 7);
            vm.assertEq(vm.bound(uint256(0), 0, 1), 1);
            vm.assertNotEq(vm.bound(type(uint256).max, 0, type(uint256).max), type(uint256).max);
            vm.assertEq(vm.bound(type(uint256).max, type(uint256).max - 1, type(uint256).max), type(uint256).max - 1);
        }
    }

    function test_bound_int() public {
        for (uint256 i = 0; i < DRAWS; i++) {
            int256 value = vm.bound(int256(-1), -2, 1);
            vm.assertTrue(value == -2 || value == 0 || value == 1);
            vm.assertEq(vm.bound(int256(0), -1, 0), -1);
            vm.assertNotEq(vm.bound(int256(0), type(int256).min, type(int256).max), 0);
            vm.assertEq(vm.bound(type(int256).min, type(int256).min, type(int256).min + 1), type(int256).min + 1);
        }
    }
}

/// The random cheatcodes and bound with ranges that are none.
contract RandomErrors is Conformance {
    function test_randomUint_bits() public {
        vm.randomUint(257);
    }

    function test_randomUint_range() public {
        vm.randomUint(2, 1);
    }

    function test_randomInt_bits() public {
        vm.randomInt(type(uint256).max);
    }

    function test_randomBytes_length() public {
        vm.randomBytes(2 ** 64);
    }

    function test_bound_below() public {
        vm.bound(uint256(2), 3, 9);
    }

    function test_bound_above() public {
        vm.bound(type(uint256).max, 3, 9);
    }

    function test_bound_reversed() public {
        vm.bound(uint256(5), 10, 1);
    }

    function test_bound_onlyOneValue() public {
        vm.bound(uint256(3), 3, 3);
    }

    function test_bound_intBelow() public {
        vm.bound(type(int256).min, -5, 5);
    }

    function test_bound_intAbove() public {
        vm.bound(int256(50), -10, -7);
    }

    function test_bound_intReversed() public {
        vm.bound(int256(0), 1, -1);
    }

    function test_bound_intOnlyOneValue() public {
        vm.bound(int256(-3), -3, -3);
    }
}
