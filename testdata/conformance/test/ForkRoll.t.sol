// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";

/// Forks moved to other blocks and transactions.
contract ForkRollTest is Node {
    uint256 private value;

    function test_rollFork_block() public {
        vm.createSelectFork(node());
        vm.rollFork(2);
        assertBlock(2);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(block.basefee, 876204659);
        vm.rollFork(4);
        assertBlock(4);
        vm.assertEq(LEDGER.total(), 23);
        vm.assertEq(vm.activeFork(), 0);
    }

    function test_rollFork_ofReadState() public {
        vm.createSelectFork(node());
        vm.assertEq(LEDGER.total(), 123);
        vm.assertEq(PAYEE.balance, 1 ether);
        vm.assertEq(vm.getNonce(ALICE), 3);
        vm.rollFork(2);
        vm.assertEq(LEDGER.total(), 5);
        vm.assertEq(PAYEE.balance, 0);
        vm.assertEq(vm.getNonce(ALICE), 1);
        vm.rollFork(uint256(0));
        vm.assertEq(address(LEDGER).code.length, 0);
    }

    function test_rollFork_losesChanges() public {
        vm.createSelectFork(node());
        LEDGER.add(1);
        vm.store(RELIC, 0, bytes32(uint256(1)));
        vm.deal(RICH, 1);
        vm.deal(NOBODY, 1);
        vm.etch(RELIC, hex"00");
        vm.setNonce(RELIC, 100);
        vm.rollFork(HEAD);
        vm.assertEq(LEDGER.total(), 123);
        vm.assertEq(vm.load(RELIC, 0), 0);
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(NOBODY.balance, 0);
        vm.assertEq(RELIC.code.length, 11);
        vm.assertEq(vm.getNonce(RELIC), 9);
    }

    function test_rollFork_losesSettings() public {
        vm.createSelectFork(node());
        vm.roll(50);
        vm.warp(60);
        vm.fee(70);
        vm.chainId(80);
        vm.prevrandao(uint256(90));
        vm.coinbase(NOBODY);
        vm.rollFork(HEAD);
        assertBlock(HEAD);
        vm.assertEq(block.basefee, 515123070);
        vm.assertEq(block.coinbase, MINER);
        vm.assertGt(block.prevrandao, 90);
    }

    function test_rollFork_keepsTester() public {
        vm.createSelectFork(node());
        value = 5;
        vm.deal(address(this), 9 ether);
        vm.rollFork(2);
        vm.assertEq(value, 5);
        vm.assertEq(address(this).balance, 9 ether);
        value = 6;
        vm.rollFork(3);
        vm.assertEq(value, 6);
    }

    function test_rollFork_keepsSender() public {
        vm.createSelectFork(node());
        vm.deal(msg.sender, 9 ether);
        vm.setNonce(msg.sender, 33);
        vm.rollFork(2);
        vm.assertEq(msg.sender.balance, 9 ether);
        vm.assertEq(vm.getNonce(msg.sender), 33);
    }

    function test_rollFork_keepsCreated() public {
        vm.createSelectFork(node());
        Ledger own = new Ledger();
        own.add(4);
        vm.rollFork(2);
        vm.assertEq(own.total(), 4);
        own.add(4);
        vm.rollFork(3);
        vm.assertEq(own.total(), 8);
    }

    function test_rollFork_keepsCreatedBefore() public {
        Ledger own = new Ledger();
        own.add(4);
        vm.createSelectFork(node());
        own.add(4);
        vm.rollFork(2);
        vm.assertEq(own.total(), 8);
    }

    function test_rollFork_keepsPersistent() public {
        vm.createSelectFork(node());
        vm.makePersistent(address(LEDGER), RICH);
        LEDGER.add(1);
        vm.deal(RICH, 1);
        vm.rollFork(2);
        vm.assertEq(LEDGER.total(), 124);
        vm.assertEq(RICH.balance, 1);
    }

    function test_rollFork_otherForkStays() public {
        uint256 one = vm.createSelectFork(node(), 4);
        uint256 two = vm.createSelectFork(node(), 4);
        LEDGER.add(1);
        vm.rollFork(2);
        vm.selectFork(one);
        assertBlock(4);
        vm.assertEq(LEDGER.total(), 23);
        LEDGER.add(1);
        vm.selectFork(two);
        assertBlock(2);
        vm.assertEq(LEDGER.total(), 5);
    }

    function test_rollFork_transaction() public {
        vm.createSelectFork(node());
        vm.rollFork(ADD11);
        assertBlock(3);
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(BOB), 0);
        vm.assertEq(PAYEE.balance, 1 ether);
        vm.assertEq(vm.getNonce(BOB), 1);
        vm.assertEq(block.basefee, 767173417);
        vm.assertEq(blockhash(2), 0xce78deb43d73393e60f732c98f93316d963d12a2ca0419be258d4e7c22f5016c);
    }

    function test_rollFork_transactionPaysFees() public {
        vm.createSelectFork(node());
        vm.rollFork(ADD7);
        uint256 miner = MINER.balance;
        uint256 alice = ALICE.balance;
        vm.rollFork(PAY);
        uint256 used = 33502;
        uint256 tip = 2 gwei;
        vm.assertEq(MINER.balance - miner, used * tip);
        vm.assertEq(alice - ALICE.balance, used * (tip + 767173417));
    }

    function test_rollFork_transactionWithAuthorization() public {
        vm.createSelectFork(node());
        vm.rollFork(DELEGATE);
        assertBlock(5);
        vm.assertEq(LEDGER.total(), 123);
        vm.assertEq(DELEGATOR.code.length, 0);
    }

    function test_rollFork_transactionOfReadState() public {
        vm.createSelectFork(node());
        vm.assertEq(LEDGER.total(), 123);
        vm.assertEq(LEDGER.share(ALICE), 112);
        vm.rollFork(ADD11);
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(ALICE), 12);
    }

    function test_rollFork_transactionOfPersistent() public {
        vm.createSelectFork(node(), 2);
        vm.makePersistent(address(LEDGER));
        LEDGER.add(1000);
        vm.rollFork(ADD11);
        vm.assertEq(LEDGER.total(), 1005, "what the transactions do to persistent accounts is not seen");
    }

    function test_rollFork_pendingTransaction() public {
        vm.createSelectFork(node(), 2);
        vm.rollFork(PENDING);
        assertBlock(HEAD);
        vm.assertEq(LEDGER.total(), 123);
    }

    function test_rollFork_idBlock() public {
        uint256 one = vm.createSelectFork(node(), 2);
        uint256 two = vm.createFork(node(), 3);
        vm.rollFork(two, 4);
        assertBlock(2);
        vm.selectFork(two);
        assertBlock(4);
        vm.assertEq(LEDGER.total(), 23);
        vm.rollFork(one, 1);
        assertBlock(4);
        vm.selectFork(one);
        assertBlock(1);
        vm.assertEq(LEDGER.total(), 0);
    }

    function test_rollFork_idBlockActive() public {
        uint256 one = vm.createSelectFork(node(), 2);
        vm.rollFork(one, 3);
        assertBlock(3);
        vm.assertEq(LEDGER.total(), 23);
    }

    function test_rollFork_idBlockNoneActive() public {
        uint256 one = vm.createFork(node(), 2);
        vm.rollFork(one, 3);
        vm.assertEq(block.number, 1);
        vm.selectFork(one);
        assertBlock(3);
        vm.assertEq(LEDGER.total(), 23);
    }

    function test_rollFork_idBlockLeft() public {
        uint256 one = vm.createSelectFork(node(), 2);
        LEDGER.add(1);
        uint256 two = vm.createSelectFork(node(), 2);
        vm.rollFork(one, 3);
        vm.selectFork(one);
        assertBlock(3);
        vm.assertEq(LEDGER.total(), 6, "what was read or changed before stays");
        vm.assertEq(LEDGER.share(ALICE), 12);
        vm.assertEq(two, 1);
    }

    function test_rollFork_idTransaction() public {
        uint256 one = vm.createSelectFork(node(), 2);
        uint256 two = vm.createFork(node(), 2);
        vm.rollFork(two, ADD11);
        vm.assertEq(LEDGER.total(), 5);
        assertBlock(3); // of the transaction, even though the other fork is active
        vm.selectFork(two);
        vm.assertEq(LEDGER.total(), 12);
        assertBlock(3);
        vm.selectFork(one);
        vm.assertEq(LEDGER.total(), 5);
        assertBlock(3);
    }

    function test_rollFork_idTransactionActive() public {
        uint256 one = vm.createSelectFork(node(), 2);
        vm.rollFork(one, ADD11);
        assertBlock(3);
        vm.assertEq(LEDGER.total(), 12);
    }

    function test_rollFork_inRevertedCall() public {
        vm.createSelectFork(node());
        try this.rollAndRevert() {} catch {}
        assertBlock(2);
        vm.assertEq(LEDGER.total(), 5);
    }

    function rollAndRevert() external {
        vm.rollFork(2);
        revert();
    }
}

/// Forks that cannot be moved.
contract ForkRollErrors is Node {
    function test_rollFork_noFork() public {
        vm.rollFork(3);
    }

    function test_rollFork_noneActive() public {
        vm.createFork(node());
        vm.rollFork(3);
    }

    function test_rollFork_ahead() public {
        vm.createSelectFork(node());
        vm.rollFork(HEAD + 1);
    }

    function test_rollFork_transactionNoFork() public {
        vm.rollFork(ADD7);
    }

    function test_rollFork_transactionUnknown() public {
        vm.createSelectFork(node());
        vm.rollFork(UNKNOWN);
    }

    function test_rollFork_idUnknown() public {
        vm.createSelectFork(node());
        vm.rollFork(1, 3);
    }

    function test_rollFork_idAhead() public {
        vm.rollFork(vm.createFork(node()), HEAD + 1);
    }

    function test_rollFork_idUnknownTransaction() public {
        vm.rollFork(1, ADD7);
    }

    function test_rollFork_idTransactionUnknown() public {
        vm.rollFork(vm.createFork(node()), UNKNOWN);
    }
}
