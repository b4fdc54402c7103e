// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {StateDiffs, StateDiffBox} from "./StateDiffs.sol";
import {Vm} from "../src/Vm.sol";

/// Recorded calls: their order, kinds, depths, slots and reverts.
contract StateDiffTest is StateDiffs {
    StateDiffBox private keptBox;
    StateDiffBox private keptNext;
    bytes private setOne = abi.encodeCall(StateDiffBox.set, (1));

    function setUp() public {
        keptBox = new StateDiffBox{value: 100}();
        keptNext = new StateDiffBox();
        name(address(keptBox), "box");
        name(address(keptNext), "next");
        name(msg.sender, "sender");
    }

    /// The boxes, read before the recording starts.
    function start() private returns (StateDiffBox box, StateDiffBox next) {
        (box, next) = (keptBox, keptNext);
        vm.startStateDiffRecording();
    }

    function check(string memory expected) private {
        vm.assertEq(text(vm.stopAndReturnStateDiff()), expected);
    }

    function test_startStateDiffRecording_nothing() public {
        start();
        check("");
    }

    function test_startStateDiffRecording_restart() public {
        (StateDiffBox box,) = start();
        box.set(3);
        vm.startStateDiffRecording();
        box.first();
        check(
            "StaticCall box by test at 1 data 0x3df4ddf4 balance 100 nonce 1\n"
            "  0: 3=3\n"
        );
    }

    function test_stopAndReturnStateDiff_calls() public {
        (StateDiffBox box,) = start();
        box.set(3);
        box.first();
        box.rewrite(5);
        box.set{value: 5}(6);
        box.pass();
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>3\n"
            "StaticCall box by test at 1 data 0x3df4ddf4 balance 100 nonce 1\n"
            "  0: 3=3\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 3>5\n"
            "  0: 5>6\n"
            "  0: 6=6\n"
            "  1: 0>6\n"
            "  1: 6=6\n"
            "  1: 6>6\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 value 5 balance 100>105 nonce 1\n"
            "  0: 6>6\n"
            "Extcodesize box by test at 1 balance 105 nonce 1\n"
            "Call box by test at 1 data 0xa7a1ed72 balance 105 nonce 1\n"
        );
    }

    /// Stopping goes on recording, even if it was not asked for before.
    function test_stopAndReturnStateDiff_goesOn() public {
        StateDiffBox box = keptBox;
        box.set(3);
        Vm.AccountAccess[] memory none = vm.stopAndReturnStateDiff();
        vm.assertEq(none.length, 0);
        vm.stopAndReturnStateDiff();
        box.set(4);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 3>4\n"
        );
    }

    function test_stopAndReturnStateDiff_fields() public {
        (StateDiffBox box,) = start();
        box.set{value: 5}(6);
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        vm.assertEq(accesses.length, 2);
        vm.assertEq(accesses[0].data, "");
        Vm.AccountAccess memory a = accesses[1];
        vm.assertEq(a.chainInfo.forkId, 0);
        vm.assertEq(a.chainInfo.chainId, 31337);
        vm.assertEq(a.kind, 0);
        vm.assertEq(a.account, address(box));
        vm.assertEq(a.accessor, address(this));
        vm.assertEq(a.data, abi.encodeCall(box.set, (6)));
        vm.assertEq(a.deployedCode, "");
        vm.assertEq(a.storageAccesses[0].account, address(box));
    }

    function test_stopAndReturnStateDiff_chain() public {
        vm.chainId(5);
        (StateDiffBox box,) = start();
        box.first();
        vm.chainId(6);
        box.first();
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        vm.assertEq(accesses[0].chainInfo.chainId, 5);
        vm.assertEq(accesses[2].chainInfo.chainId, 6);
    }

    function test_stopAndReturnStateDiff_resume() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.between(next);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100>98 nonce 1\n"
            "  1: 0>1\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Call next by box at 2 data 36 nonce 1\n"
            "  0: 1>7\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Call next by box at 2 data 36 value 2 balance 0>2 nonce 1\n"
            "  0: 7>8\n"
            "Resume box by test at 1\n"
            "  1: 2>3\n"
        );
    }

    function test_stopAndReturnStateDiff_noResume() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.through(next, 4);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 68 balance 100 nonce 1\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Call next by box at 2 data 36 nonce 1\n"
            "  0: 1>4\n"
        );
    }

    function test_stopAndReturnStateDiff_deep() public {
        StateDiffBox outer = new StateDiffBox();
        name(address(outer), "outer");
        (StateDiffBox box, StateDiffBox next) = start();
        outer.chain(box, next);
        check(
            "Extcodesize outer by test at 1 nonce 1\n"
            "Call outer by test at 1 data 68 nonce 1\n"
            "Extcodesize box by outer at 2 balance 100 nonce 1\n"
            "Call box by outer at 2 data 36 balance 100>98 nonce 1\n"
            "  1: 0>1\n"
            "Extcodesize next by box at 3 nonce 1\n"
            "Call next by box at 3 data 36 nonce 1\n"
            "  0: 1>7\n"
            "Resume box by outer at 2\n"
            "  1: 1>2\n"
            "Extcodesize next by box at 3 nonce 1\n"
            "Call next by box at 3 data 36 value 2 balance 0>2 nonce 1\n"
            "  0: 7>8\n"
            "Resume box by outer at 2\n"
            "  1: 2>3\n"
            "  of outer 1: 0>5\n"
        );
    }

    function test_stopAndReturnStateDiff_caught() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.catching(next);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  1: 0>1\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Call next by box at 2 data 0xa9cc4718 nonce 1 reverted\n"
            "  0: 1>9 reverted\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_reverted() public {
        (StateDiffBox box, StateDiffBox next) = start();
        try box.failing(next) {} catch {}
        next.first();
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1 reverted\n"
            "  1: 0>1 reverted\n"
            "Extcodesize next by box at 2 nonce 1 reverted\n"
            "Call next by box at 2 data 36 nonce 1 reverted\n"
            "  0: 1>4 reverted\n"
            "Resume box by test at 1 reverted\n"
            "  1: 1>2 reverted\n"
            "StaticCall next by test at 1 data 0x3df4ddf4 nonce 1\n"
            "  0: 1=1\n"
        );
    }

    /// A call that ends without REVERT is not marked.
    function test_stopAndReturnStateDiff_halted() public {
        (StateDiffBox box, StateDiffBox next) = start();
        (bool done,) = address(box).staticcall{gas: 50_000}(setOne);
        (done,) = address(box).call{gas: 3_500}(setOne);
        (done,) = address(next).call{gas: 50_000}(hex"deadbeef");
        check(
            "StaticCall box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>1\n"
            "Call next by test at 1 data 0xdeadbeef nonce 1 reverted\n"
        );
    }

    function test_stopAndReturnStateDiff_delegate() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.delegate(address(next), 7);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 68 balance 100 nonce 1\n"
            "  1: 0>1\n"
            "DelegateCall next by test at 2 data 36 balance 100 nonce 1\n"
            "  of box 0: 1>7\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_ownDelegate() public {
        (StateDiffBox box,) = start();
        (bool done,) = address(box).delegatecall(setOne);
        vm.assertTrue(done);
        check(
            "DelegateCall box by sender at 1 data 36 balance 79228162514264337593543950235 nonce 3\n"
            "  of test 0: 0>1\n"
            "Extcodesize vm by test at 1\n"
        );
    }

    function test_stopAndReturnStateDiff_callcode() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.borrow(address(next));
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "CallCode next by box at 2 data 36 value 3 balance 100 nonce 1\n"
            "  of box 0: 1>7\n"
        );
    }

    function test_getStorageAccesses_all() public {
        Vm.StorageAccess[] memory slots = vm.getStorageAccesses();
        vm.assertEq(slots.length, 0);
        (StateDiffBox box, StateDiffBox next) = start();
        box.through(next, 4);
        try box.fail() {} catch {}
        box.first();
        slots = vm.getStorageAccesses();
        vm.assertEq(slots.length, 3);
        vm.assertEq(slots[0].account, address(next));
        vm.assertEq(slots[0].slot, bytes32(0));
        vm.assertEq(slots[0].previousValue, bytes32(uint256(1)));
        vm.assertEq(slots[0].newValue, bytes32(uint256(4)));
        vm.assertTrue(slots[0].isWrite && !slots[0].reverted);
        vm.assertTrue(slots[1].isWrite && slots[1].reverted);
        vm.assertFalse(slots[2].isWrite);
        vm.assertEq(slots[2].newValue, bytes32(uint256(1)));
        slots = vm.getStorageAccesses();
        vm.assertEq(slots.length, 3);
        vm.stopAndReturnStateDiff();
        slots = vm.getStorageAccesses();
        vm.assertEq(slots.length, 0);
    }
}
