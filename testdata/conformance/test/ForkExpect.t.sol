// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Ledger, Node} from "./Node.sol";

/// Expectations, pranks, mocks and recordings, begun on one fork and used on another.
contract ForkExpectTest is Node {
    uint256 private one;
    uint256 private two;

    function setUp() public {
        one = vm.createSelectFork(node(), 2);
        two = vm.createFork(node(), 4);
    }

    function test_prank_across() public {
        vm.prank(ALICE);
        vm.selectFork(two);
        LEDGER.add(1);
        vm.assertEq(LEDGER.share(ALICE), 13);
    }

    function test_startPrank_across() public {
        uint256 other = two;
        vm.startPrank(ALICE, BOB);
        LEDGER.add(1);
        vm.selectFork(other);
        LEDGER.add(1);
        vm.assertEq(LEDGER.share(ALICE), 13);
        (, address sender, address origin) = vm.readCallers();
        vm.assertEq(sender, ALICE);
        vm.assertEq(origin, BOB);
        vm.stopPrank();
        LEDGER.add(1);
        vm.assertEq(LEDGER.share(address(this)), 1);
    }

    function test_mockCall_across() public {
        vm.mockCall(address(LEDGER), abi.encodeCall(LEDGER.total, ()), abi.encode(77));
        vm.selectFork(two);
        vm.assertEq(LEDGER.total(), 77);
        vm.clearMockedCalls();
        vm.assertEq(LEDGER.total(), 23);
    }

    function test_mockCall_withoutCode() public {
        vm.mockCall(NOBODY, abi.encodeCall(LEDGER.total, ()), abi.encode(77));
        vm.assertEq(NOBODY.code, hex"00");
        vm.selectFork(two);
        vm.assertEq(NOBODY.code.length, 0, "the byte of code is the first fork's");
        vm.assertEq(Ledger(NOBODY).total(), 77);
    }

    function test_expectRevert_across() public {
        vm.expectRevert(Ledger.Nothing.selector);
        vm.selectFork(two);
        LEDGER.add(0);
    }

    function test_expectCall_across() public {
        vm.expectCall(address(LEDGER), abi.encodeCall(LEDGER.add, (2)), 2);
        LEDGER.add(2);
        vm.selectFork(two);
        LEDGER.add(2);
    }

    function test_expectEmit_across() public {
        vm.expectEmit(address(LEDGER));
        emit Ledger.Added(address(this), 2, 25);
        vm.selectFork(two);
        LEDGER.add(2);
    }

    function test_recordLogs_across() public {
        vm.recordLogs();
        LEDGER.add(1);
        vm.selectFork(two);
        LEDGER.add(2);
        vm.selectFork(one);
        LEDGER.add(3);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3);
        vm.assertEq(logs[0].data, abi.encode(1, 6));
        vm.assertEq(logs[1].data, abi.encode(2, 25));
        vm.assertEq(logs[2].data, abi.encode(3, 9));
    }

    function test_record_across() public {
        uint256 other = two;
        vm.record();
        vm.load(address(LEDGER), 0);
        LEDGER.total();
        vm.selectFork(other);
        LEDGER.total();
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(LEDGER));
        vm.assertEq(reads.length, 2);
        vm.assertEq(writes.length, 0);
    }

    function test_stateDiff_across() public {
        uint256 other = two;
        vm.startStateDiffRecording();
        LEDGER.total();
        vm.selectFork(other);
        LEDGER.total();
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        vm.assertEq(accesses.length, 3);
        assertAccess(accesses[0], 0, 3, address(LEDGER), 5);
        assertAccess(accesses[1], 0, 8, address(vm), 0); // the code size before the call of selectFork
        assertAccess(accesses[2], 1, 3, address(LEDGER), 23);
    }

    function test_stateDiff_transact() public {
        vm.startStateDiffRecording();
        vm.transact(ADD7);
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        vm.assertEq(accesses.length, 2);
        assertAccess(accesses[0], 0, 8, address(vm), 0);
        assertAccess(accesses[1], 0, 0, address(LEDGER), 5);
        vm.assertEq(accesses[1].accessor, ALICE);
        vm.assertEq(accesses[1].depth, 2);
        vm.assertEq(accesses[1].storageAccesses.length, 5);
    }

    function assertAccess(Vm.AccountAccess memory access, uint256 fork, uint8 kind, address account, uint256 previous)
        private
    {
        vm.assertEq(access.chainInfo.forkId, fork);
        vm.assertEq(access.chainInfo.chainId, CHAIN);
        vm.assertEq(uint256(access.kind), kind);
        vm.assertEq(access.account, account);
        if (previous != 0) vm.assertEq(access.storageAccesses[0].previousValue, bytes32(previous));
    }

    function test_stateDiff_textMergesForks() public {
        vm.startStateDiffRecording();
        LEDGER.add(1);
        vm.selectFork(two);
        LEDGER.add(3);
        string memory json = vm.getStateDiffJson();
        string memory slot = string.concat(
            ".", vm.toLowercase(vm.toString(address(LEDGER))), ".stateDiff.", vm.toString(bytes32(0)), "."
        );
        vm.assertEq(vm.parseJsonUint(json, string.concat(slot, "previousValue")), 5);
        vm.assertEq(vm.parseJsonUint(json, string.concat(slot, "newValue")), 26);
    }

    function test_label_across() public {
        vm.label(NOBODY, "nobody");
        vm.selectFork(two);
        vm.assertEq(vm.getLabel(NOBODY), "nobody");
    }

    function test_chainId_across() public {
        vm.chainId(5);
        vm.assertEq(vm.getChainId(), 5);
        vm.selectFork(two);
        vm.assertEq(vm.getChainId(), CHAIN);
    }

    function test_txGasPrice_across() public {
        vm.txGasPrice(99);
        vm.selectFork(two);
        vm.assertEq(tx.gasprice, 99);
    }

    function test_blobhashes_across() public {
        bytes32[] memory hashes = new bytes32[](1);
        hashes[0] = bytes32(uint256(0x01) << 248);
        vm.blobhashes(hashes);
        vm.selectFork(two);
        vm.assertEq(vm.getBlobhashes()[0], hashes[0]);
    }

    function costOfTotal() private view returns (uint256) {
        uint256 gas = gasleft();
        LEDGER.total();
        return gas - gasleft();
    }

    function test_warmth_across() public {
        uint256 other = two;
        uint256 cold = costOfTotal();
        uint256 warm = costOfTotal();
        vm.assertApproxEqAbs(cold, warm + 4500, 9);
        vm.selectFork(other);
        vm.assertApproxEqAbs(costOfTotal(), cold, 9);
        vm.selectFork(0);
        vm.assertApproxEqAbs(costOfTotal(), warm, 9);
        vm.rollFork(3);
        vm.assertApproxEqAbs(costOfTotal(), warm + 2000, 9, "the account is warm, the slot is not");
    }

    function test_copyStorage_ofTheNode() public {
        Ledger own = new Ledger();
        vm.copyStorage(address(LEDGER), address(own));
        vm.assertEq(own.total(), 0, "only slots that were read are copied");
        LEDGER.total();
        vm.copyStorage(address(LEDGER), address(own));
        vm.assertEq(own.total(), 5);
    }

    function test_cloneAccount_ofTheNode() public {
        vm.cloneAccount(RELIC, NOBODY);
        vm.assertEq(NOBODY.code, RELIC.code);
        vm.assertEq(NOBODY.balance, 7 ether);
        vm.assertEq(vm.getNonce(NOBODY), 9);
    }

    function test_resetNonce_onFork() public {
        vm.resetNonce(ALICE);
        vm.assertEq(vm.getNonce(ALICE), 0);
        vm.resetNonce(RELIC);
        vm.assertEq(vm.getNonce(RELIC), 1);
    }

    function test_setArbitraryStorage_onFork() public {
        vm.setArbitraryStorage(address(LEDGER));
        vm.assertEq(LEDGER.total(), 5);
    }
}

/// Expectations that the other fork does not fulfil.
contract ForkExpectErrors is Node {
    uint256 private two;

    function setUp() public {
        vm.createSelectFork(node(), 2);
        two = vm.createFork(node(), 4);
    }

    function test_expectRevert_none() public {
        vm.expectRevert();
        vm.selectFork(two);
        LEDGER.add(1);
    }

    function test_expectCall_once() public {
        vm.expectCall(address(LEDGER), abi.encodeCall(LEDGER.add, (2)), 2);
        LEDGER.add(2);
        vm.selectFork(two);
    }

    function test_expectEmit_otherTotal() public {
        vm.expectEmit(address(LEDGER));
        emit Ledger.Added(address(this), 2, 7);
        vm.selectFork(two);
        LEDGER.add(2);
    }

    function test_setNonce_low() public {
        vm.setNonce(RELIC, 8);
    }
}
