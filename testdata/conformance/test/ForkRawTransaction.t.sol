// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";
import {RawTransactions} from "./RawTransactions.sol";

/// Signed transactions executed on a fork.
contract ForkRawTransactionTest is Node, RawTransactions {
    function add(uint256 nonce, uint256 amount) private returns (bytes memory) {
        return legacy(CHAIN, addFields(LEDGER, nonce, item(2 gwei), amount));
    }

    function test_broadcastRawTransaction_onFork() public {
        vm.createSelectFork(node(), 2);
        vm.deal(signer, 1 ether);
        vm.broadcastRawTransaction(add(0, 7));
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(signer), 7);
        assertBlock(2);
    }

    function test_broadcastRawTransaction_keepsChanges() public {
        vm.createSelectFork(node(), 2);
        vm.deal(signer, 1 ether);
        LEDGER.add(1000);
        Ledger created = new Ledger();
        vm.broadcastRawTransaction(add(0, 7));
        vm.assertEq(LEDGER.total(), 1012);
        vm.assertEq(created.total(), 0);
    }

    function test_broadcastRawTransaction_staysOnItsFork() public {
        uint256 one = vm.createSelectFork(node(), 2);
        vm.deal(signer, 1 ether);
        vm.broadcastRawTransaction(add(0, 7));
        vm.createSelectFork(node(), 2);
        vm.assertEq(LEDGER.total(), 5);
        vm.selectFork(one);
        vm.assertEq(LEDGER.total(), 12);
    }

    function test_broadcastRawTransaction_ofTheNode() public {
        vm.createSelectFork(node(), 2);
        vm.broadcastRawTransaction(vm.rpc("eth_getRawTransactionByHash", string.concat('["', vm.toString(ADD7), '"]')));
        vm.assertEq(LEDGER.total(), 12);
        vm.assertEq(LEDGER.share(ALICE), 12);
    }
}

/// Signed transactions that the fork does not take.
contract ForkRawTransactionErrors is Node, RawTransactions {
    function test_broadcastRawTransaction_chain() public {
        vm.createSelectFork(node(), 2);
        vm.deal(signer, 1 ether);
        vm.broadcastRawTransaction(transfer(0, 1));
    }

    function test_broadcastRawTransaction_feeOfTheFork() public {
        vm.createSelectFork(node(), 2);
        vm.deal(signer, 1 ether);
        vm.broadcastRawTransaction(legacy(CHAIN, addFields(LEDGER, 0, item(1), 7)));
    }
}
