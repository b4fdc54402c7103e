// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract Store {
    uint256 public plain = 5;
    mapping(address => uint256) public balances;

    function set(uint256 value) external {
        plain = value;
    }

    function credit(address account, uint256 amount) external {
        balances[account] = amount;
    }
}

/// Functions that are called after accesses to storage.
contract HooksTest is Conformance {
    Store store = new Store();
    bytes32[] seen;
    address caller;

    function onLoad(address account, bytes32 slot, bytes32 value) external {
        caller = msg.sender;
        seen = [bytes32(uint256(uint160(account))), slot, value];
    }

    function onStore(address account, bytes32 slot, bytes32 old, bytes32 value) external {
        seen = [bytes32(uint256(uint160(account))), slot, old, value];
    }

    function onElement(address, bytes32 slot, bytes32 root, bytes32[] calldata keys, bytes32 old, bytes32 value)
        external
    {
        seen = [slot, root, keys[0], old, value];
    }

    function test_registerSloadHook() public {
        vm.registerSloadHook(address(store), this.onLoad.selector);
        store.plain();
        vm.assertEq(caller, address(vm));
        vm.assertEq(seen[0], bytes32(uint256(uint160(address(store)))));
        vm.assertEq(seen[1], 0);
        vm.assertEq(seen[2], bytes32(uint256(5)));
    }

    function test_registerSstoreHook() public {
        vm.registerSstoreHook(address(store), this.onStore.selector);
        store.set(9);
        vm.assertEq(seen[1], 0);
        vm.assertEq(seen[2], bytes32(uint256(5)));
        vm.assertEq(seen[3], bytes32(uint256(9)));
    }

    function test_registerMappingSstoreHook() public {
        bytes32 key = bytes32(uint256(uint160(address(this))));
        bytes32 root = bytes32(uint256(1));
        vm.registerMappingSstoreHook(address(store), root, this.onElement.selector);
        store.set(9);
        vm.assertEq(seen.length, 0);
        store.credit(address(this), 7);
        vm.assertEq(seen[0], keccak256(abi.encode(key, root)));
        vm.assertEq(seen[1], root);
        vm.assertEq(seen[2], key);
        vm.assertEq(seen[3], 0);
        vm.assertEq(seen[4], bytes32(uint256(7)));
    }
}
