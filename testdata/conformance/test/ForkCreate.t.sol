// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Node} from "./Node.sol";

/// Making forks, choosing one, and what block they are at.
contract ForkCreateTest is Node {
    function test_createFork_doesNotSelect() public {
        vm.assertEq(vm.createFork(node()), 0);
        vm.assertEq(block.number, 1);
        vm.assertEq(block.timestamp, 1);
        vm.assertEq(block.chainid, 31337);
        vm.assertEq(address(LEDGER).code.length, 0);
    }

    function test_createFork_alias() public {
        vm.selectFork(vm.createFork(NODE));
        assertBlock(HEAD);
        vm.assertEq(LEDGER.total(), 123);
    }

    function test_createFork_url() public {
        vm.selectFork(vm.createFork(vm.rpcUrl(NODE)));
        assertBlock(HEAD);
    }

    function test_createFork_numbersForks() public {
        vm.assertEq(vm.createFork(node()), 0);
        vm.assertEq(vm.createFork(node(), 2), 1);
        vm.assertEq(vm.createSelectFork(node()), 2);
        vm.assertEq(vm.createFork(node(), ADD7), 3);
        vm.assertEq(vm.activeFork(), 2);
    }

    function test_createFork_block() public {
        uint256 two = vm.createFork(node(), 2);
        uint256 four = vm.createFork(node(), 4);
        vm.selectFork(two);
        assertBlock(2);
        vm.assertEq(LEDGER.total(), 5);
        vm.selectFork(four);
        assertBlock(4);
        vm.assertEq(LEDGER.total(), 23);
    }

    function test_createFork_genesis() public {
        vm.selectFork(vm.createFork(node(), uint256(0)));
        assertBlock(0);
        vm.assertEq(address(LEDGER).code.length, 0);
    }

    function test_createFork_transaction() public {
        vm.selectFork(vm.createFork(node(), ADD11));
        vm.assertEq(LEDGER.total(), 12, "the transactions before it are done, it is not");
        vm.assertEq(LEDGER.share(BOB), 0);
        vm.assertEq(PAYEE.balance, 1 ether);
        assertBlock(3);
    }

    function test_createFork_firstTransaction() public {
        vm.selectFork(vm.createFork(node(), ADD7));
        vm.assertEq(LEDGER.total(), 5);
        assertBlock(3);
    }

    function test_createFork_delegation() public {
        vm.selectFork(vm.createFork(node(), DELEGATE));
        vm.assertEq(LEDGER.total(), 123);
        vm.assertEq(DELEGATOR.code.length, 0);
        assertBlock(5);
    }

    function test_createFork_pendingTransaction() public {
        vm.selectFork(vm.createFork(node(), PENDING));
        assertBlock(HEAD);
        vm.assertEq(LEDGER.total(), 123);
    }

    function test_createFork_failureTakesNoNumber() public {
        (bool done,) = address(vm).call(abi.encodeWithSignature("createFork(string,uint256)", node(), HEAD + 1));
        vm.assertFalse(done);
        vm.assertEq(vm.createFork(node()), 0);
    }

    function test_createFork_failureAtTransactionTakesNumber() public {
        (bool done,) = address(vm).call(abi.encodeWithSignature("createFork(string,bytes32)", node(), UNKNOWN));
        vm.assertFalse(done);
        vm.assertEq(vm.createFork(node()), 1);
    }

    function test_createSelectFork_latest() public {
        vm.assertEq(vm.createSelectFork(node()), 0);
        vm.assertEq(vm.activeFork(), 0);
        assertBlock(HEAD);
    }

    function test_createSelectFork_block() public {
        vm.createSelectFork(node(), 3);
        assertBlock(3);
        vm.assertEq(vm.createSelectFork(node(), 1), 1);
        assertBlock(1);
        vm.assertEq(vm.activeFork(), 1);
        vm.assertEq(LEDGER.total(), 0);
    }

    function test_createSelectFork_transaction() public {
        vm.createSelectFork(node(), ADD0);
        vm.assertEq(LEDGER.total(), 23);
        vm.assertEq(address(LEDGER).balance, 3);
        assertBlock(3);
    }

    function test_selectFork_again() public {
        uint256 one = vm.createSelectFork(node(), 2);
        vm.roll(77);
        vm.fee(5);
        vm.selectFork(one);
        vm.assertEq(block.number, 77);
        vm.assertEq(block.basefee, 5);
    }

    function test_selectFork_keepsNumberAndTimeOnly() public {
        uint256 one = vm.createSelectFork(node(), 2);
        uint256 fee = block.basefee;
        vm.roll(77);
        vm.warp(88);
        vm.fee(5);
        vm.chainId(9);
        vm.coinbase(NOBODY);
        vm.createSelectFork(node(), 3);
        assertBlock(3);
        vm.selectFork(one);
        vm.assertEq(vm.getBlockNumber(), 77);
        vm.assertEq(vm.getBlockTimestamp(), 88);
        vm.assertEq(block.basefee, fee);
        vm.assertEq(vm.getChainId(), CHAIN);
        vm.assertEq(block.coinbase, MINER);
    }

    function test_selectFork_inRevertedCall() public {
        vm.createSelectFork(node(), 2);
        uint256 three = vm.createFork(node(), 3);
        try this.selectAndRevert(three) {} catch {}
        vm.assertEq(vm.activeFork(), three);
        assertBlock(3);
    }

    function selectAndRevert(uint256 id) external {
        vm.selectFork(id);
        revert();
    }

    function test_selectFork_sameUrlAndBlock() public {
        vm.createSelectFork(node(), 2);
        vm.roll(77);
        vm.warp(88);
        uint256 early = vm.createFork(node(), 2);
        vm.createSelectFork(node(), 3);
        vm.createSelectFork(node(), 2);
        vm.assertEq(vm.getBlockNumber(), 77, "made after the first of them was left: begins where that is");
        vm.assertEq(vm.getBlockTimestamp(), 88);
        vm.selectFork(early);
        assertBlock(2);
    }

    function test_selectFork_sameUrlAndBlockAsTransaction() public {
        vm.createFork(node(), ADD7);
        vm.createSelectFork(node(), 2);
        vm.assertEq(LEDGER.total(), 5);
        assertBlock(3);
    }

    function test_activeFork_follows() public {
        uint256 one = vm.createFork(node(), 1);
        uint256 two = vm.createSelectFork(node(), 2);
        vm.assertEq(vm.activeFork(), two);
        vm.selectFork(one);
        vm.assertEq(vm.activeFork(), one);
    }
}

