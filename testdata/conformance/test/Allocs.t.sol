// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// States read from files and written to files.
contract AllocsTest is Conformance {
    address private constant ONE = address(0xa11c1);

    function setUp() public {
        vm.deal(address(0xd0), 1);
    }

    function test_loadAllocs_plain() public {
        vm.loadAllocs("files/state/allocs.json");
        vm.assertEq(ONE.balance, 100);
        vm.assertEq(vm.getNonce(ONE), 5);
        vm.assertEq(vm.load(ONE, bytes32(uint256(1))), bytes32(uint256(2)));
        (, bytes memory answer) = ONE.call("");
        vm.assertEq(answer, abi.encode(42));
        vm.assertEq(address(0xa11c2).balance, 100);
        vm.assertEq(vm.getNonce(address(0xa11c2)), 6);
        vm.assertEq(address(0xa11c3).balance, 7);
        vm.assertEq(vm.getNonce(address(0xa11c3)), 7);
    }

    /// Of a genesis only the accounts count.
    function test_loadAllocs_genesis() public {
        vm.loadAllocs("files/state/genesis.json");
        vm.assertEq(ONE.balance, 9);
        vm.assertEq(block.timestamp, 1);
        vm.assertEq(block.chainid, 31337);
    }

    /// Balance and nonce are replaced, code and storage only when they are given.
    function test_loadAllocs_merge() public {
        vm.deal(ONE, 1 ether);
        vm.setNonce(ONE, 6);
        vm.etch(ONE, hex"6001");
        vm.store(ONE, bytes32(uint256(1)), bytes32(uint256(4)));
        vm.loadAllocs("files/state/genesis.json");
        vm.assertEq(ONE.balance, 9);
        vm.assertEq(vm.getNonce(ONE), 0);
        vm.assertEq(ONE.code, hex"6001");
        vm.assertEq(vm.load(ONE, bytes32(uint256(1))), bytes32(uint256(4)));
    }

    function loadUndone() external {
        vm.loadAllocs("files/state/allocs.json");
        revert();
    }

    function test_loadAllocs_reverted() public {
        try this.loadUndone() {} catch {}
        vm.assertEq(ONE.balance, 0);
        vm.assertEq(ONE.code.length, 0);
    }

    /// What is not an object of allocs is taken for a genesis, all of whose fields may be left out.
    function test_loadAllocs_ignored() public {
        vm.loadAllocs("files/state/unknown-field.json");
        vm.loadAllocs("files/state/short-key.json");
        vm.loadAllocs("files/state/no-balance.json");
        vm.loadAllocs("files/state/array.json");
        vm.assertEq(ONE.balance, 0);
        vm.assertEq(vm.getNonce(ONE), 0);
    }

    function dumped(string memory name) private returns (string memory) {
        vm.createDir("scratch/dump", true);
        string memory path = string.concat("scratch/dump/", name, ".json");
        vm.dumpState(path);
        string memory json = vm.readFile(path);
        vm.removeFile(path);
        return json;
    }

    /// Accounts of `setUp` that the test did not touch, the test and its sender are left out.
    function test_dumpState_nothing() public {
        vm.assertEq(dumped("nothing"), "{}");
    }

    function test_dumpState_accounts() public {
        vm.etch(address(0xd1), hex"6001");
        vm.store(address(0xd1), bytes32(uint256(16)), bytes32(uint256(17)));
        vm.store(address(0xd1), bytes32(uint256(3)), bytes32(0));
        vm.deal(address(0xd0), 77);
        vm.setNonce(address(0xd2), 3);
        vm.store(address(0xd3), bytes32(uint256(16)), bytes32(uint256(17)));
        string memory zeros = "0x00000000000000000000000000000000000000000000000000000000000000";
        string memory storage_ = string.concat('"', zeros, '03":"', zeros, '00","', zeros, '10":"', zeros, '11"');
        string memory json = '{"0x00000000000000000000000000000000000000d0":{"nonce":"0x0","balance":"0x4d",';
        json = string.concat(json, '"code":"0x","storage":{}},"0x00000000000000000000000000000000000000d1":{"nonce":');
        json = string.concat(json, '"0x0","balance":"0x0","code":"0x6001","storage":{', storage_);
        json = string.concat(json, '}},"0x00000000000000000000000000000000000000d2":{"nonce":"0x3","balance":"0x0",');
        json = string.concat(json, '"code":"0x","storage":{}}}');
        vm.assertEq(dumped("accounts"), json);
    }

    function test_dumpState_overwritesAndLoads() public {
        vm.createDir("scratch/dump", true);
        vm.deal(address(0xd4), 5);
        vm.etch(address(0xd4), hex"6002");
        vm.dumpState("scratch/dump/loads.json");
        vm.deal(address(0xd4), 6);
        vm.dumpState("scratch/dump/loads.json");
        vm.deal(address(0xd4), 7);
        vm.etch(address(0xd4), "");
        vm.loadAllocs("scratch/dump/loads.json");
        vm.removeFile("scratch/dump/loads.json");
        vm.assertEq(address(0xd4).balance, 6);
        vm.assertEq(address(0xd4).code, hex"6002");
    }
}

/// Files that cannot be read as a state or written.
contract AllocsErrors is Conformance {
    function test_loadAllocs_missing() public {
        vm.loadAllocs("files/state/none.json");
    }

    function test_loadAllocs_directory() public {
        vm.loadAllocs("files/state");
    }

    function test_loadAllocs_notJson() public {
        vm.loadAllocs("foundry.toml");
    }

    function test_loadAllocs_badGenesis() public {
        vm.loadAllocs("files/state/bad-genesis.json");
    }

    function test_dumpState_noDirectory() public {
        vm.dumpState("scratch/none/state.json");
    }

    function test_dumpState_directory() public {
        vm.dumpState("files");
    }

    function test_dumpState_empty() public {
        vm.dumpState("");
    }
}
