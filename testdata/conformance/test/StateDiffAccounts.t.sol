// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {StateDiffs, StateDiffBox, StateDiffMade} from "./StateDiffs.sol";

/// Recorded accounts: paid, looked at and disguised.
contract StateDiffAccountsTest is StateDiffs {
    StateDiffBox private keptBox;
    StateDiffBox private keptNext;
    address private constant EMPTY = address(0xe0a);

    function setUp() public {
        keptBox = new StateDiffBox{value: 100}();
        keptNext = new StateDiffBox();
        name(address(keptBox), "box");
        name(address(keptNext), "next");
        name(msg.sender, "sender");
        name(vm.computeCreateAddress(EMPTY, 0), "pranked");
    }

    /// The boxes, read before the recording starts.
    function start() private returns (StateDiffBox box, StateDiffBox next) {
        (box, next) = (keptBox, keptNext);
        vm.startStateDiffRecording();
    }

    function check(string memory expected) private {
        vm.assertEq(text(vm.stopAndReturnStateDiff()), expected);
    }

    function test_stopAndReturnStateDiff_value() public {
        (StateDiffBox box,) = start();
        payable(EMPTY).transfer(4);
        payable(EMPTY).transfer(5);
        payable(box).transfer(0);
        box.send(payable(address(0xe0b)), 6);
        check(
            "Call 3594 by test at 1 new value 4 balance 0>4\n"
            "Call 3594 by test at 1 value 5 balance 4>9\n"
            "Call box by test at 1 balance 100 nonce 1\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 68 balance 100>94 nonce 1\n"
            "Call 3595 by box at 2 new value 6 balance 0>6\n"
        );
    }

    function test_stopAndReturnStateDiff_valueReverted() public {
        (StateDiffBox box,) = start();
        (bool done,) = address(box).call{value: 4}(abi.encodeCall(box.fail, ()));
        try box.send(payable(EMPTY), 500) {} catch {}
        vm.deal(address(this), 1);
        (done,) = EMPTY.call{value: 2}("");
        check(
            "Call box by test at 1 data 0xa9cc4718 value 4 balance 100 nonce 1 reverted\n"
            "  0: 1>9 reverted\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 68 balance 100 nonce 1 reverted\n"
            "Call 3594 by box at 2 new value 500 reverted\n"
            "Extcodesize vm by test at 1\n"
            "Call 3594 by test at 1 new value 2 reverted\n"
        );
    }

    function test_stopAndReturnStateDiff_noCode() public {
        start();
        (bool done,) = EMPTY.call("");
        (done,) = EMPTY.call(hex"12");
        (done,) = EMPTY.staticcall(hex"34");
        (done,) = EMPTY.delegatecall(hex"56");
        (done,) = address(2).call(hex"78");
        (done,) = address(2).call{value: 3}(hex"9a");
        check(
            "Call 3594 by test at 1 new\n"
            "Call 3594 by test at 1 new data 0x12\n"
            "StaticCall 3594 by test at 1 new data 0x34\n"
            "DelegateCall 3594 by sender at 1 data 0x56 balance 79228162514264337593543950235 nonce 3\n"
            "Call 2 by test at 1 new data 0x78\n"
            "Call 2 by test at 1 new data 0x9a value 3 balance 0>3\n"
        );
    }

    function test_stopAndReturnStateDiff_look() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.look(address(next));
        check(
            "StaticCall box by test at 1 data 36 balance 100 nonce 1\n"
            "  1: 0=0\n"
            "Extcodehash next by box at 2 nonce 1\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Balance next by box at 2 nonce 1\n"
            "Resume box by test at 1\n"
            "  0: 1=1\n"
            "Extcodesize next by box at 2 nonce 1\n"
            "Extcodecopy next by box at 2 nonce 1\n"
            "Extcodesize box by box at 2 balance 100 nonce 1\n"
        );
    }

    function test_stopAndReturnStateDiff_lookAtEmpty() public {
        (StateDiffBox box,) = start();
        box.look(EMPTY);
        check(
            "StaticCall box by test at 1 data 36 balance 100 nonce 1\n"
            "  1: 0=0\n"
            "Extcodehash 3594 by box at 2 new\n"
            "Extcodesize 3594 by box at 2 new\n"
            "Balance 3594 by box at 2 new\n"
            "Resume box by test at 1\n"
            "  0: 1=1\n"
            "Extcodesize 3594 by box at 2 new\n"
            "Extcodecopy 3594 by box at 2 new\n"
            "Extcodesize box by box at 2 balance 100 nonce 1\n"
        );
    }

    function test_stopAndReturnStateDiff_lookAtSender() public {
        (StateDiffBox box,) = start();
        box.look(msg.sender);
        check(
            "StaticCall box by test at 1 data 36 balance 100 nonce 1\n"
            "  1: 0=0\n"
            "Extcodehash sender by box at 2 balance 79228162514264337593543950335 nonce 2\n"
            "Extcodesize sender by box at 2 balance 79228162514264337593543950335 nonce 2\n"
            "Balance sender by box at 2 balance 79228162514264337593543950335 nonce 2\n"
            "Resume box by test at 1\n"
            "  0: 1=1\n"
            "Extcodesize sender by box at 2 balance 79228162514264337593543950335 nonce 2\n"
            "Extcodecopy sender by box at 2 balance 79228162514264337593543950335 nonce 2\n"
            "Extcodesize box by box at 2 balance 100 nonce 1\n"
        );
    }

    function test_stopAndReturnStateDiff_lookAndWrite() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.lookAndWrite(address(next));
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "  1: 0>1\n"
            "Balance next by box at 2 nonce 1\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
            "  1: 2>4\n"
        );
    }

    function test_stopAndReturnStateDiff_ownLook() public {
        (StateDiffBox box,) = start();
        uint256 sum = address(box).balance + address(box).code.length + uint256(address(box).codehash) % 2;
        sum += address(this).balance;
        check(
            "Extcodehash box by test at 1 balance 100 nonce 1\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Balance box by test at 1 balance 100 nonce 1\n"
        );
    }

    /// What cheatcodes do is not recorded, only that their account is looked at.
    function test_stopAndReturnStateDiff_cheatcodes() public {
        (StateDiffBox box,) = start();
        vm.deal(EMPTY, 5);
        vm.store(address(box), bytes32(uint256(5)), bytes32(uint256(6)));
        vm.load(address(box), bytes32(uint256(5)));
        vm.setNonce(EMPTY, 5);
        vm.etch(EMPTY, hex"00");
        vm.getNonce(EMPTY);
        check(
            "Extcodesize vm by test at 1\n"
            "Extcodesize vm by test at 1\n"
            "Extcodesize vm by test at 1\n"
            "Extcodesize vm by test at 1\n"
        );
    }

    function test_stopAndReturnStateDiff_prank() public {
        (StateDiffBox box,) = start();
        vm.prank(EMPTY);
        box.set(5);
        vm.prank(EMPTY);
        new StateDiffMade(false);
        check(
            "Extcodesize vm by test at 1\n"
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by 3594 at 1 data 36 balance 100 nonce 1\n"
            "  0: 1>5\n"
            "Extcodesize vm by test at 1\n"
            "Create pranked by 3594 at 1 data 411 nonce 0>1 code 62\n"
            "  0: 0>1\n"
            "  0: 1=1\n"
            "  0: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_mocked() public {
        (StateDiffBox box,) = start();
        vm.mockCall(address(box), abi.encodeCall(box.first, ()), abi.encode(3));
        vm.startStateDiffRecording();
        vm.assertEq(box.first(), 3);
        box.second();
        check(
            "Extcodesize vm by test at 1\n"
            "StaticCall box by test at 1 data 0x5a8ac02d balance 100 nonce 1\n"
            "  1: 0=0\n"
        );
    }

    function test_stopAndReturnStateDiff_mockedFunction() public {
        (StateDiffBox box, StateDiffBox next) = start();
        vm.mockFunction(address(box), address(next), abi.encodeCall(box.set, (1)));
        vm.startStateDiffRecording();
        box.set(1);
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call next by test at 1 data 36 balance 100 nonce 1\n"
            "  of box 0: 1>1\n"
        );
    }

    function test_stopAndReturnStateDiff_delegated() public {
        (StateDiffBox box,) = start();
        vm.etch(EMPTY, abi.encodePacked(hex"ef0100", box));
        vm.startStateDiffRecording();
        StateDiffBox(payable(EMPTY)).set(7);
        check(
            "Extcodesize 3594 by test at 1\n"
            "Call 3594 by test at 1 data 36\n"
            "  0: 0>7\n"
        );
    }
}
