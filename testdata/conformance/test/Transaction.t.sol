// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Transactions, TransactionTarget} from "./Transactions.sol";
import {Vm} from "../src/Vm.sol";

/// Signed transactions executed in a test.
contract TransactionTest is Transactions {
    TransactionTarget private target;
    uint256 private here;

    function setUp() public {
        target = new TransactionTarget();
        vm.deal(signer, 10 ether);
    }

    function put(uint256 value) external {
        here = value;
    }

    function test_executeTransaction_transfer() public {
        for (uint256 i = 1; i <= 2; ++i) {
            bytes memory result = vm.executeTransaction(legacy(call(address(0xb0b), 1 ether, ""), block.chainid));
            vm.assertEq(result, "");
            vm.assertEq(address(0xb0b).balance, i * 1 ether);
            vm.assertEq(signer.balance, (10 - i) * 1 ether);
            vm.assertEq(vm.getNonce(signer), i);
        }
    }

    function test_executeTransaction_call() public {
        bytes memory raw = legacy(call(address(target), 5, abi.encodeCall(target.set, (7))), 0);
        vm.assertEq(vm.executeTransaction(raw), abi.encode(signer, signer, 5));
        vm.assertEq(target.number(), 7);
        vm.assertEq(address(target).balance, 5);
    }

    function test_executeTransaction_create() public {
        Tx memory t = call(address(0), 0, type(TransactionTarget).creationCode);
        t.gas = 5_000_000;
        bytes memory code = vm.executeTransaction(legacy(t, block.chainid));
        vm.assertEq(code, address(target).code);
        vm.assertEq(vm.computeCreateAddress(signer, 0).code, code);
    }

    function test_executeTransaction_toTest() public {
        vm.executeTransaction(legacy(call(address(this), 0, abi.encodeCall(this.put, (9))), 0));
        vm.assertEq(here, 9);
    }

    /// No fee is taken: in the transaction the prices are zero.
    function test_executeTransaction_fees() public {
        vm.fee(7);
        vm.txGasPrice(8);
        vm.warp(99);
        vm.coinbase(address(0xc0));
        Tx memory t = call(address(target), 0, abi.encodeCall(target.prices, ()));
        bytes memory fields = paid(t, bytes.concat(item(uint256(1)), item(uint256(10))), list(""));
        vm.assertEq(vm.executeTransaction(typed(2, fields)), abi.encode(0, 0, 99));
        vm.assertEq(signer.balance, 10 ether);
        vm.assertEq(address(0xc0).balance, 0);
        vm.assertEq(tx.gasprice, 8);
        vm.assertEq(block.basefee, 7);
    }

    /// The account is warm and the listed slot too: 4300 paid, 2000 saved.
    function test_executeTransaction_accessList() public {
        Tx memory t = call(address(target), 0, abi.encodeCall(target.left, ()));
        uint256 snapshot = vm.snapshotState();
        uint256 plain = abi.decode(vm.executeTransaction(typed(1, paid(t, item(uint256(0)), list("")))), (uint256));
        vm.revertToState(snapshot);
        bytes memory listed = list(list(bytes.concat(item(address(target)), list(item(abi.encode(0))))));
        uint256 other = abi.decode(vm.executeTransaction(typed(1, paid(t, item(uint256(0)), listed))), (uint256));
        vm.assertEq(plain - other, 2300);
    }

    /// In the transaction all is cold.
    function test_executeTransaction_cold() public {
        bytes memory raw = legacy(call(address(target), 0, abi.encodeCall(target.left, ())), 0);
        uint256 snapshot = vm.snapshotState();
        bytes memory plain = vm.executeTransaction(raw);
        vm.revertToState(snapshot);
        target.number();
        vm.assertEq(vm.executeTransaction(raw), plain);
    }

    function test_executeTransaction_transient() public {
        target.count();
        bytes memory raw = legacy(call(address(target), 0, abi.encodeCall(target.count, ())), 0);
        vm.assertEq(vm.executeTransaction(raw), abi.encode(1));
        vm.assertEq(target.count(), 2);
    }

    function test_executeTransaction_blob() public {
        vm.blobhashes(new bytes32[](2));
        Tx memory t = call(address(target), 0, abi.encodeCall(target.blob, ()));
        bytes32 hash = bytes32(uint256(1) << 248);
        bytes memory fields = paid(t, bytes.concat(item(uint256(0)), item(uint256(0))), list(""));
        fields = bytes.concat(fields, item(uint256(1)), list(item(abi.encode(hash))));
        vm.assertEq(vm.executeTransaction(typed(3, fields)), abi.encode(hash));
    }

    function test_executeTransaction_delegation() public {
        uint256 key = 0xb0b5;
        bytes memory tuple = bytes.concat(item(block.chainid), item(address(target)), item(uint256(0)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(bytes.concat(hex"05", list(tuple))));
        tuple = list(bytes.concat(tuple, item(uint256(v - 27)), item(uint256(r)), item(uint256(s))));
        Tx memory t = call(vm.addr(key), 0, abi.encodeCall(target.set, (7)));
        bytes memory fields = paid(t, bytes.concat(item(uint256(0)), item(uint256(0))), list(""));
        vm.executeTransaction(typed(4, bytes.concat(fields, list(tuple))));
        vm.assertEq(vm.addr(key).code, abi.encodePacked(hex"ef0100", target));
        vm.assertEq(vm.getNonce(vm.addr(key)), 1);
        vm.assertEq(TransactionTarget(vm.addr(key)).number(), 7);
        vm.assertEq(target.number(), 0);
    }

    function test_executeTransaction_logs() public {
        bytes memory raw = legacy(call(address(target), 0, abi.encodeCall(target.set, (7))), 0);
        vm.recordLogs();
        vm.executeTransaction(raw);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].topics[0], TransactionTarget.Set.selector);
        vm.assertEq(logs[0].emitter, address(target));
    }

    /// Neither pranks nor mocks reach into the transaction, nor is it recorded in state diffs.
    function test_executeTransaction_isolated() public {
        bytes memory call7 = abi.encodeCall(target.set, (7));
        bytes memory raw = legacy(call(address(target), 0, call7), 0);
        vm.mockCall(address(target), call7, "mocked");
        vm.startPrank(address(0x77));
        vm.startStateDiffRecording();
        bytes memory result = vm.executeTransaction(raw);
        vm.assertEq(vm.stopAndReturnStateDiff().length, 0);
        vm.assertEq(result, abi.encode(signer, signer, 0));
        vm.clearMockedCalls();
        (address sender,,) = target.set(8);
        vm.assertEq(sender, address(0x77));
    }

    function test_executeTransaction_cheatcodes() public {
        vm.executeTransaction(legacy(call(address(target), 0, abi.encodeCall(target.warp, (55))), 0));
        vm.assertEq(address(0xdea1).balance, 5);
        vm.assertEq(block.timestamp, 55);
    }

    function executeUndone(bytes calldata raw) external {
        vm.executeTransaction(raw);
        revert();
    }

    /// What a transaction did is not undone with the call that executed it.
    function test_executeTransaction_revertedCall() public {
        try this.executeUndone(legacy(call(address(target), 4, abi.encodeCall(target.set, (7))), 0)) {} catch {}
        vm.assertEq(target.number(), 7);
        vm.assertEq(vm.getNonce(signer), 1);
        vm.assertEq(signer.balance, 10 ether - 4);
    }

    function test_executeTransaction_selfdestruct() public {
        vm.deal(address(target), 6);
        vm.executeTransaction(legacy(call(address(target), 0, abi.encodeCall(target.die, ())), 0));
        vm.assertEq(address(0xdead).balance, 6);
        vm.assertGt(address(target).code.length, 0);
    }

    function test_executeTransaction_contractSigner() public {
        vm.etch(signer, hex"00");
        vm.executeTransaction(legacy(call(address(0xb0b), 1, ""), 0));
        vm.assertEq(address(0xb0b).balance, 1);
    }

    function test_executeTransaction_trailingBytes() public {
        vm.executeTransaction(bytes.concat(legacy(call(address(0xb0b), 1, ""), 0), hex"ff"));
        vm.assertEq(address(0xb0b).balance, 1);
    }
}

