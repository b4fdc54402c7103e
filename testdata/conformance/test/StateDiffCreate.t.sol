// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {StateDiffs, StateDiffBox, StateDiffMade} from "./StateDiffs.sol";
import {Vm} from "../src/Vm.sol";

/// Recorded accounts that are created or destroyed.
contract StateDiffCreateTest is StateDiffs {
    StateDiffBox private keptBox;
    StateDiffBox private keptNext;
    address private constant EMPTY = address(0xe0a);

    function setUp() public {
        keptBox = new StateDiffBox{value: 100}();
        keptNext = new StateDiffBox();
        name(address(keptBox), "box");
        name(address(keptNext), "next");
        name(vm.computeCreateAddress(address(this), 3), "created");
        bytes memory initcode = bytes.concat(type(StateDiffMade).creationCode, abi.encode(false));
        name(vm.computeCreate2Address(0, keccak256(initcode), address(this)), "salted");
        name(vm.computeCreateAddress(address(keptBox), 1), "made");
    }

    /// The boxes, read before the recording starts.
    function start() private returns (StateDiffBox box, StateDiffBox next) {
        (box, next) = (keptBox, keptNext);
        vm.startStateDiffRecording();
    }

    function check(string memory expected) private {
        vm.assertEq(text(vm.stopAndReturnStateDiff()), expected);
    }

    function test_stopAndReturnStateDiff_create() public {
        start();
        new StateDiffMade{value: 3}(false);
        check(
            "Create created by test at 1 data 411 value 3 balance 0>3 nonce 0>1 code 62\n"
            "  0: 0>1\n"
            "  0: 1=1\n"
            "  0: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_createFields() public {
        start();
        StateDiffMade made = new StateDiffMade{value: 3}(false);
        Vm.AccountAccess memory a = vm.stopAndReturnStateDiff()[0];
        vm.assertEq(a.kind, 4);
        vm.assertEq(a.account, address(made));
        vm.assertEq(a.data, bytes.concat(type(StateDiffMade).creationCode, abi.encode(false)));
        vm.assertEq(a.deployedCode, address(made).code);
    }

    function test_stopAndReturnStateDiff_create2() public {
        start();
        new StateDiffMade{salt: 0}(false);
        try new StateDiffMade{salt: 0, value: 3}(false) {} catch {}
        check(
            "Create salted by test at 1 data 411 nonce 0>1 code 62\n"
            "  0: 0>1\n"
            "  0: 1=1\n"
            "  0: 1>2\n"
            "Create salted by test at 1 data 411 value 3 nonce 0>1\n"
        );
    }

    function test_stopAndReturnStateDiff_createFunded() public {
        vm.deal(vm.computeCreateAddress(address(this), 3), 50);
        start();
        new StateDiffMade{value: 3}(false);
        check(
            "Create created by test at 1 data 411 value 3 balance 0>53 nonce 0>1 code 62\n"
            "  0: 0>1\n"
            "  0: 1=1\n"
            "  0: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_createFailed() public {
        start();
        try new StateDiffMade(true) {} catch {}
        check(
            "Create created by test at 1 data 411 reverted\n"
            "  0: 0>1 reverted\n"
        );
    }

    function test_stopAndReturnStateDiff_createEmpty() public {
        start();
        assembly {
            pop(create(0, 0, 0))
        }
        check("Create created by test at 1 nonce 0>1\n");
    }

    function test_stopAndReturnStateDiff_createPoor() public {
        vm.deal(address(this), 9);
        start();
        assembly {
            pop(create(10, 0, 0))
        }
        check("Create created by test at 1 value 10 nonce 0>1 reverted\n");
    }

    function test_stopAndReturnStateDiff_createInCall() public {
        (StateDiffBox box,) = start();
        box.make(false);
        check(
            "Call box by test at 1 data 36 balance 100>99 nonce 1>2\n"
            "  1: 0>1\n"
            "Create made by box at 2 data 411 value 1 balance 0>1 nonce 0>1 code 62\n"
            "  0: 0>1\n"
            "  0: 1=1\n"
            "  0: 1>2\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_createFailedInCall() public {
        (StateDiffBox box,) = start();
        box.make(true);
        check(
            "Call box by test at 1 data 36 balance 100 nonce 1>2\n"
            "  1: 0>1\n"
            "Create made by box at 2 data 411 value 1 reverted\n"
            "  0: 0>1 reverted\n"
            "Resume box by test at 1\n"
            "  1: 1>2\n"
        );
    }

    function test_stopAndReturnStateDiff_destroy() public {
        (StateDiffBox box, StateDiffBox next) = start();
        box.die(payable(next));
        box.die(payable(EMPTY));
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100>0 nonce 1\n"
            "SelfDestruct next by box at 2 value 100 balance 0>100 nonce 1\n"
            "Extcodesize box by test at 1 nonce 1\n"
            "Call box by test at 1 data 36 nonce 1\n"
            "SelfDestruct 3594 by box at 2 new\n"
        );
    }

    function test_stopAndReturnStateDiff_destroyToNew() public {
        (StateDiffBox box,) = start();
        box.die(payable(EMPTY));
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100>0 nonce 1\n"
            "SelfDestruct 3594 by box at 2 new value 100 balance 0>100\n"
        );
    }

    function test_stopAndReturnStateDiff_destroyToSelf() public {
        (StateDiffBox box,) = start();
        box.die(payable(box));
        check(
            "Extcodesize box by test at 1 balance 100 nonce 1\n"
            "Call box by test at 1 data 36 balance 100 nonce 1\n"
            "SelfDestruct box by box at 2 value 100 balance 100>200 nonce 1\n"
        );
    }

    function test_stopAndReturnStateDiff_destroyFresh() public {
        StateDiffBox fresh = new StateDiffBox{value: 4}();
        (, StateDiffBox next) = start();
        fresh.die(payable(next));
        check(
            "Extcodesize created by test at 1 balance 4 nonce 1\n"
            "Call created by test at 1 data 36 balance 4>0 nonce 1\n"
            "SelfDestruct next by created at 2 value 4 balance 0>4 nonce 1\n"
        );
    }
}
