// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Burns gas, fails and clears a slot.
contract GasBurner {
    uint256 public slot = 1;

    function clear() external {
        slot = 0;
    }

    function burn(uint256 times) public view returns (uint256 sum) {
        for (uint256 i; i < times; ++i) {
            sum += gasleft();
        }
    }

    function fail() external pure {
        revert("no");
    }
}

/// Gas metering that is paused, resumed and reset, and the gas of the last call.
contract GasTest is Conformance {
    GasBurner private burner;

    function setUp() public {
        burner = new GasBurner();
    }

    function test_pauseGasMetering_flat() public {
        vm.pauseGasMetering();
        uint256 before = gasleft();
        burner.burn(10);
        new GasBurner();
        vm.assertEq(gasleft(), before);
    }

    /// A call in a pause may use more than it was given.
    function test_pauseGasMetering_overLimit() public {
        vm.pauseGasMetering();
        burner.burn{gas: 5000}(1000);
    }

    function pause() external {
        vm.pauseGasMetering();
    }

    function test_pauseGasMetering_inCall() public {
        this.pause();
        uint256 before = gasleft();
        burner.burn(10);
        vm.assertEq(gasleft(), before);
    }

    function test_resumeGasMetering_counts() public {
        vm.pauseGasMetering();
        burner.burn(10);
        vm.resumeGasMetering();
        uint256 before = gasleft();
        burner.burn(10);
        vm.assertGt(before - gasleft(), 1000);
    }

    function test_resumeGasMetering_unpaused() public {
        vm.resumeGasMetering();
        uint256 before = gasleft();
        burner.burn(10);
        vm.assertGt(before - gasleft(), 1000);
    }

    function resumeAndFail() external {
        burner.burn(100);
        vm.resumeGasMetering();
        revert();
    }

    /// Only what a call uses after it has resumed is charged, and metering stays resumed.
    function test_resumeGasMetering_inFailedCall() public {
        vm.pauseGasMetering();
        uint256 before = gasleft();
        try this.resumeAndFail() {} catch {}
        uint256 cost = before - gasleft();
        vm.assertGt(cost, 0);
        vm.assertLt(cost, 1000);
        before = gasleft();
        burner.burn(10);
        vm.assertGt(before - gasleft(), 1000);
    }

    function resumeAndExhaust() external {
        vm.resumeGasMetering();
        while (true) {}
    }

    function test_resumeGasMetering_exhausted() public {
        vm.pauseGasMetering();
        uint256 before = gasleft();
        try this.resumeAndExhaust{gas: 500_000}() {} catch {}
        vm.assertGt(before - gasleft(), 499_000);
    }

    function test_resetGasMetering_full() public {
        uint256 before = gasleft();
        burner.burn(1000);
        vm.assertLt(gasleft(), before - 100_000);
        vm.resetGasMetering();
        vm.assertGt(gasleft(), before);
    }

    function test_resetGasMetering_resumes() public {
        vm.pauseGasMetering();
        vm.resetGasMetering();
        uint256 before = gasleft();
        burner.burn(10);
        vm.assertGt(before - gasleft(), 1000);
    }

    function burnAndReset() external returns (uint256) {
        burner.burn(1000);
        vm.resetGasMetering();
        return gasleft();
    }

    /// In a call it is the call's gas that is given back.
    function test_resetGasMetering_inCall() public {
        uint256 before = gasleft();
        uint256 left = this.burnAndReset{gas: 500_000}();
        vm.assertGt(left, 490_000);
        vm.assertLt(before - gasleft(), 10_000);
    }

    function test_lastCallGas_fields() public {
        burner.burn{gas: 100_000}(5);
        Vm.Gas memory gas = vm.lastCallGas();
        vm.assertEq(gas.gasLimit, 100_000);
        vm.assertEq(gas.gasTotalUsed + gas.gasRemaining, 100_000);
        vm.assertGt(gas.gasTotalUsed, 500);
        vm.assertEq(gas.gasMemoryUsed, 0);
        vm.assertEq(gas.gasRefunded, 0);
    }

    function test_lastCallGas_refund() public {
        burner.clear();
        vm.assertEq(vm.lastCallGas().gasRefunded, 4800);
    }

    function test_lastCallGas_failed() public {
        try burner.fail{gas: 30_000}() {} catch {}
        vm.assertEq(vm.lastCallGas().gasLimit, 30_000);
    }

    function test_lastCallGas_precompile() public {
        (bool done,) = address(2).call{gas: 20_000}("ab");
        vm.assertTrue(done);
        Vm.Gas memory gas = vm.lastCallGas();
        vm.assertEq(gas.gasTotalUsed, 72);
        vm.assertEq(gas.gasLimit, 20_000);
    }

    function test_lastCallGas_noCode() public {
        (bool done,) = address(0x123).call{gas: 20_000}("");
        vm.assertTrue(done);
        vm.assertEq(vm.lastCallGas().gasTotalUsed, 0);
    }

    function test_lastCallGas_delegateCall() public {
        (bool done,) = address(burner).delegatecall{gas: 20_000}(abi.encodeCall(burner.fail, ()));
        vm.assertFalse(done);
        vm.assertEq(vm.lastCallGas().gasLimit, 20_000);
    }

    function test_lastCallGas_create() public {
        burner.burn{gas: 9_999}(1);
        new GasBurner();
        vm.assertEq(vm.lastCallGas().gasLimit, 9_999);
    }

    function deeper() external returns (uint64) {
        burner.burn{gas: 7_777}(1);
        return vm.lastCallGas().gasLimit;
    }

    /// Of nested calls it is the one that has ended last.
    function test_lastCallGas_nested() public {
        vm.assertEq(this.deeper{gas: 60_000}(), 7_777);
        vm.assertEq(vm.lastCallGas().gasLimit, 60_000);
    }

    function test_lastCallGas_cheatcode() public {
        burner.burn{gas: 9_999}(1);
        vm.warp(2);
        vm.assertEq(vm.lastCallGas().gasLimit, 9_999);
    }

    function test_lastCallGas_mocked() public {
        vm.mockCall(address(burner), abi.encodeCall(burner.slot, ()), abi.encode(5));
        burner.slot{gas: 8_888}();
        vm.assertEq(vm.lastCallGas().gasLimit, 8_888);
        vm.assertEq(vm.lastCallGas().gasTotalUsed, 0);
    }
}

/// The last call of `setUp` is `setUp` itself.
contract GasSetUpTest is Conformance {
    function setUp() public {
        new GasBurner().burn{gas: 9_999}(1);
    }

    function test_lastCallGas_ofSetUp() public {
        Vm.Gas memory gas = vm.lastCallGas();
        vm.assertGt(gas.gasLimit, 1_000_000_000);
        vm.assertGt(gas.gasTotalUsed, 100_000);
        vm.assertEq(gas.gasTotalUsed + gas.gasRemaining, gas.gasLimit);
    }
}

/// A call's gas that is asked for before any call.
contract GasErrors is Conformance {
    function test_lastCallGas_none() public {
        vm.lastCallGas();
    }

    function test_lastCallGas_onlyCheatcodes() public {
        vm.warp(2);
        vm.lastCallGas();
    }

    function test_lastCallGas_onlyCreate() public {
        new GasBurner();
        vm.lastCallGas();
    }
}
