// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Mappings in the slots 0 to 3.
contract MappingBox {
    mapping(uint256 => uint256) public flat;
    mapping(address => mapping(uint256 => uint256)) public nested;
    mapping(string => uint256) public text;
    mapping(uint256 => uint256[]) public lists;

    function put(uint256 key, uint256 value) external {
        flat[key] = value;
    }

    function putNested(address outer, uint256 inner, uint256 value) external {
        nested[outer][inner] = value;
    }

    function putText(string calldata key, uint256 value) external {
        text[key] = value;
    }

    function push(uint256 key, uint256 value) external {
        lists[key].push(value);
    }

    function putAndFail(uint256 key) external {
        flat[key] = 1;
        revert();
    }
}

/// Slots of mappings, recorded as they are written.
contract MappingTest is Conformance {
    bytes32 private constant FLAT = bytes32(0);
    bytes32 private constant NESTED = bytes32(uint256(1));
    MappingBox private box;

    function setUp() public {
        box = new MappingBox();
    }

    function length(bytes32 slot) private returns (uint256) {
        return vm.getMappingLength(address(box), slot);
    }

    function slotOf(uint256 key) private pure returns (bytes32) {
        return keccak256(abi.encode(key, FLAT));
    }

    function checkParent(bytes32 slot, bool found, bytes32 key, bytes32 parent) private {
        (bool f, bytes32 k, bytes32 p) = vm.getMappingKeyAndParentOf(address(box), slot);
        vm.assertEq(f, found);
        vm.assertEq(k, key);
        vm.assertEq(p, parent);
    }

    function test_getMappingLength_unrecorded() public {
        box.put(1, 1);
        vm.assertEq(length(FLAT), 0);
        vm.startMappingRecording();
        vm.assertEq(length(FLAT), 0);
        vm.assertEq(vm.getMappingSlotAt(address(box), FLAT, 0), bytes32(0));
        checkParent(slotOf(1), false, 0, 0);
    }

    /// Each written slot counts once, in the order of the first writes; what was only read does not.
    function test_getMappingSlotAt_order() public {
        vm.startMappingRecording();
        box.put(7, 1);
        box.put(5, 2);
        box.put(7, 0);
        box.flat(9);
        vm.assertEq(length(FLAT), 2);
        vm.assertEq(vm.getMappingSlotAt(address(box), FLAT, 0), slotOf(7));
        vm.assertEq(vm.getMappingSlotAt(address(box), FLAT, 1), slotOf(5));
        vm.assertEq(vm.getMappingSlotAt(address(box), FLAT, 2), bytes32(0));
        vm.assertEq(vm.getMappingSlotAt(address(box), FLAT, type(uint256).max), bytes32(0));
        vm.assertEq(length(NESTED), 0);
        vm.assertEq(vm.getMappingLength(address(this), FLAT), 0);
    }

    function test_getMappingKeyAndParentOf_flat() public {
        vm.startMappingRecording();
        box.put(7, 1);
        checkParent(slotOf(7), true, bytes32(uint256(7)), FLAT);
        checkParent(FLAT, false, 0, 0);
        checkParent(slotOf(9), false, 0, 0);
        box.flat(9);
        checkParent(slotOf(9), true, bytes32(uint256(9)), FLAT);
    }

    function test_getMappingKeyAndParentOf_nested() public {
        vm.startMappingRecording();
        box.putNested(address(0xaa), 4, 5);
        box.putNested(address(0xaa), 6, 5);
        box.putNested(address(0xbb), 6, 5);
        vm.assertEq(length(NESTED), 2);
        bytes32 inner = vm.getMappingSlotAt(address(box), NESTED, 0);
        vm.assertEq(inner, keccak256(abi.encode(address(0xaa), NESTED)));
        vm.assertEq(length(inner), 2);
        checkParent(inner, true, bytes32(uint256(0xaa)), NESTED);
        checkParent(vm.getMappingSlotAt(address(box), inner, 1), true, bytes32(uint256(6)), inner);
    }

    /// Only hashes of two words are seen: keys of type string are not.
    function test_startMappingRecording_text() public {
        vm.startMappingRecording();
        box.putText("key", 4);
        vm.assertEq(length(bytes32(uint256(2))), 0);
        box.putText("a key that has exactly 32 bytes.", 4);
        vm.assertEq(length(bytes32(uint256(2))), 1);
        box.push(3, 4);
        vm.assertEq(length(bytes32(uint256(3))), 1);
    }

    function test_startMappingRecording_others() public {
        vm.startMappingRecording();
        vm.store(address(box), slotOf(5), bytes32(uint256(1)));
        vm.assertEq(length(FLAT), 0);
        try box.putAndFail(6) {} catch {}
        vm.assertEq(length(FLAT), 1);
        vm.startMappingRecording();
        vm.assertEq(length(FLAT), 1);
    }

    function test_stopMappingRecording_forgets() public {
        vm.startMappingRecording();
        box.put(1, 1);
        vm.stopMappingRecording();
        vm.assertEq(length(FLAT), 0);
        box.put(2, 1);
        vm.startMappingRecording();
        vm.assertEq(length(FLAT), 0);
        vm.stopMappingRecording();
        vm.stopMappingRecording();
    }

    function test_startMappingRecording_withStateDiff() public {
        vm.startStateDiffRecording();
        box.put(1, 1);
        vm.assertEq(length(FLAT), 1);
        vm.stopAndReturnStateDiff();
        box.put(2, 1);
        vm.assertEq(length(FLAT), 2);
    }
}
