// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Ledger, Node} from "./Node.sol";

/// Transactions of the node's chain executed on a fork.
contract ForkTransactTest is Node {
    uint256 private value;

    function test_transact_call() public {
        vm.createSelectFork(node(), ADD7);
        vm.assertEq(LEDGER.total(), 5);
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(ALICE), 12);
        vm.assertEq(vm.getNonce(ALICE), 2);
        assertBlock(3);
    }

    function test_transact_fees() public {
        vm.createSelectFork(node(), ADD7);
        uint256 alice = ALICE.balance;
        uint256 miner = MINER.balance;
        vm.transact(ADD7);
        vm.assertEq(alice - ALICE.balance, 33502 * (2 gwei + 767173417));
        vm.assertEq(MINER.balance - miner, 33502 * 2 gwei);
    }

    function test_transact_value() public {
        vm.createSelectFork(node(), 2);
        vm.transact(PAY);
        vm.assertEq(PAYEE.balance, 1 ether);
        vm.assertEq(vm.getNonce(BOB), 1);
    }

    function test_transact_valueToContract() public {
        vm.createSelectFork(node(), ADD11);
        vm.transact(ADD11);
        vm.assertEq(LEDGER.total(), 23);
        vm.assertEq(address(LEDGER).balance, 3);
        vm.assertEq(BOB.balance + 50602 * 10 gwei + 21000 * (2 gwei + 767173417) + 1 ether + 3, 10000 ether);
    }

    function test_transact_creation() public {
        vm.createSelectFork(node(), uint256(0));
        vm.transact(DEPLOY);
        vm.assertEq(address(LEDGER).code.length, 422);
        LEDGER.add(1);
        vm.assertEq(LEDGER.total(), 1);
        vm.assertEq(vm.getNonce(DEPLOYER), 1);
        vm.assertEq(vm.getNonce(address(LEDGER)), 1);
    }

    function test_transact_failing() public {
        vm.createSelectFork(node(), 2);
        vm.transact(ADD0);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(vm.getNonce(0x90F79bf6EB2c4f870365E785982E1f101E93b906), 1);
    }

    function test_transact_delegation() public {
        vm.createSelectFork(node(), 4);
        vm.transact(DELEGATE);
        vm.assertEq(DELEGATOR.code, abi.encodePacked(hex"ef0100", address(LEDGER)));
        vm.assertEq(Ledger(DELEGATOR).total(), 3);
        vm.assertEq(vm.getNonce(DELEGATOR), 1);
    }

    function test_transact_pending() public {
        vm.createSelectFork(node());
        vm.transact(PENDING);
        vm.assertEq(LEDGER.total(), 1123);
        assertBlock(HEAD);
    }

    function test_transact_inItsBlock() public {
        vm.createSelectFork(node(), 2);
        uint256 alice = ALICE.balance;
        vm.transact(ADD100);
        vm.assertEq(LEDGER.total(), 105);
        vm.assertEq(alice - ALICE.balance, 33502 * (2 gwei + 588075256), "its block's base fee");
        assertBlock(2);
    }

    function test_transact_keepsBlock() public {
        vm.createSelectFork(node(), 4);
        vm.roll(50);
        vm.warp(60);
        vm.fee(70);
        vm.transact(ADD5);
        vm.assertEq(block.number, 50);
        vm.assertEq(block.timestamp, 60);
        vm.assertEq(block.basefee, 70);
        vm.assertEq(LEDGER.total(), 28);
    }

    function test_transact_nonceNotChecked() public {
        vm.createSelectFork(node(), 4);
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 30);
        vm.assertEq(vm.getNonce(ALICE), 3);
    }

    function test_transact_twice() public {
        vm.createSelectFork(node(), 2);
        vm.transact(ADD7);
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 19);
    }

    function test_transact_dropsChangesOfTheTest() public {
        vm.createSelectFork(node(), 2);
        LEDGER.add(1000);
        vm.deal(RICH, 1);
        Ledger created = new Ledger();
        vm.etch(RELIC, hex"00");
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(ALICE), 12);
        vm.assertEq(LEDGER.share(address(this)), 0);
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(address(created).code.length, 0);
        vm.assertEq(RELIC.code.length, 11);
    }

    function test_transact_keepsChangesOfPersistent() public {
        vm.createSelectFork(node(), 2);
        value = 4;
        vm.deal(address(this), 5);
        Ledger created = new Ledger();
        created.add(2);
        vm.makePersistent(address(created), RICH);
        vm.deal(RICH, 1);
        vm.transact(ADD7);
        vm.assertEq(value, 4);
        vm.assertEq(address(this).balance, 5);
        vm.assertEq(created.total(), 2);
        vm.assertEq(RICH.balance, 1);
    }

    function test_transact_persistent() public {
        vm.createSelectFork(node(), 2);
        vm.makePersistent(address(LEDGER));
        LEDGER.add(1000);
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 1005, "not seen on persistent accounts");
        vm.assertEq(vm.getNonce(ALICE), 2);
    }

    function test_transact_recordedLogs() public {
        vm.createSelectFork(node(), 2);
        vm.recordLogs();
        vm.transact(ADD7);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].emitter, address(LEDGER));
        vm.assertEq(logs[0].topics[1], bytes32(uint256(uint160(ALICE))));
        vm.assertEq(logs[0].data, abi.encode(7, 12));
    }

    function test_transact_recordedAccesses() public {
        vm.createSelectFork(node(), 2);
        vm.record();
        vm.transact(ADD7);
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(LEDGER));
        vm.assertEq(reads.length, 5);
        vm.assertEq(writes.length, 2);
    }

    function test_transact_expectedEmit() public {
        vm.createSelectFork(node(), 2);
        vm.expectEmit(address(LEDGER));
        emit Ledger.Added(ALICE, 7, 12);
        vm.transact(ADD7);
    }

    function test_transact_expectedCall() public {
        vm.createSelectFork(node(), 2);
        vm.expectCall(address(LEDGER), abi.encodeCall(LEDGER.add, (7)));
        vm.transact(ADD7);
    }

    function test_transact_mocked() public {
        vm.createSelectFork(node(), 2);
        vm.mockCall(address(LEDGER), abi.encodeCall(LEDGER.add, (7)), "");
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(vm.getNonce(ALICE), 2);
    }

    function test_transact_pranked() public {
        vm.createSelectFork(node(), 2);
        vm.startPrank(BOB);
        vm.transact(ADD7);
        vm.assertEq(LEDGER.share(ALICE), 12);
        LEDGER.add(1);
        vm.assertEq(LEDGER.share(BOB), 1);
    }

    function test_transact_id() public {
        uint256 one = vm.createSelectFork(node(), 2);
        vm.transact(one, ADD7);
        vm.assertEq(LEDGER.total(), 12);
    }

    function test_transact_idOfOtherFork() public {
        uint256 one = vm.createFork(node(), 2);
        uint256 two = vm.createSelectFork(node(), 2);
        vm.transact(one, ADD7);
        vm.assertEq(LEDGER.total(), 5);
        assertBlock(2);
        vm.selectFork(one);
        vm.assertEq(LEDGER.total(), 12);
        assertBlock(2);
        vm.selectFork(two);
        vm.assertEq(LEDGER.total(), 5);
    }
}

