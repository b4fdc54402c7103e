// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

event Moved(address indexed from, address indexed to, uint256 indexed id, uint256 amount);

event Noted(string text, uint256[] values);

event Ticked(uint256 number);

event Silent();

event Nameless(uint256 indexed number, uint256 amount) anonymous;

event Wordless() anonymous;

/// Emits what it is asked to.
contract Speaker {
    function move(uint256 id, uint256 amount) public {
        emit Moved(address(1), address(2), id, amount);
    }

    function tick(uint256 number) public {
        emit Ticked(number);
    }

    function tickTo(uint256 last) external {
        for (uint256 i = 1; i <= last; i++) {
            tick(i);
        }
    }

    function tickTimes(uint256 number, uint256 times) external {
        for (uint256 i = 0; i < times; i++) {
            tick(number);
        }
    }

    function note(string calldata text, uint256[] calldata values) external {
        emit Noted(text, values);
    }

    function silent() external {
        emit Silent();
    }

    function nameless(uint256 number, uint256 amount) external {
        emit Nameless(number, amount);
    }

    function wordless() external {
        emit Wordless();
    }

    function through(Speaker other, uint256 number) external {
        other.tick(number);
    }

    function throughBoth(Speaker other, uint256 number) external {
        tick(number);
        other.tick(number);
        tick(number);
    }

    function quiet() external {}

    function look() external pure returns (uint256) {
        return 1;
    }

    function tickAndRevert(uint256 number, uint256 times) external {
        this.tickTimes(number, times);
        revert("after all");
    }

    function catchTick(uint256 number) external {
        try this.tickAndRevert(number, 1) {} catch {}
    }
}

contract BornLoud {
    constructor() {
        emit Ticked(1);
    }
}

