// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract Hollow {}

/// A contract that does sstore(0, sload(0)): 2204 gas when the slot is cold, 204 when it is warm.
abstract contract Metered is Conformance {
    address constant METERED = address(0xbeef);

    function touch() internal {
        vm.etch(METERED, hex"5f545f5500");
        (bool ok,) = METERED.call("");
        vm.assertTrue(ok);
    }
}

/// Gas of the last call, of sections, and values, written to snapshots/ when the run ends.
contract GasSnapshotsTest is Metered {
    uint256 number;

    function setUp() public {
        number = 1;
        vm.store(METERED, bytes32(uint256(7)), bytes32(uint256(1)));
    }

    function test_snapshotValue_last_one_wins() public {
        vm.snapshotValue("value", 1);
        vm.snapshotValue("value", type(uint256).max);
        vm.snapshotValue("a value of zero", 0);
        vm.snapshotValue("gas-snapshots", "value", 5);
        vm.snapshotValue("gas-snapshots", unicode"é \"/", 6);
    }

    function valueAndRevert() external {
        vm.snapshotValue("reverted", 7);
        revert("undone");
    }

    function test_snapshotValue_survives_revert() public {
        try this.valueAndRevert() {} catch {}
    }

    function test_snapshotValue_survives_snapshot() public {
        uint256 id = vm.snapshotState();
        vm.snapshotValue("snapshot", 8);
        vm.revertToState(id);
    }

    function test_snapshotGasLastCall_cold_and_warm() public {
        touch();
        vm.assertEq(vm.snapshotGasLastCall("cold"), 2204);
        vm.assertEq(vm.snapshotGasLastCall("gas-snapshots", "cold"), 2204);
        touch();
        vm.assertEq(vm.snapshotGasLastCall("warm"), 204);
        vm.assertEq(vm.snapshotGasLastCall("gas-snapshots", "warm"), 204);
    }

    function test_snapshotGasLastCall_cheatcodes_do_not_count() public {
        touch();
        vm.warp(5);
        vm.assertEq(vm.snapshotGasLastCall("cheatcode"), 2204);
    }

    function test_snapshotGasLastCall_creations_do_not_count() public {
        touch();
        new Hollow();
        vm.assertEq(vm.snapshotGasLastCall("create"), 2204);
    }

    function test_snapshotGasLastCall_kinds() public {
        vm.etch(METERED, hex"5f5400");
        (bool ok,) = METERED.staticcall("");
        vm.assertEq(vm.snapshotGasLastCall("staticcall"), 2102);
        (ok,) = METERED.delegatecall("");
        vm.assertEq(vm.snapshotGasLastCall("delegatecall"), 2102);
        (ok,) = address(4).call("abc");
        vm.assertEq(vm.snapshotGasLastCall("precompile"), 18);
        (ok,) = address(0x4444).call("abc");
        vm.assertEq(vm.snapshotGasLastCall("no code"), 0);
    }

    function test_snapshotGasLastCall_out_of_gas() public {
        vm.etch(METERED, hex"5f545f5500");
        (bool ok,) = METERED.call{gas: 200}("");
        vm.assertFalse(ok);
        vm.assertEq(vm.snapshotGasLastCall("out of gas"), 200);
    }

    function test_snapshotGasLastCall_refunds_are_not_taken_off() public {
        vm.etch(METERED, hex"5f60075500");
        (bool ok,) = METERED.call("");
        vm.assertTrue(ok);
        vm.assertEq(vm.snapshotGasLastCall("refund"), 5005);
    }

    function lastCall() external returns (uint256) {
        return vm.snapshotGasLastCall("inner");
    }

    function test_snapshotGasLastCall_of_the_caller() public {
        touch();
        vm.assertEq(this.lastCall(), 2204);
    }

    function test_snapshotGasLastCall_before_any_is_setUp() public {
        uint256 gas = vm.snapshotGasLastCall("setUp");
        vm.assertGt(gas, 20000);
        vm.assertLt(gas, 30000);
    }

    function test_startSnapshotGas_section() public {
        vm.startSnapshotGas("section");
        number++;
        vm.assertEq(vm.stopSnapshotGas(), 5098);
    }

    function test_startSnapshotGas_group() public {
        vm.startSnapshotGas("gas-snapshots", "section");
        number++;
        vm.assertEq(vm.stopSnapshotGas(), 5098);
    }

    function test_startSnapshotGas_nothing() public {
        vm.startSnapshotGas("nothing");
        vm.assertEq(vm.stopSnapshotGas(), 0);
    }

    function test_startSnapshotGas_never_stopped() public {
        vm.startSnapshotGas("never stopped");
        number++;
    }

    function test_startSnapshotGas_call() public {
        vm.etch(METERED, hex"5f545f5500");
        vm.startSnapshotGas("call");
        (bool ok,) = METERED.call("");
        vm.assertEq(vm.stopSnapshotGas("call"), 2768);
        vm.assertTrue(ok);
    }

    function test_startSnapshotGas_create() public {
        vm.startSnapshotGas("new");
        new Hollow();
        vm.assertEq(vm.stopSnapshotGas(), 44528);
    }

    function test_startSnapshotGas_cheatcodes() public {
        vm.startSnapshotGas("cheatcodes");
        vm.warp(5);
        vm.roll(5);
        vm.assertEq(vm.stopSnapshotGas(), 1157);
    }

    function test_startSnapshotGas_metering_paused() public {
        vm.startSnapshotGas("paused");
        vm.pauseGasMetering();
        number++;
        vm.resumeGasMetering();
        vm.assertEq(vm.stopSnapshotGas(), 376);
    }

    function test_startSnapshotGas_second_counts_the_gap() public {
        vm.startSnapshotGas("first");
        number++;
        vm.assertEq(vm.stopSnapshotGas(), 5098);
        number++;
        vm.startSnapshotGas("second");
        vm.assertEq(vm.stopSnapshotGas(), 1950);
    }

    function test_stopSnapshotGas_group_and_name() public {
        vm.startSnapshotGas("gas-snapshots", "both");
        number++;
        vm.assertEq(vm.stopSnapshotGas("gas-snapshots", "both"), 5528);
    }

    function test_stopSnapshotGas_name_alone_is_ignored() public {
        vm.startSnapshotGas("named");
        number++;
        vm.assertEq(vm.stopSnapshotGas("another name"), 5338);
    }

    function test_stopSnapshotGas_default_group() public {
        vm.startSnapshotGas("default group");
        number++;
        vm.assertEq(vm.stopSnapshotGas("GasSnapshotsTest", "default group"), 5537);
    }

    function start() external {
        vm.startSnapshotGas("started inside");
        number++;
    }

    function test_startSnapshotGas_in_an_inner_call() public {
        this.start();
        number++;
        vm.assertEq(vm.stopSnapshotGas(), 5022);
    }

    function stop() external returns (uint256) {
        number++;
        return vm.stopSnapshotGas();
    }

    function test_stopSnapshotGas_in_an_inner_call() public {
        vm.startSnapshotGas("stopped inside");
        number++;
        vm.assertEq(this.stop(), 5097);
    }
}

