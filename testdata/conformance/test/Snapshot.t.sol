// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// A number to set.
contract SnapshotBox {
    uint256 public number;

    event Set(uint256 value);

    function set(uint256 value) external {
        number = value;
        emit Set(value);
    }

    function sender() external view returns (address) {
        return msg.sender;
    }
}

/// States that are taken, restored and deleted.
contract SnapshotTest is Conformance {
    SnapshotBox private box;
    uint256 private own;
    uint256 private transient passing;

    /// Snapshot 0 holds 1.
    function setUp() public {
        box = new SnapshotBox();
        box.set(1);
        vm.snapshotState();
        box.set(2);
    }

    function test_snapshotState_ids() public {
        vm.assertEq(vm.snapshotState(), 1);
        vm.assertEq(vm.snapshot(), 2);
        vm.assertTrue(vm.revertToState(1));
        vm.assertEq(vm.snapshotState(), 3);
        vm.assertTrue(vm.revertToStateAndDelete(1));
        vm.deleteStateSnapshots();
        vm.assertEq(vm.snapshotState(), 4);
    }

    function test_snapshot_old() public {
        uint256 id = vm.snapshot();
        box.set(5);
        vm.assertTrue(vm.revertTo(id));
        vm.assertEq(box.number(), 2);
        box.set(6);
        vm.assertTrue(vm.revertToAndDelete(id));
        vm.assertEq(box.number(), 2);
        vm.assertFalse(vm.revertTo(id));
        vm.assertFalse(vm.revertToAndDelete(id));
    }

    function test_revertToState_fromSetUp() public {
        vm.assertEq(box.number(), 2);
        vm.assertTrue(vm.revertToState(0));
        vm.assertEq(box.number(), 1);
        box.set(3);
        vm.assertTrue(vm.revertToState(0));
        vm.assertEq(box.number(), 1);
    }

    /// Later snapshots stay usable.
    function test_revertToState_thereAndBack() public {
        uint256 one = vm.snapshotState();
        box.set(10);
        uint256 two = vm.snapshotState();
        box.set(20);
        vm.assertTrue(vm.revertToState(one));
        vm.assertEq(box.number(), 2);
        vm.assertTrue(vm.revertToState(two));
        vm.assertEq(box.number(), 10);
        vm.assertTrue(vm.revertToStateAndDelete(one));
        vm.assertEq(box.number(), 2);
        vm.assertTrue(vm.revertToState(two));
        vm.assertFalse(vm.revertToState(one));
        vm.assertEq(box.number(), 10);
    }

    function test_revertToState_unknown() public {
        box.set(9);
        vm.assertFalse(vm.revertToState(5));
        vm.assertFalse(vm.revertToState(type(uint256).max));
        vm.assertFalse(vm.revertToStateAndDelete(5));
        vm.assertFalse(vm.revertTo(5));
        vm.assertEq(box.number(), 9);
    }

    function test_revertToState_accounts() public {
        uint256 id = vm.snapshotState();
        vm.deal(address(5), 6);
        vm.etch(address(0x505), hex"01");
        vm.setNonce(address(0x505), 5);
        vm.store(address(0x505), bytes32(0), bytes32(uint256(1)));
        (own, passing) = (7, 8);
        uint256 kept = 9;
        SnapshotBox created = new SnapshotBox();
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(address(5).balance, 0);
        vm.assertEq(address(0x505).code.length, 0);
        vm.assertEq(vm.getNonce(address(0x505)), 0);
        vm.assertEq(vm.load(address(0x505), bytes32(0)), bytes32(0));
        vm.assertEq(own, 0);
        vm.assertEq(passing, 0);
        vm.assertEq(kept, 9);
        vm.assertEq(address(created).code.length, 0);
        vm.assertEq(address(new SnapshotBox()), address(created));
    }

    /// The block is restored, the transaction is not.
    function test_revertToState_environment() public {
        uint256 id = vm.snapshotState();
        vm.warp(50);
        vm.roll(60);
        vm.setBlockhash(59, bytes32(uint256(1)));
        vm.chainId(70);
        vm.fee(80);
        vm.coinbase(address(90));
        vm.prevrandao(uint256(100));
        vm.blobBaseFee(10_000_000);
        vm.txGasPrice(110);
        vm.blobhashes(new bytes32[](1));
        vm.setEvmVersion("cancun");
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(block.timestamp, 1);
        vm.assertEq(block.number, 1);
        vm.assertEq(block.chainid, 31337);
        vm.assertEq(block.basefee, 0);
        vm.assertEq(block.coinbase, address(0));
        vm.assertEq(block.prevrandao, 0);
        vm.assertEq(vm.getBlobBaseFee(), 0);
        vm.roll(60);
        vm.assertEq(blockhash(59), keccak256("59"));
        vm.assertEq(tx.gasprice, 110);
        vm.assertEq(vm.getBlobhashes().length, 1);
        vm.assertEq(vm.getEvmVersion(), "cancun");
    }

    /// What the cheatcodes themselves remember is not restored.
    function test_revertToState_cheatcodes() public {
        uint256 id = vm.snapshotState();
        vm.mockCall(address(box), abi.encodeCall(box.number, ()), abi.encode(99));
        vm.label(address(box), "box");
        vm.recordLogs();
        vm.startMappingRecording();
        vm.startPrank(address(4));
        box.set(4);
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(box.number(), 99);
        vm.assertEq(box.sender(), address(4));
        vm.assertEq(vm.getLabel(address(box)), "box");
        vm.assertEq(vm.getRecordedLogs().length, 1);
        vm.clearMockedCalls();
        vm.assertEq(box.number(), 2);
    }

    /// A mock that was cleared is not back.
    function test_revertToState_clearedMock() public {
        vm.mockCall(address(box), abi.encodeCall(box.number, ()), abi.encode(99));
        uint256 id = vm.snapshotState();
        vm.clearMockedCalls();
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(box.number(), 2);
    }

    function take() external returns (uint256 id) {
        box.set(40);
        id = vm.snapshotState();
        box.set(41);
    }

    function test_snapshotState_deeper() public {
        uint256 id = this.take();
        box.set(42);
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(box.number(), 40);
    }

    function restore(uint256 id) external {
        box.set(50);
        own = 51;
        vm.assertTrue(vm.revertToState(id));
        vm.assertEq(box.number(), 2);
        box.set(52);
    }

    function test_revertToState_deeper() public {
        uint256 id = vm.snapshotState();
        (bool done,) = address(box).call(abi.encodeCall(box.set, (49)));
        this.restore(id);
        vm.assertTrue(done);
        vm.assertEq(box.number(), 52);
        vm.assertEq(own, 0);
    }

    function restoreAndFail(uint256 id) external {
        box.set(60);
        vm.revertToState(id);
        box.set(61);
        revert();
    }

    /// The failed call has no state of its own left to undo.
    function test_revertToState_failedCall() public {
        uint256 id = vm.snapshotState();
        box.set(59);
        try this.restoreAndFail(id) {} catch {}
        vm.assertEq(box.number(), 61);
    }

    function failAndRevert() external {
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(1)));
        revert();
    }

    /// The flag of failure is undone with the call that set it.
    function test_store_failedUndone() public {
        try this.failAndRevert() {} catch {}
    }

    function takeAndFail() external {
        box.set(70);
        vm.snapshotState();
        box.set(71);
        revert();
    }

    function test_snapshotState_failedCall() public {
        try this.takeAndFail() {} catch {}
        vm.assertEq(box.number(), 2);
        vm.assertTrue(vm.revertToState(1));
        vm.assertEq(box.number(), 70);
    }

    function test_deleteStateSnapshot_one() public {
        uint256 one = vm.snapshotState();
        uint256 two = vm.snapshotState();
        vm.assertTrue(vm.deleteStateSnapshot(one));
        vm.assertFalse(vm.deleteStateSnapshot(one));
        vm.assertFalse(vm.deleteStateSnapshot(77));
        vm.assertFalse(vm.revertToState(one));
        vm.assertTrue(vm.revertToState(two));
        vm.assertTrue(vm.deleteSnapshot(two));
        vm.assertFalse(vm.deleteSnapshot(two));
    }

    function test_deleteStateSnapshots_all() public {
        uint256 one = vm.snapshotState();
        vm.deleteStateSnapshots();
        vm.assertFalse(vm.revertToState(one));
        vm.assertFalse(vm.revertToState(0));
        uint256 two = vm.snapshotState();
        vm.deleteSnapshots();
        vm.assertFalse(vm.revertToState(two));
    }
}

/// The flag of failure in the cheatcodes' account, which outlives the restoring of a state.
contract SnapshotErrors is Conformance {
    function fail() private {
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(1)));
    }

    function test_store_failed() public {
        fail();
    }

    function test_store_failedOtherValue() public {
        vm.store(address(vm), bytes32("failed"), bytes32(uint256(2)));
    }

    function test_revertToState_failed() public {
        uint256 id = vm.snapshotState();
        fail();
        vm.revertToState(id);
    }

    function test_revertToStateAndDelete_failed() public {
        uint256 id = vm.snapshotState();
        fail();
        vm.revertToStateAndDelete(id);
    }
}
