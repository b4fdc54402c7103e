// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";

/// Snapshots of the state while there are forks.
contract ForkSnapshotTest is Node {
    uint256 private value;

    function test_snapshotState_onFork() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        LEDGER.add(1);
        vm.deal(RICH, 1);
        vm.roll(50);
        value = 3;
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(value, 0);
        assertBlock(2);
    }

    function test_snapshotState_otherFork() public {
        uint256 one = vm.createSelectFork(node(), 2);
        LEDGER.add(1);
        value = 1;
        uint256 id = vm.snapshotState();
        uint256 two = vm.createSelectFork(node(), 4);
        LEDGER.add(1);
        value = 2;
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(vm.activeFork(), one);
        vm.assertEq(LEDGER.total(), 6);
        vm.assertEq(value, 1);
        assertBlock(2);
        vm.selectFork(two);
        vm.assertEq(LEDGER.total(), 23, "what was done there since it was selected is lost");
        vm.assertEq(value, 1);
    }

    function test_snapshotState_ofOneForkOnly() public {
        uint256 one = vm.createSelectFork(node(), 2);
        uint256 two = vm.createSelectFork(node(), 4);
        LEDGER.add(1);
        uint256 id = vm.snapshotState();
        vm.selectFork(one);
        LEDGER.add(10);
        vm.selectFork(two);
        LEDGER.add(100);
        vm.revertToState(id);
        vm.assertEq(LEDGER.total(), 24);
        vm.selectFork(one);
        vm.assertEq(LEDGER.total(), 15);
    }

    function test_snapshotState_beforeTheFork() public {
        value = 1;
        uint256 id = vm.snapshotState();
        uint256 one = vm.createSelectFork(node(), 2);
        value = 2;
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(value, 1);
        vm.assertEq(block.number, 1);
        vm.assertEq(block.chainid, 31337);
        vm.assertEq(vm.activeFork(), one, "it is still active");
        vm.assertEq(LEDGER.total(), 5);
    }

    function test_snapshotState_rolledFork() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        vm.rollFork(4);
        vm.assertEq(LEDGER.total(), 23);
        vm.assertTrue(vm.revertToState(id));
        assertBlock(2);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(LEDGER.share(ALICE), 5);
    }

    function test_snapshotState_again() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        for (uint256 i = 1; i < 3; i++) {
            LEDGER.add(i);
            vm.assertEq(LEDGER.total(), 5 + i);
            vm.assertTrue(vm.revertToState(id));
        }
        LEDGER.add(7);
        vm.assertTrue(vm.revertToStateAndDelete(id));
        vm.assertEq(LEDGER.total(), 5);
        vm.assertFalse(vm.revertToState(id));
    }

    function test_snapshotState_persistent() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        vm.makePersistent(RICH);
        vm.deal(RICH, 1);
        vm.revertToState(id);
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertTrue(vm.isPersistent(RICH));
    }

    function test_snapshotState_transact() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 12);
        vm.revertToState(id);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(vm.getNonce(ALICE), 1);
    }

    function test_snapshotState_createdContract() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        Ledger created = new Ledger();
        vm.revertToState(id);
        vm.assertEq(address(created).code.length, 0);
        vm.assertEq(address(new Ledger()), address(created));
    }

    function test_snapshotState_forkMadeLater() public {
        vm.createSelectFork(node(), 2);
        uint256 id = vm.snapshotState();
        uint256 two = vm.createFork(node(), 4);
        vm.revertToState(id);
        vm.selectFork(two);
        vm.assertEq(LEDGER.total(), 23);
        vm.assertEq(vm.createFork(node()), 2, "numbers are not used again");
    }
}

/// Snapshots that setUp took on a fork.
contract ForkSnapshotSetUpTest is Node {
    uint256 private id;
    uint256 private two;

    function setUp() public {
        vm.createSelectFork(node(), 2);
        LEDGER.add(1);
        two = vm.createFork(node(), 4);
        id = vm.snapshotState();
        LEDGER.add(1);
    }

    function test_snapshotState_fromSetUp() public {
        vm.assertEq(LEDGER.total(), 7);
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(LEDGER.total(), 6);
    }

    function test_snapshotState_fromSetUpOnOtherFork() public {
        (uint256 taken, uint256 other) = (id, two);
        vm.selectFork(other);
        LEDGER.add(1);
        vm.assertTrue(vm.revertToState(taken));
        vm.assertEq(LEDGER.total(), 6);
        vm.assertEq(vm.activeFork(), 0);
        vm.selectFork(other);
        vm.assertEq(LEDGER.total(), 23);
    }
}
