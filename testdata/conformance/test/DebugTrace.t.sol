// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Without `-vvv` there is no trace to record.
contract DebugTraceErrors is Conformance {
    function test_startDebugTraceRecording_quiet() public {
        vm.startDebugTraceRecording();
    }

    function test_stopAndReturnDebugTraceRecording_quiet() public {
        vm.stopAndReturnDebugTraceRecording();
    }
}