/// expectEmit: which logs satisfy it.
contract ExpectEmitTest is Conformance {
    Speaker speaker = new Speaker();
    Speaker other = new Speaker();

    function test_expectEmit_all() public {
        vm.expectEmit();
        emit Moved(address(1), address(2), 3, 4);
        speaker.move(3, 4);
        uint256[] memory values = new uint256[](2);
        vm.expectEmit();
        emit Noted("text", values);
        speaker.note("text", values);
        vm.expectEmit();
        emit Silent();
        speaker.silent();
    }

    function test_expectEmit_emitter() public {
        vm.expectEmit(address(speaker));
        emit Ticked(1);
        speaker.tick(1);
        vm.expectEmit(address(other));
        emit Ticked(1);
        speaker.through(other, 1);
    }

    function test_expectEmit_count() public {
        vm.expectEmit(uint64(2));
        emit Ticked(7);
        speaker.tickTimes(7, 2);
    }

    // What follows the last expected log is not counted.
    function test_expectEmit_moreThanTheCount() public {
        vm.expectEmit();
        emit Ticked(7);
        speaker.tickTimes(7, 2);
        vm.expectEmit(uint64(2));
        emit Ticked(7);
        speaker.tickTimes(7, 3);
        vm.expectEmit(true, true, true, false, address(speaker), 2);
        emit Ticked(7);
        speaker.tickTo(3);
    }

    function test_expectEmit_emitterCount() public {
        vm.expectEmit(address(speaker), 3);
        emit Ticked(7);
        speaker.tickTimes(7, 3);
    }

    function test_expectEmit_flags() public {
        vm.expectEmit(false, true, true, true);
        emit Moved(address(9), address(2), 3, 4);
        speaker.move(3, 4);
        vm.expectEmit(true, false, true, true);
        emit Moved(address(1), address(9), 3, 4);
        speaker.move(3, 4);
        vm.expectEmit(true, true, false, true);
        emit Moved(address(1), address(2), 9, 4);
        speaker.move(3, 4);
        vm.expectEmit(true, true, true, false);
        emit Moved(address(1), address(2), 3, 9);
        speaker.move(3, 4);
    }

    function test_expectEmit_flagsEmitter() public {
        vm.expectEmit(false, false, false, false, address(speaker));
        emit Moved(address(9), address(9), 9, 9);
        speaker.move(3, 4);
    }

    function test_expectEmit_flagsCount() public {
        vm.expectEmit(true, true, true, false, 3);
        emit Ticked(0);
        speaker.tickTo(3);
    }

    function test_expectEmit_flagsEmitterCount() public {
        vm.expectEmit(true, true, true, false, address(other), 1);
        emit Ticked(0);
        speaker.through(other, 5);
    }

    function test_expectEmit_countZero() public {
        vm.expectEmit(uint64(0));
        emit Ticked(1);
        speaker.tick(2);
        vm.expectEmit(address(other), 0);
        emit Ticked(1);
        speaker.tick(1);
    }

    // The call without the log fails, and the next one may still emit it.
    function test_expectEmit_mismatchFailsTheCall() public {
        vm.expectEmit();
        emit Ticked(1);
        (bool ok, bytes memory data) = address(speaker).call(abi.encodeCall(Speaker.quiet, ()));
        vm.assertFalse(ok);
        vm.assertEq(data, abi.encode("log != expected log"));
        speaker.tick(1);
    }

    function test_expectEmit_countZeroFailsTheEmitter() public {
        vm.expectEmit(uint64(0));
        emit Ticked(1);
        (bool ok, bytes memory data) = address(speaker).call(abi.encodeCall(Speaker.tick, (1)));
        vm.assertFalse(ok);
        vm.assertEq(data, abi.encodeWithSignature("CheatcodeError(string)", "log emitted but expected 0 times"));
    }

    function test_expectEmit_othersAroundIt() public {
        vm.expectEmit();
        emit Ticked(2);
        speaker.tickTo(3);
    }

    function test_expectEmit_severalInOrder() public {
        vm.expectEmit();
        emit Ticked(1);
        vm.expectEmit(address(speaker));
        emit Ticked(3);
        speaker.tickTo(4);
    }

    function test_expectEmit_sameTwice() public {
        vm.expectEmit();
        emit Ticked(7);
        vm.expectEmit();
        emit Ticked(7);
        speaker.tickTimes(7, 2);
    }

    function test_expectEmit_inTheTestItself() public {
        vm.expectEmit();
        emit Ticked(1);
        emit Ticked(1);
    }

    function test_expectEmit_create() public {
        vm.expectEmit();
        emit Ticked(1);
        new BornLoud();
    }

    // The log of a call that was undone has been seen all the same.
    function test_expectEmit_undoneLog() public {
        vm.expectEmit();
        emit Ticked(1);
        speaker.catchTick(1);
    }

    function test_expectEmit_delegatecall() public {
        vm.expectEmit(address(this));
        emit Ticked(4);
        (bool ok,) = address(speaker).delegatecall(abi.encodeCall(Speaker.tick, (4)));
        vm.assertTrue(ok);
    }

    function test_expectEmit_waitsOverViewsAndCheatcodes() public {
        vm.expectEmit();
        vm.warp(5);
        emit Ticked(4);
        vm.roll(5);
        vm.assertEq(speaker.look(), 1);
        speaker.tick(4);
    }

    function test_expectEmit_waitsOverRevertedCalls() public {
        vm.expectEmit();
        emit Ticked(4);
        try speaker.tickAndRevert(5, 1) {} catch {}
        speaker.tick(4);
    }

    function test_expectEmit_deeper() public {
        this.expectDeeper();
        speaker.tick(3);
    }

    function expectDeeper() external {
        vm.expectEmit();
        emit Ticked(2);
        speaker.tick(2);
    }

    function test_expectEmit_templateIsRecorded() public {
        vm.recordLogs();
        vm.expectEmit();
        emit Ticked(4);
        speaker.tick(4);
        vm.assertEq(vm.getRecordedLogs().length, 2);
    }

    function test_expectEmit_expectRevert() public {
        vm.expectEmit();
        emit Ticked(4);
        vm.expectRevert("after all");
        speaker.tickAndRevert(4, 1);
        speaker.tick(4);
    }

    function test_expectEmitAnonymous_all() public {
        vm.expectEmitAnonymous();
        emit Nameless(1, 2);
        speaker.nameless(1, 2);
        vm.expectEmitAnonymous();
        emit Wordless();
        speaker.wordless();
        vm.expectEmitAnonymous();
        emit Ticked(1);
        speaker.tick(1);
    }

    function test_expectEmitAnonymous_emitter() public {
        vm.expectEmitAnonymous(address(speaker));
        emit Nameless(1, 2);
        speaker.nameless(1, 2);
    }

    function test_expectEmitAnonymous_flags() public {
        vm.expectEmitAnonymous(false, true, true, true, true);
        emit Nameless(9, 2);
        speaker.nameless(1, 2);
        vm.expectEmitAnonymous(true, true, true, true, false);
        emit Nameless(1, 9);
        speaker.nameless(1, 2);
        vm.expectEmitAnonymous(false, true, true, true, false);
        emit Silent();
        speaker.nameless(1, 2);
    }

    function test_expectEmitAnonymous_flagsEmitter() public {
        vm.expectEmitAnonymous(true, true, true, true, false, address(speaker));
        emit Nameless(1, 9);
        speaker.nameless(1, 2);
    }
}
