// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";

/// The test contract's own state goes along from fork to fork; forks made in setUp are there in all tests.
contract ForkSetUpTest is Node {
    uint256 private one;
    uint256 private two;
    uint256 private value;
    Ledger private before;
    Ledger private inside;

    function setUp() public {
        before = new Ledger();
        before.add(1);
        one = vm.createSelectFork(node(), 2);
        inside = new Ledger();
        inside.add(2);
        two = vm.createFork(node(), 4);
        value = 5;
        vm.roll(50);
        LEDGER.add(1);
    }

    function test_setUp_active() public {
        vm.assertEq(vm.activeFork(), one);
        vm.assertEq(block.number, 50);
        vm.assertEq(block.timestamp, GENESIS + 200);
        vm.assertEq(block.chainid, CHAIN);
        vm.assertEq(LEDGER.total(), 6);
        vm.assertEq(vm.createFork(node()), 2);
    }

    function test_setUp_contracts() public {
        vm.assertEq(before.total(), 1);
        vm.assertEq(inside.total(), 2);
        vm.selectFork(two);
        vm.assertEq(before.total(), 1);
        vm.assertEq(address(inside).code.length, 0);
        vm.assertEq(LEDGER.total(), 23);
    }

    function test_setUp_state() public {
        vm.assertEq(value, 5);
        value = 6;
        vm.selectFork(two);
        vm.assertEq(value, 6);
        value = 7;
        vm.selectFork(one);
        vm.assertEq(value, 7);
        vm.assertEq(LEDGER.total(), 6);
    }

    function test_setUp_blockKept() public {
        vm.selectFork(two);
        assertBlock(4);
        vm.selectFork(one);
        vm.assertEq(block.number, 50);
    }
}

/// A fork chosen in the constructor.
contract ForkConstructorTest is Node {
    uint256 private immutable id;
    uint256 private value = 4;

    constructor() {
        id = vm.createSelectFork(node(), 2);
        LEDGER.add(1);
        vm.roll(60);
    }

    function test_constructor_fork() public {
        vm.assertEq(vm.activeFork(), id);
        vm.assertEq(LEDGER.total(), 6);
        vm.assertEq(block.number, 60);
        vm.assertEq(value, 4);
    }

    function test_constructor_otherFork() public {
        vm.createSelectFork(node(), 4);
        vm.assertEq(value, 4);
        vm.assertEq(LEDGER.total(), 23);
        assertBlock(4);
    }
}

/// No fork in setUp.
contract ForkSetUpErrors is Node {
    function setUp() public {
        vm.createSelectFork(CLOSED);
    }

    function test_setUp_failed() public pure {}
}

/// No fork in the constructor.
contract ForkConstructorErrors is Node {
    constructor() {
        vm.createSelectFork(CLOSED);
    }

    function test_constructor_failed() public pure {}
}
