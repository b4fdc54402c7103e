// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Conformance} from "../src/Conformance.sol";

contract Worker {
    uint256 public done;

    function work(uint256 amount) external {
        done += amount;
    }
}

/// Gas of the last call or creation.
contract GasTest is Conformance {
    function worker() internal returns (Worker made) {
        made = new Worker();
    }

    function test_lastFrameGas_none() public {
        fails(
            abi.encodeWithSignature("lastFrameGas()"), "vm.lastFrameGas: no external call or create was made yet"
        );
    }

    function test_snapshotGasLastFrame_none() public {
        fails(
            abi.encodeWithSignature("snapshotGasLastFrame(string)", "a"),
            "vm.snapshotGasLastFrame: no external call or create was made yet"
        );
    }

    function test_lastFrameGas_call() public {
        worker().work{gas: 60_000}(1);
        Vm.Gas memory gas = vm.lastFrameGas();
        vm.assertEq(gas.gasLimit, 60_000);
        vm.assertEq(gas.gasTotalUsed + gas.gasRemaining, 60_000);
        vm.assertEq(keccak256(abi.encode(gas)), keccak256(abi.encode(vm.lastCallGas())));
    }

    function test_lastFrameGas_create() public {
        Worker made = worker();
        made.work{gas: 60_000}(1);
        worker();
        vm.assertEq(vm.lastCallGas().gasLimit, 60_000);
        Vm.Gas memory gas = vm.lastFrameGas();
        // 200 gas a byte of the code.
        vm.assertGt(gas.gasTotalUsed, 200 * address(made).code.length);
        vm.assertLt(gas.gasTotalUsed, 200 * address(made).code.length + 10_000);
    }

    function test_snapshotGasLastFrame() public {
        worker();
        uint256 used = vm.lastFrameGas().gasTotalUsed;
        vm.assertEq(vm.snapshotGasLastFrame("made"), used);
        vm.assertEq(vm.snapshotGasLastFrame("Others", "made"), used);
    }
}

/// Isolation, as set for each test.
contract IsolateModeTest is Conformance {
    /// forge-config: default.isolate = true
    function test_isIsolateMode_set() public {
        vm.assertTrue(vm.isIsolateMode());
    }

    /// forge-config: default.isolate = false
    function test_isIsolateMode_unset() public {
        vm.assertFalse(vm.isIsolateMode());
    }
}
