// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Ledger} from "./Node.sol";
import {RawTransactions} from "./RawTransactions.sol";

/// Signed transactions executed at once.
contract ScriptRawTransactionTest is RawTransactions {
    Ledger private ledger;

    function setUp() public {
        ledger = new Ledger();
        vm.deal(signer, 1 ether);
    }

    function test_broadcastRawTransaction_transfer() public {
        uint256 miner = block.coinbase.balance;
        vm.broadcastRawTransaction(transfer(0, 5));
        vm.assertEq(RECEIVER.balance, 5);
        vm.assertEq(signer.balance, 1 ether - 5 - 210000);
        vm.assertEq(vm.getNonce(signer), 1);
        vm.assertEq(block.coinbase.balance - miner, 210000);
    }

    function test_broadcastRawTransaction_call() public {
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        vm.assertEq(ledger.total(), 7);
        vm.assertEq(ledger.share(signer), 7);
    }

    function test_broadcastRawTransaction_creation() public {
        vm.broadcastRawTransaction(legacy(LOCAL, fields(0, item(1), 1000000, "", 0, type(Ledger).creationCode)));
        Ledger made = Ledger(vm.computeCreateAddress(signer, 0));
        made.add(3);
        vm.assertEq(made.total(), 3);
        vm.assertEq(vm.getNonce(signer), 1);
    }

    function test_broadcastRawTransaction_withoutChain() public {
        vm.broadcastRawTransaction(legacy(0, fields(0, item(1), 21000, abi.encodePacked(RECEIVER), 5, "")));
        vm.assertEq(RECEIVER.balance, 5);
    }

    function test_broadcastRawTransaction_otherChain() public {
        vm.chainId(5);
        vm.broadcastRawTransaction(legacy(5, fields(0, item(1), 21000, abi.encodePacked(RECEIVER), 5, "")));
        vm.assertEq(RECEIVER.balance, 5);
    }

    function test_broadcastRawTransaction_failing() public {
        vm.broadcastRawTransaction(add(ledger, 0, 0));
        vm.assertEq(ledger.total(), 0);
        vm.assertEq(vm.getNonce(signer), 1);
        vm.assertLt(signer.balance, 1 ether);
    }

    function test_broadcastRawTransaction_several() public {
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        vm.broadcastRawTransaction(add(ledger, 1, 8));
        ledger.add(9);
        vm.broadcastRawTransaction(add(ledger, 2, 10));
        vm.assertEq(ledger.total(), 34);
        vm.assertEq(ledger.share(signer), 25);
    }

    function test_broadcastRawTransaction_onChangesOfTheTest() public {
        ledger.add(1);
        Ledger made = new Ledger();
        made.add(2);
        vm.broadcastRawTransaction(add(made, 0, 7));
        vm.assertEq(ledger.total(), 1);
        vm.assertEq(made.total(), 9);
    }

    function test_broadcastRawTransaction_nonceNotChecked() public {
        vm.broadcastRawTransaction(add(ledger, 9, 7));
        vm.assertEq(ledger.total(), 7);
        vm.assertEq(vm.getNonce(signer), 1);
    }

    function test_broadcastRawTransaction_trailingBytes() public {
        vm.broadcastRawTransaction(bytes.concat(transfer(0, 5), hex"00"));
        vm.assertEq(RECEIVER.balance, 5);
    }

    function test_broadcastRawTransaction_type1() public {
        bytes memory slots = list(bytes.concat(item(abi.encode(0)), item(abi.encode(1))));
        bytes memory accessList = list(list(bytes.concat(item(abi.encodePacked(ledger)), slots)));
        bytes memory inner = bytes.concat(item(LOCAL), addFields(ledger, 0, item(1), 7), accessList);
        vm.broadcastRawTransaction(typed(0x01, inner));
        vm.assertEq(ledger.share(signer), 7);
    }

    function test_broadcastRawTransaction_type2() public {
        vm.fee(5);
        bytes memory inner =
            bytes.concat(item(LOCAL), addFields(ledger, 0, bytes.concat(item(2), item(9)), 7), list(""));
        vm.broadcastRawTransaction(typed(0x02, inner));
        vm.assertEq(ledger.share(signer), 7);
        vm.assertEq((1 ether - signer.balance) % 7, 0, "base fee and tip");
    }

    function test_broadcastRawTransaction_type4() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(ledger), 0xb0b);
        bytes memory authorization = list(
            bytes.concat(
                bytes.concat(item(LOCAL), item(abi.encodePacked(ledger)), item(0), item(signed.v)),
                item(uint256(signed.r)),
                item(uint256(signed.s))
            )
        );
        bytes memory call = addFields(Ledger(vm.addr(0xb0b)), 0, bytes.concat(item(0), item(9)), 7);
        vm.broadcastRawTransaction(typed(0x04, bytes.concat(item(LOCAL), call, list(""), list(authorization))));
        vm.assertEq(Ledger(vm.addr(0xb0b)).share(signer), 7);
        vm.assertEq(vm.addr(0xb0b).code, abi.encodePacked(hex"ef0100", ledger));
        vm.assertEq(vm.getNonce(vm.addr(0xb0b)), 1);
    }

    function test_broadcastRawTransaction_type3() public {
        bytes memory code = hex"5f495f55"; // sstore(0, blobhash(0))
        vm.etch(RECEIVER, code);
        bytes32 hash = bytes32(uint256(1 << 248) + 5);
        bytes memory call = fields(0, bytes.concat(item(0), item(9)), 200000, abi.encodePacked(RECEIVER), 0, "");
        bytes memory blobs = bytes.concat(list(""), item(100), list(item(abi.encode(hash))));
        vm.broadcastRawTransaction(typed(0x03, bytes.concat(item(LOCAL), call, blobs)));
        vm.assertEq(vm.load(RECEIVER, 0), hash);
        vm.assertEq(vm.getBlobhashes().length, 0);
    }

    function test_broadcastRawTransaction_logs() public {
        vm.recordLogs();
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].emitter, address(ledger));
    }

    function test_broadcastRawTransaction_expectEmit() public {
        bytes memory transaction = add(ledger, 0, 7);
        vm.expectEmit(address(ledger));
        emit Ledger.Added(signer, 7, 7);
        vm.broadcastRawTransaction(transaction);
    }

    function test_broadcastRawTransaction_inBroadcast() public {
        bytes memory transaction = add(ledger, 0, 7);
        vm.startBroadcast(address(0x5151));
        vm.broadcastRawTransaction(transaction);
        ledger.add(1);
        vm.stopBroadcast();
        vm.assertEq(ledger.share(signer), 7);
        vm.assertEq(ledger.share(address(0x5151)), 1);
        vm.assertEq(vm.getNonce(address(0x5151)), 1);
    }

    function test_broadcastRawTransaction_pranked() public {
        bytes memory transaction = add(ledger, 0, 7);
        vm.prank(address(0x5151));
        vm.broadcastRawTransaction(transaction);
        ledger.add(1);
        vm.assertEq(ledger.share(signer), 7);
        vm.assertEq(ledger.share(address(0x5151)), 1);
    }

    function test_broadcastRawTransaction_environment() public {
        vm.txGasPrice(77);
        address origin = tx.origin;
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        vm.assertEq(tx.gasprice, 77);
        vm.assertEq(tx.origin, origin);
    }

    function test_broadcastRawTransaction_signerWithCode() public {
        vm.etch(signer, hex"00");
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        vm.assertEq(ledger.total(), 7);
    }

    function test_broadcastRawTransaction_revertedCall() public {
        try this.sendAndRevert() {} catch {}
        vm.assertEq(ledger.total(), 7, "it stays");
        vm.assertEq(vm.getNonce(signer), 1);
    }

    function sendAndRevert() external {
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        revert();
    }

    function test_broadcastRawTransaction_snapshot() public {
        uint256 id = vm.snapshotState();
        vm.broadcastRawTransaction(add(ledger, 0, 7));
        vm.revertToState(id);
        vm.assertEq(ledger.total(), 0);
        vm.assertEq(vm.getNonce(signer), 0);
    }
}

