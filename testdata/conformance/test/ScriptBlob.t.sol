// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Ledger} from "./Node.sol";

/// Blobs for the next broadcast transaction; outside of scripts nothing shows of them.
contract ScriptBlobTest is Conformance {
    Ledger private ledger;

    function setUp() public {
        ledger = new Ledger();
    }

    function test_attachBlob_noHashes() public {
        bytes32[] memory given = new bytes32[](1);
        given[0] = bytes32(uint256(1 << 248));
        vm.blobhashes(given);
        vm.attachBlob("some data");
        vm.assertEq(vm.getBlobhashes().length, 1);
        vm.assertEq(blobhash(0), given[0]);
    }

    function test_attachBlob_broadcast() public {
        vm.startBroadcast(address(0x5151));
        vm.attachBlob("");
        ledger.add(2);
        vm.assertEq(blobhash(0), 0);
        vm.signAndAttachDelegation(address(ledger), 0xb0b);
        ledger.add(3); // the blob went with the first call
        vm.stopBroadcast();
        vm.assertEq(ledger.share(address(0x5151)), 5);
        vm.assertEq(vm.getNonce(address(0x5151)), 2);
    }

    function test_attachBlob_andDelegationWithoutBroadcast() public {
        vm.attachBlob("some data");
        vm.signAndAttachDelegation(address(ledger), 0xb0b);
        ledger.add(2);
        vm.assertEq(ledger.total(), 2);
    }

    function test_attachBlob_andDelegationBeforeCreation() public {
        vm.attachBlob("some data");
        vm.signAndAttachDelegation(address(ledger), 0xb0b);
        vm.broadcast(address(0x5151));
        vm.assertEq(new Ledger().total(), 0);
    }
}

/// Blobs together with delegations.
contract ScriptBlobErrors is Conformance {
    Ledger private ledger;

    function setUp() public {
        ledger = new Ledger();
    }

    function test_attachBlob_andDelegation() public {
        vm.startBroadcast(address(0x5151));
        vm.attachBlob("some data");
        vm.signAndAttachDelegation(address(ledger), 0xb0b);
        ledger.add(2);
    }

    function test_attachDelegation_andBlob() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), 0xb0b));
        vm.attachBlob("some data");
        vm.broadcast(address(0x5151));
        ledger.add(2);
    }
}