/// Transactions on what setUp left.
contract ForkTransactSetUpTest is Node {
    Ledger private created;

    function setUp() public {
        vm.createSelectFork(node(), 2);
        LEDGER.add(1000);
        created = new Ledger();
        created.add(2);
        vm.deal(RICH, 1);
        vm.etch(BOB, hex"00");
    }

    function test_transact_senderWithCode() public {
        vm.transact(PAY);
        vm.assertEq(PAYEE.balance, 1 ether);
        vm.assertEq(BOB.code, hex"00");
    }

    function test_transact_keepsChangesOfSetUp() public {
        vm.transact(ADD7);
        vm.assertEq(LEDGER.total(), 1012);
        vm.assertEq(LEDGER.share(address(this)), 1000);
        vm.assertEq(created.total(), 2);
        vm.assertEq(RICH.balance, 1);
    }
}

/// Transactions that cannot be executed.
contract ForkTransactErrors is Node {
    function test_transact_noFork() public {
        vm.transact(ADD7);
    }

    function test_transact_noneActive() public {
        vm.createFork(node());
        vm.transact(ADD7);
    }

    function test_transact_unknown() public {
        vm.createSelectFork(node());
        vm.transact(UNKNOWN);
    }

    function test_transact_idUnknown() public {
        vm.createSelectFork(node());
        vm.transact(1, ADD7);
    }

    function test_transact_idUnknownTransaction() public {
        vm.transact(vm.createFork(node()), UNKNOWN);
    }

    function test_transact_idNoneActive() public {
        vm.transact(vm.createFork(node(), 2), ADD7);
    }
}

/// A sender that cannot pay.
contract ForkTransactPoorErrors is Node {
    function setUp() public {
        vm.createSelectFork(node(), 2);
        vm.deal(ALICE, 1);
    }

    function test_transact_poor() public {
        vm.transact(ADD7);
    }
}