/// Signed transactions that cannot be executed.
contract ScriptRawTransactionErrors is RawTransactions {
    function setUp() public {
        vm.deal(signer, 1 ether);
    }

    function test_broadcastRawTransaction_empty() public {
        vm.broadcastRawTransaction("");
    }

    function test_broadcastRawTransaction_noRlp() public {
        vm.broadcastRawTransaction(hex"c3");
    }

    function test_broadcastRawTransaction_noList() public {
        vm.broadcastRawTransaction(hex"83010203");
    }

    function test_broadcastRawTransaction_short() public {
        vm.broadcastRawTransaction(hex"c3010203");
    }

    function test_broadcastRawTransaction_unknownType() public {
        vm.broadcastRawTransaction(hex"7ec0");
    }

    function test_broadcastRawTransaction_badSignature() public {
        bytes[] memory parts = vm.fromRlp(transfer(0, 1));
        parts[7] = "";
        vm.broadcastRawTransaction(vm.toRlp(parts));
    }

    function test_broadcastRawTransaction_poor() public {
        vm.broadcastRawTransaction(transfer(0, 1 ether));
    }

    function test_broadcastRawTransaction_otherChain() public {
        vm.broadcastRawTransaction(legacy(5, fields(0, item(1), 21000, abi.encodePacked(RECEIVER), 5, "")));
    }

    function test_broadcastRawTransaction_littleGas() public {
        vm.broadcastRawTransaction(legacy(LOCAL, fields(0, item(1), 20999, abi.encodePacked(RECEIVER), 5, "")));
    }

    function test_broadcastRawTransaction_muchGas() public {
        vm.broadcastRawTransaction(legacy(LOCAL, fields(0, item(1), 1 << 31, abi.encodePacked(RECEIVER), 5, "")));
    }

    function test_broadcastRawTransaction_tipAboveFee() public {
        bytes memory inner = fields(0, bytes.concat(item(9), item(2)), 21000, abi.encodePacked(RECEIVER), 5, "");
        vm.broadcastRawTransaction(typed(0x02, bytes.concat(item(LOCAL), inner, list(""))));
    }

    function test_broadcastRawTransaction_noAuthorizations() public {
        bytes memory inner = fields(0, bytes.concat(item(0), item(9)), 21000, abi.encodePacked(RECEIVER), 5, "");
        vm.broadcastRawTransaction(typed(0x04, bytes.concat(item(LOCAL), inner, list(""), list(""))));
    }

    function test_broadcastRawTransaction_noBlobs() public {
        bytes memory inner = fields(0, bytes.concat(item(0), item(9)), 21000, abi.encodePacked(RECEIVER), 5, "");
        vm.broadcastRawTransaction(typed(0x03, bytes.concat(item(LOCAL), inner, list(""), item(100), list(""))));
    }

    function test_broadcastRawTransaction_lowPrice() public {
        vm.fee(100);
        vm.broadcastRawTransaction(transfer(0, 1));
    }
}
