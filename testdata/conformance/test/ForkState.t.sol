// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Ledger, Node} from "./Node.sol";

/// What a fork shows of its block: environment, accounts, code, storage; all of it read from the node.
contract ForkStateTest is Node {
    function test_block_fields() public {
        vm.createSelectFork(node(), 3);
        vm.assertEq(block.number, 3);
        vm.assertEq(block.timestamp, GENESIS + 300);
        vm.assertEq(block.chainid, CHAIN);
        vm.assertEq(block.coinbase, MINER);
        vm.assertEq(block.basefee, 767173417);
        vm.assertEq(block.gaslimit, 30000000);
        vm.assertEq(block.prevrandao, uint256(0x33f346f40101e82144e63b215121f49f7d6509d1987b119385018f7b4dffee2e));
        vm.assertEq(block.blobbasefee, 1);
    }

    function test_block_fieldsAtTransaction() public {
        vm.createSelectFork(node(), ADD11);
        vm.assertEq(block.basefee, 767173417);
        vm.assertEq(block.coinbase, MINER);
        vm.assertEq(block.prevrandao, uint256(0x33f346f40101e82144e63b215121f49f7d6509d1987b119385018f7b4dffee2e));
    }

    function test_block_hashes() public {
        vm.createSelectFork(node(), 4);
        vm.assertEq(blockhash(3), 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7);
        vm.assertEq(blockhash(0), 0xc56b8342e33b57477139f45874ae699b6fe1ca1a65d089b78c34dabc3206e07b);
        vm.assertEq(blockhash(4), 0);
    }

    function test_block_hashOfLaterBlock() public {
        vm.createSelectFork(node(), 2);
        vm.roll(5);
        vm.assertEq(blockhash(3), 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7);
        vm.roll(100);
        vm.assertEq(blockhash(99), keccak256(""), "no such block");
    }

    function test_block_setBlockhash() public {
        vm.createSelectFork(node(), 4);
        vm.setBlockhash(3, bytes32(uint256(7)));
        vm.assertEq(blockhash(3), bytes32(uint256(7)));
        vm.createSelectFork(node(), 4);
        vm.assertEq(blockhash(3), 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7);
    }

    function test_evmVersion_kept() public {
        uint256 early = vm.createFork(node());
        vm.setEvmVersion("cancun");
        vm.createSelectFork(node());
        vm.assertEq(vm.getEvmVersion(), "cancun");
        vm.selectFork(early);
        vm.assertEq(vm.getEvmVersion(), "cancun");
    }

    function test_transaction_fields() public {
        address sender = msg.sender;
        vm.createSelectFork(node());
        vm.assertEq(tx.origin, sender);
        vm.assertEq(msg.sender, sender);
        vm.assertEq(tx.gasprice, 0);
        vm.assertGt(gasleft(), 1000000000);
    }

    function test_accounts_ofTheTester() public {
        uint256 mine = address(this).balance;
        uint256 senders = msg.sender.balance;
        vm.createSelectFork(node());
        vm.assertEq(address(this).balance, mine);
        vm.assertEq(msg.sender.balance, senders);
        vm.assertEq(mine, type(uint96).max);
        vm.assertEq(senders, type(uint96).max);
        vm.assertEq(vm.getNonce(address(this)), 1);
        vm.assertEq(vm.getNonce(msg.sender), 2);
    }

    function test_account_parts() public {
        vm.createSelectFork(node());
        vm.assertEq(RELIC.balance, 7 ether);
        vm.assertEq(vm.getNonce(RELIC), 9);
        vm.assertEq(RELIC.code, hex"60075460005260206000f3");
        vm.assertEq(RELIC.codehash, keccak256(hex"60075460005260206000f3"));
        (, bytes memory slot) = RELIC.staticcall("");
        vm.assertEq(slot, abi.encode(42));
    }

    function test_account_withoutCode() public {
        vm.createSelectFork(node());
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(RICH.code.length, 0);
        vm.assertEq(RICH.codehash, keccak256(""));
        vm.assertEq(vm.getNonce(RICH), 0);
    }

    function test_account_missing() public {
        vm.createSelectFork(node());
        vm.assertEq(NOBODY.balance, 0);
        vm.assertEq(NOBODY.codehash, 0);
    }

    function test_account_delegated() public {
        vm.createSelectFork(node());
        vm.assertEq(DELEGATOR.code, abi.encodePacked(hex"ef0100", address(LEDGER)));
        vm.assertEq(Ledger(DELEGATOR).total(), 3);
        Ledger(DELEGATOR).add(4);
        vm.assertEq(Ledger(DELEGATOR).total(), 7);
        vm.assertEq(LEDGER.total(), 123);
    }

    function test_account_seenBeforeTheFork() public {
        vm.assertEq(RICH.balance, 0);
        vm.assertEq(vm.getNonce(RELIC), 0);
        vm.assertEq(vm.load(RELIC, bytes32(uint256(7))), 0);
        vm.createSelectFork(node());
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(vm.getNonce(RELIC), 9);
        vm.assertEq(RELIC.code.length, 11);
        vm.assertEq(vm.load(RELIC, bytes32(uint256(7))), 0, "a slot seen before the first fork stays");
        vm.createSelectFork(node());
        vm.assertEq(vm.load(RELIC, bytes32(uint256(7))), 0);
    }

    function test_storage_load() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.load(RELIC, bytes32(uint256(7))), bytes32(uint256(42)));
        vm.assertEq(vm.load(RELIC, bytes32(type(uint256).max)), bytes32(type(uint256).max / 0xff * 0xab));
        vm.assertEq(vm.load(RELIC, 0), 0);
        vm.assertEq(vm.load(address(LEDGER), 0), bytes32(uint256(123)));
        vm.assertEq(LEDGER.share(ALICE), 112);
        vm.assertEq(LEDGER.share(BOB), 11);
    }

    function test_storage_store() public {
        uint256 other = vm.createFork(node());
        uint256 one = vm.createSelectFork(node());
        vm.store(address(LEDGER), 0, bytes32(uint256(1000)));
        LEDGER.add(1);
        vm.assertEq(LEDGER.total(), 1001);
        vm.selectFork(other);
        vm.assertEq(LEDGER.total(), 123);
        LEDGER.add(2);
        vm.selectFork(one);
        vm.assertEq(LEDGER.total(), 1001);
        vm.selectFork(other);
        vm.assertEq(LEDGER.total(), 125);
    }

    function test_balance_deal() public {
        uint256 one = vm.createSelectFork(node());
        vm.deal(RICH, 5);
        vm.deal(NOBODY, 6);
        payable(RICH).transfer(1);
        vm.createSelectFork(node());
        vm.assertEq(RICH.balance, 123 ether);
        vm.assertEq(NOBODY.balance, 0);
        vm.selectFork(one);
        vm.assertEq(RICH.balance, 6);
        vm.assertEq(NOBODY.balance, 6);
    }

    function test_code_etch() public {
        uint256 one = vm.createSelectFork(node());
        vm.etch(RELIC, hex"600160005260206000f3");
        vm.createSelectFork(node());
        (, bytes memory slot) = RELIC.staticcall("");
        vm.assertEq(slot, abi.encode(42));
        vm.selectFork(one);
        (, slot) = RELIC.staticcall("");
        vm.assertEq(slot, abi.encode(1));
        vm.assertEq(RELIC.balance, 7 ether);
        vm.assertEq(vm.load(RELIC, bytes32(uint256(7))), bytes32(uint256(42)), "etch keeps the storage");
    }

    function test_nonce_set() public {
        uint256 one = vm.createSelectFork(node());
        vm.setNonce(RELIC, 20);
        vm.createSelectFork(node());
        vm.assertEq(vm.getNonce(RELIC), 9);
        vm.selectFork(one);
        vm.assertEq(vm.getNonce(RELIC), 20);
    }

    function test_call_asAlice() public {
        vm.createSelectFork(node());
        vm.prank(ALICE);
        LEDGER.add(8);
        vm.assertEq(LEDGER.share(ALICE), 120);
        vm.expectRevert(Ledger.Nothing.selector);
        LEDGER.add(0);
    }

    function test_call_broadcast() public {
        vm.createSelectFork(node());
        vm.broadcast(ALICE);
        LEDGER.add(8);
        vm.assertEq(LEDGER.share(ALICE), 120);
        vm.assertEq(vm.getNonce(ALICE), 4);
    }

    function test_delegation_signed() public {
        uint256 key = vm.deriveKey("test test test test test test test test test test test junk", 1);
        vm.createSelectFork(node());
        Vm.SignedDelegation memory signed = vm.signAndAttachDelegation(address(LEDGER), key);
        vm.assertEq(uint256(signed.nonce), 3);
        Ledger(ALICE).add(1);
        vm.assertEq(Ledger(ALICE).total(), 1);
        vm.createSelectFork(node());
        vm.assertEq(ALICE.code.length, 0);
    }

    function test_contract_ofTheFork() public {
        uint256 one = vm.createSelectFork(node());
        Ledger own = new Ledger();
        own.add(9);
        uint256 two = vm.createSelectFork(node());
        vm.assertEq(address(own).code.length, 0);
        vm.assertEq(vm.getNonce(address(this)), 2, "the nonce goes along");
        Ledger second = new Ledger();
        vm.assertNotEq(address(own), address(second));
        vm.selectFork(one);
        vm.assertEq(own.total(), 9);
        vm.assertEq(address(second).code.length, 0);
        vm.assertEq(vm.getNonce(address(this)), 3);
        vm.selectFork(two);
        vm.assertEq(second.total(), 0);
    }

    function test_contract_fromBeforeTheForks() public {
        Ledger own = new Ledger();
        own.add(9);
        vm.createSelectFork(node(), 2);
        vm.assertEq(own.total(), 9);
        own.add(1);
        vm.createSelectFork(node(), 3);
        vm.assertEq(own.total(), 9, "each fork starts from what was before the first");
    }

    function test_dealt_beforeTheForks() public {
        vm.deal(NOBODY, 5);
        vm.store(address(LEDGER), 0, bytes32(uint256(9)));
        vm.etch(RELIC, hex"00");
        vm.createSelectFork(node());
        vm.assertEq(NOBODY.balance, 0);
        vm.assertEq(LEDGER.total(), 9);
        vm.assertEq(RELIC.code.length, 11);
    }
}