/// Forks that cannot be made or chosen.
contract ForkCreateErrors is Node {
    function test_createFork_unknownAlias() public {
        vm.createFork("nowhere");
    }

    function test_createFork_variable() public {
        vm.createFork("${CONFORMANCE_NODE}");
    }

    function test_createFork_empty() public {
        vm.createFork("");
    }

    function test_createFork_noHost() public {
        vm.createFork("http://");
    }

    function test_createFork_otherScheme() public {
        vm.createFork("ftp://127.0.0.1:1");
    }

    function test_createFork_closed() public {
        vm.createFork(CLOSED);
    }

    function test_createFork_closedSocket() public {
        vm.createFork("ws://127.0.0.1:1");
    }

    function test_createFork_blockClosed() public {
        vm.createFork(CLOSED, 3);
    }

    function test_createFork_blockAhead() public {
        vm.createFork(node(), HEAD + 1);
    }

    function test_createFork_blockTooLarge() public {
        vm.createFork(node(), type(uint256).max); // which counts as 2^64 - 1
    }

    function test_createFork_transactionClosed() public {
        vm.createFork(CLOSED, ADD7);
    }

    function test_createFork_transactionUnknown() public {
        vm.createFork(node(), UNKNOWN);
    }

    function test_createSelectFork_unknownAlias() public {
        vm.createSelectFork("nowhere");
    }

    function test_createSelectFork_closed() public {
        vm.createSelectFork(CLOSED);
    }

    function test_createSelectFork_blockAhead() public {
        vm.createSelectFork(node(), HEAD + 1);
    }

    function test_createSelectFork_transactionUnknown() public {
        vm.createSelectFork(node(), UNKNOWN);
    }

    function test_createSelectFork_broadcast() public {
        vm.startBroadcast();
        vm.createSelectFork(node());
    }

    function test_createSelectFork_blockBroadcast() public {
        vm.startBroadcast();
        vm.createSelectFork(node(), 2);
    }

    function test_createSelectFork_transactionBroadcast() public {
        vm.startBroadcast();
        vm.createSelectFork(node(), ADD7);
    }

    function test_selectFork_none() public {
        vm.selectFork(0);
    }

    function test_selectFork_unknown() public {
        vm.createSelectFork(node());
        vm.selectFork(1);
    }

    function test_selectFork_broadcast() public {
        uint256 id = vm.createFork(node());
        vm.broadcast();
        vm.selectFork(id);
    }

    function test_activeFork_none() public {
        vm.activeFork();
    }

    function test_activeFork_notSelected() public {
        vm.createFork(node());
        vm.activeFork();
    }
}