/// Sections started twice or never.
contract GasSnapshotsErrors is Metered {
    function test_snapshotGasLastCall_no_call() public {
        vm.snapshotGasLastCall("none");
    }

    function test_snapshotGasLastCall_group_no_call() public {
        vm.warp(5);
        new Hollow();
        vm.snapshotGasLastCall("gas-snapshots-errors", "none");
    }

    function test_startSnapshotGas_twice() public {
        vm.startSnapshotGas("one");
        vm.startSnapshotGas("two");
    }

    function test_startSnapshotGas_twice_group() public {
        vm.startSnapshotGas("gas-snapshots-errors", "one");
        vm.startSnapshotGas("gas-snapshots-errors", "one");
    }

    function startAndRevert() external {
        vm.startSnapshotGas("reverted");
        revert("undone");
    }

    function test_startSnapshotGas_survives_revert() public {
        try this.startAndRevert() {} catch {}
        vm.startSnapshotGas("next");
    }

    function test_stopSnapshotGas_never_started() public {
        vm.stopSnapshotGas();
    }

    function test_stopSnapshotGas_name_never_started() public {
        vm.stopSnapshotGas("none");
    }

    function test_stopSnapshotGas_group_never_started() public {
        vm.stopSnapshotGas("gas-snapshots-errors", "none");
    }

    function test_stopSnapshotGas_other_group() public {
        vm.startSnapshotGas("one");
        vm.stopSnapshotGas("gas-snapshots-errors", "one");
    }

    function test_stopSnapshotGas_twice() public {
        vm.startSnapshotGas("twice");
        vm.stopSnapshotGas();
        vm.stopSnapshotGas();
    }
}