/// Transactions that cannot be read, are not valid or fail.
contract TransactionErrors is Transactions {
    TransactionTarget private target = new TransactionTarget();

    function set(uint256 nonce, uint256 gas) private returns (bytes memory) {
        Tx memory t = call(address(target), 0, abi.encodeCall(target.set, (7)));
        (t.nonce, t.gas) = (nonce, gas);
        return legacy(t, block.chainid);
    }

    function test_executeTransaction_empty() public {
        vm.executeTransaction("");
    }

    function test_executeTransaction_emptyList() public {
        vm.executeTransaction(hex"c0");
    }

    function test_executeTransaction_truncated() public {
        vm.executeTransaction(hex"02c0");
    }

    function test_executeTransaction_unknownType() public {
        vm.executeTransaction(hex"05c0");
    }

    function test_executeTransaction_noSignature() public {
        bytes memory fields = paid(call(address(target), 0, ""), item(uint256(0)), list(""));
        bytes memory zeros = bytes.concat(item(uint256(0)), item(uint256(0)), item(uint256(0)));
        vm.executeTransaction(bytes.concat(hex"01", list(bytes.concat(fields, zeros))));
    }

    function test_executeTransaction_reverts() public {
        vm.executeTransaction(legacy(call(address(target), 0, abi.encodeCall(target.fail, ())), 0));
    }

    function test_executeTransaction_halts() public {
        vm.executeTransaction(set(0, 22_000));
    }

    function test_executeTransaction_intrinsicGas() public {
        vm.executeTransaction(set(0, 20_000));
    }

    function test_executeTransaction_gasCap() public {
        vm.executeTransaction(set(0, (1 << 24) + 1));
    }

    function test_executeTransaction_nonceHigh() public {
        vm.executeTransaction(set(1, 50_000));
    }

    function test_executeTransaction_nonceLow() public {
        vm.setNonce(signer, 5);
        vm.executeTransaction(set(4, 50_000));
    }

    function test_executeTransaction_chain() public {
        vm.executeTransaction(legacy(call(address(0xb0b), 0, ""), 5));
    }

    function test_executeTransaction_funds() public {
        vm.executeTransaction(legacy(call(address(0xb0b), 1, ""), 0));
    }
}
