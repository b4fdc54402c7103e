// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {StateDiffs, StateDiffBox} from "./StateDiffs.sol";
import {Vm} from "../src/Vm.sol";

/// Recordings that start or stop in deeper calls, and of the test's own account.
contract StateDiffDepthTest is StateDiffs {
    uint256 private own;
    StateDiffBox private keptBox;
    StateDiffBox private keptNext;

    function setUp() public {
        keptBox = new StateDiffBox{value: 100}();
        keptNext = new StateDiffBox();
        name(address(keptBox), "box");
        name(address(keptNext), "next");
    }

    /// The boxes, read before the recording starts.
    function start() private returns (StateDiffBox box, StateDiffBox next) {
        (box, next) = (keptBox, keptNext);
        vm.startStateDiffRecording();
    }

    function check(string memory expected) private {
        vm.assertEq(text(vm.stopAndReturnStateDiff()), expected);
    }

    /// The slots that the recording test itself uses are left out.
    function test_stopAndReturnStateDiff_ownSlots() public {
        (StateDiffBox box,) = start();
        own = 4;
        box.first();
        own = 5;
        check(
            "StaticCall box by test at 1 data 0x3df4ddf4 balance 100 nonce 1\n"
            "  0: 1=1\n"
        );
    }

    function callBack() external {
        own = 6;
    }

    function test_stopAndReturnStateDiff_self() public {
        start();
        this.callBack();
        own = 7;
        check(
            "Extcodesize test by test at 1 balance 79228162514264337593543950235 nonce 3\n"
            "Call test by test at 1 data 0x6347f70e balance 79228162514264337593543950235 nonce 3\n"
            "  1: 0>6\n"
        );
    }

    function startDeeper() external {
        StateDiffBox box = keptBox;
        vm.startStateDiffRecording();
        own = 3;
        box.set(51);
        own = 4;
    }

    function test_startStateDiffRecording_deeper() public {
        StateDiffBox box = keptBox;
        this.startDeeper();
        own = 8;
        box.set(52);
        check(
            "Extcodesize box by test at 2 balance 100 nonce 1\n"
            "Call box by test at 2 data 36 balance 100 nonce 1\n"
            "  0: 1>51\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 51>52\n"
        );
    }

    function stopDeeper(StateDiffBox box) external returns (Vm.AccountAccess[] memory) {
        box.set(53);
        own = 9;
        return vm.stopAndReturnStateDiff();
    }

    /// A call that has not ended has neither balance nor nonce yet.
    function test_stopAndReturnStateDiff_deeper() public {
        (StateDiffBox box, StateDiffBox next) = start();
        next.set(1);
        Vm.AccountAccess[] memory accesses = this.stopDeeper(box);
        next.set(2);
        Vm.AccountAccess[] memory later = vm.stopAndReturnStateDiff();
        vm.assertEq(
            text(accesses),
            "Extcodesize next by test at 1 nonce 1\n"
            "Call next by test at 1 data 36 nonce 1\n"
            "  0: 1>1\n"
            "Call test by test at 1 data 36 balance 79228162514264337593543950235>0 nonce 3>0\n"
            "Extcodesize box by test at 2 balance 100 nonce 1\n"
            "Call box by test at 2 data 36 balance 100 nonce 1\n"
            "  0: 1>53\n"
            "Resume test by test at 1\n"
            "  1: 0>9\n"
        );
        vm.assertEq(
            text(later),
            "Extcodesize next by test at 1 nonce 1\n"
            "Call next by test at 1 data 36 nonce 1\n"
            "  0: 1>2\n"
        );
    }

    function stopAndFail(StateDiffBox box) external {
        box.set(53);
        vm.stopAndReturnStateDiff();
        revert();
    }

    function test_stopAndReturnStateDiff_failedCall() public {
        (StateDiffBox box,) = start();
        try this.stopAndFail(box) {} catch {}
        box.set(1);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>1\n"
        );
    }

    /// The record is not restored with the state.
    function test_revertToState_recording() public {
        (StateDiffBox box,) = start();
        uint256 id = vm.snapshotState();
        box.set(2);
        vm.revertToState(id);
        box.set(3);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>2\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>3\n"
        );
    }
}

/// A recording started in `setUp`.
contract StateDiffSetUpTest is StateDiffs {
    StateDiffBox private box;

    function setUp() public {
        box = new StateDiffBox();
        name(msg.sender, "sender");
        name(address(box), "box");
        vm.startStateDiffRecording();
        box.set(2);
    }

    function check(string memory expected) private {
        vm.assertEq(text(vm.stopAndReturnStateDiff()), expected);
    }

    /// The test's call is recorded too, at depth 0 and with its slots.
    function test_startStateDiffRecording_fromSetUp() public {
        box.set(3);
        check(
            "Extcodesize box by test at 1 nonce 1\n"
            "Call box by test at 1 data 36 nonce 1\n"
            "  0: 1>2\n"
            "Call test by sender at 0 data 0x40fb9ce2 balance 79228162514264337593543950335>0 nonce 2>0\n"
            "  1: box=box\n"
            "Extcodesize box by test at 1 nonce 1\n"
            "Call box by test at 1 data 36 nonce 1\n"
            "  0: 2>3\n"
        );
    }
}
