// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Reads, writes and logs.
contract RecordBox {
    uint256 public first = 1;
    uint256 public second;

    event Three(uint256 indexed a, address indexed b, bytes32 indexed c, uint256 d);
    event Bare();

    function setFirst(uint256 value) external {
        first = value;
    }

    function add() external {
        second += first;
    }

    function fail() external {
        first = 5;
        emit Bare();
        revert();
    }

    function log() external {
        emit Three(1, address(2), bytes32(uint256(3)), 4);
        emit Bare();
    }

    /// Logs without and with only anonymous topics.
    function logRaw() external {
        assembly {
            mstore(0, shl(240, 0x0a0b))
            log0(0, 2)
            log0(0, 0)
            log1(0, 1, 7)
            log4(0, 0, 1, 2, 3, 4)
        }
    }
}

/// Slots that are read and written, and logs.
contract RecordTest is Conformance {
    uint256 private own;
    RecordBox private box;

    function setUp() public {
        box = new RecordBox();
    }

    /// Checks the recorded slots of the box, which are numbers of one digit, in order.
    function check(string memory reads, string memory writes) private {
        (bytes32[] memory r, bytes32[] memory w) = vm.accesses(address(box));
        vm.assertEq(digits(r), reads);
        vm.assertEq(digits(w), writes);
    }

    function digits(bytes32[] memory slots) private pure returns (string memory) {
        bytes memory text = new bytes(slots.length);
        for (uint256 i; i < slots.length; ++i) {
            text[i] = bytes1(uint8(uint256(slots[i]) + 48));
        }
        return string(text);
    }

    function test_accesses_unrecorded() public {
        box.add();
        check("", "");
        (bytes32[] memory reads,) = vm.accesses(address(0xe0a));
        vm.assertEq(reads.length, 0);
    }

    /// A write is a read too.
    function test_record_order() public {
        vm.record();
        box.first();
        check("0", "");
        box.setFirst(4);
        check("00", "0");
        box.add();
        check("00011", "01");
        box.setFirst(4);
        check("000110", "010");
    }

    function test_record_again() public {
        vm.record();
        box.first();
        vm.record();
        check("", "");
        box.second();
        check("1", "");
    }

    function test_record_failedCall() public {
        vm.record();
        try box.fail() {} catch {}
        check("0", "0");
    }

    function test_record_cheatcodes() public {
        vm.record();
        vm.load(address(box), bytes32(0));
        vm.store(address(box), bytes32(uint256(1)), bytes32(0));
        check("", "");
    }

    function test_record_ownSlots() public {
        vm.record();
        own = 3;
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(this));
        vm.assertEq(digits(reads), "0");
        vm.assertEq(digits(writes), "0");
    }

    /// The slots of a delegate call are those of the caller.
    function test_record_delegateCall() public {
        RecordBox library_ = box;
        vm.record();
        (bool done,) = address(library_).delegatecall(abi.encodeCall(box.setFirst, (2)));
        vm.assertTrue(done);
        check("", "");
        (, bytes32[] memory writes) = vm.accesses(address(this));
        vm.assertEq(digits(writes), "0");
    }

    function test_record_constructor() public {
        vm.record();
        RecordBox created = new RecordBox();
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(created));
        vm.assertEq(digits(reads), "0");
        vm.assertEq(digits(writes), "0");
    }

    function test_stopRecord_keeps() public {
        vm.stopRecord();
        vm.record();
        box.first();
        vm.stopRecord();
        box.second();
        check("0", "");
        vm.record();
        check("", "");
    }

    function test_recordLogs_topics() public {
        box.log();
        vm.recordLogs();
        box.log();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 2);
        vm.assertEq(logs[0].topics.length, 4);
        vm.assertEq(logs[0].topics[0], RecordBox.Three.selector);
        vm.assertEq(logs[0].topics[2], bytes32(uint256(2)));
        vm.assertEq(logs[0].data, abi.encode(4));
        vm.assertEq(logs[0].emitter, address(box));
        vm.assertEq(logs[1].topics.length, 1);
        vm.assertEq(logs[1].data, "");
    }

    function test_recordLogs_raw() public {
        vm.recordLogs();
        box.logRaw();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 4);
        vm.assertEq(logs[0].topics.length, 0);
        vm.assertEq(logs[0].data, hex"0a0b");
        vm.assertEq(logs[1].data, "");
        vm.assertEq(logs[2].topics[0], bytes32(uint256(7)));
        vm.assertEq(logs[2].data, hex"0a");
        vm.assertEq(logs[3].topics[3], bytes32(uint256(4)));
    }

    /// Logs of failed calls are there, of the delegating contract and of the test too; assertions make none.
    function test_recordLogs_sources() public {
        vm.recordLogs();
        try box.fail() {} catch {}
        (bool done,) = address(box).delegatecall(abi.encodeCall(box.log, ()));
        vm.assertTrue(done);
        emit RecordBox.Bare();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 4);
        vm.assertEq(logs[0].emitter, address(box));
        vm.assertEq(logs[1].emitter, address(this));
        vm.assertEq(logs[3].emitter, address(this));
    }

    function test_recordLogs_again() public {
        vm.recordLogs();
        box.log();
        vm.recordLogs();
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    /// Getting the logs forgets them and goes on recording, even if it was not asked for before.
    function test_getRecordedLogs_consumes() public {
        box.log();
        vm.assertEq(vm.getRecordedLogs().length, 0);
        box.log();
        vm.assertEq(vm.getRecordedLogs().length, 2);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        box.logRaw();
        vm.assertEq(vm.getRecordedLogs().length, 4);
    }

    function test_getRecordedLogsJson_text() public {
        vm.recordLogs();
        vm.assertEq(vm.getRecordedLogsJson(), "[]");
        box.logRaw();
        string memory emitter = string.concat('","emitter":"', vm.toString(address(box)), '"}');
        string memory zeros = "0x000000000000000000000000000000000000000000000000000000000000000";
        string memory json = string.concat('[{"topics":[],"data":"0x0a0b', emitter);
        json = string.concat(json, ',{"topics":[],"data":"0x', emitter);
        json = string.concat(json, ',{"topics":["', zeros, '7"],"data":"0x0a', emitter, ',{"topics":["', zeros, '1","');
        json = string.concat(json, zeros, '2","', zeros, '3","', zeros, '4"],"data":"0x', emitter, "]");
        vm.assertEq(vm.getRecordedLogsJson(), json);
        vm.assertEq(vm.getRecordedLogsJson(), "[]");
        box.log();
        vm.assertEq(vm.getRecordedLogs().length, 2);
    }

    function test_getRecordedLogsJson_unrecorded() public {
        box.log();
        vm.assertEq(vm.getRecordedLogsJson(), "[]");
        box.log();
        vm.assertNotEq(vm.getRecordedLogsJson(), "[]");
    }
}

/// Recordings started in `setUp` go on in the test.
contract RecordSetUpTest is Conformance {
    RecordBox private box;

    function setUp() public {
        vm.record();
        vm.recordLogs();
        box = new RecordBox();
        box.log();
    }

    function test_record_fromSetUp() public {
        box.second();
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(box));
        vm.assertEq(reads.length, 2);
        vm.assertEq(writes.length, 1);
    }

    function test_recordLogs_fromSetUp() public {
        box.log();
        vm.assertEq(vm.getRecordedLogs().length, 4);
    }
}
