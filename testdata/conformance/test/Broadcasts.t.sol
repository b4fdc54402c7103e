// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Kinds of transactions in a broadcast.
abstract contract Kinds is Conformance {
    uint8 constant CALL = 0;
    uint8 constant CREATE = 1;
    uint8 constant CREATE2 = 2;
}

/// Deployments read from the files of broadcast/.
contract BroadcastsTest is Kinds {
    function check(Vm.BroadcastTxSummary memory tx_, uint256 hash, uint8 kind, uint160 made, uint64 number) internal {
        vm.assertEq(tx_.txHash, bytes32(hash));
        vm.assertEq(tx_.txType, kind);
        vm.assertEq(tx_.contractAddress, address(made));
        vm.assertEq(tx_.blockNumber, number);
        vm.assertEq(tx_.success, hash != 2);
    }

    function test_getBroadcast_latest_file() public {
        check(vm.getBroadcast("Hull", 31337, CREATE), 6, CREATE, 0xa4, 6);
    }

    function test_getBroadcast_kinds() public {
        check(vm.getBroadcast("Hull", 31337, CREATE2), 3, CREATE2, 0xa2, 3);
        check(vm.getBroadcast("Mast", 31337, CREATE), 4, CREATE, 0xb1, 3);
        check(vm.getBroadcast("Mast", 31337, CALL), 8, CALL, 0, 5);
        check(vm.getBroadcast("Hull", 5, CREATE), 10, CREATE, 0xa6, 1);
    }

    function test_getBroadcast_of_several_chains() public {
        check(vm.getBroadcast("Sail", 31337, CREATE), 11, CREATE, 0xd1, 7);
        check(vm.getBroadcast("Sail", 5, CREATE2), 12, CREATE2, 0xd2, 8);
    }

    function test_getBroadcasts_all() public {
        Vm.BroadcastTxSummary[] memory txs = vm.getBroadcasts("Hull", 31337);
        vm.assertEq(txs.length, 5);
        check(txs[0], 6, CREATE, 0xa4, 6);
        check(txs[1], 5, CREATE, 0xa3, 5);
        check(txs[2], 3, CREATE2, 0xa2, 3);
        check(txs[3], 2, CALL, 0xa1, 2);
        check(txs[4], 1, CREATE, 0xa1, 1);
    }

    function test_getBroadcasts_of_a_kind() public {
        Vm.BroadcastTxSummary[] memory txs = vm.getBroadcasts("Hull", 31337, CREATE);
        vm.assertEq(txs.length, 3);
        check(txs[0], 6, CREATE, 0xa4, 6);
        check(txs[2], 1, CREATE, 0xa1, 1);
        vm.assertEq(vm.getBroadcasts("Hull", 31337, CALL).length, 1);
        vm.assertEq(vm.getBroadcasts("Hull", 31337, CREATE2).length, 1);
    }

    function test_getBroadcasts_none() public {
        vm.assertEq(vm.getBroadcasts("Anchor", 31337).length, 0);
        vm.assertEq(vm.getBroadcasts("Hull", 1).length, 0);
        vm.assertEq(vm.getBroadcasts("Hull", 5, CALL).length, 0);
        vm.assertEq(vm.getBroadcasts("Keel", 31337).length, 0);
    }

    function test_getDeployment_latest() public {
        vm.assertEq(vm.getDeployment("Hull", 31337), address(0xa4));
        vm.assertEq(vm.getDeployment("Hull", 5), address(0xa6));
        vm.assertEq(vm.getDeployment("Sail", 5), address(0xd2));
    }

    function test_getDeployment_current_chain() public {
        vm.assertEq(vm.getDeployment("Hull"), address(0xa4));
        vm.chainId(5);
        vm.assertEq(vm.getDeployment("Hull"), address(0xa6));
    }

    function test_getDeployments_newest_first() public {
        address[] memory expected = new address[](4);
        (expected[0], expected[1], expected[2], expected[3]) =
            (address(0xa4), address(0xa3), address(0xa2), address(0xa1));
        vm.assertEq(vm.getDeployments("Hull", 31337), expected);
        vm.assertEq(vm.getDeployments("Anchor", 31337).length, 0);
    }
}

/// Deployments that were never made.
contract BroadcastsErrors is Kinds {
    function test_getBroadcast_unknown() public {
        vm.getBroadcast("Anchor", 31337, CREATE);
    }

    function test_getBroadcast_other_chain() public {
        vm.getBroadcast("Mast", 5, CREATE);
    }

    function test_getBroadcast_other_kind() public {
        vm.getBroadcast("Mast", 31337, CREATE2);
    }

    function test_getBroadcast_only_in_a_latest_file() public {
        vm.getBroadcast("Flag", 31337, CREATE);
    }

    function test_getBroadcast_no_receipt() public {
        vm.getBroadcast("Keel", 31337, CREATE);
    }

    function test_getDeployment_unknown() public {
        vm.getDeployment("Anchor");
    }

    function test_getDeployment_other_chain() public {
        vm.getDeployment("Mast", 5);
    }

    function test_getDeployment_no_receipt() public {
        vm.getDeployment("Keel", 31337);
    }

    function test_getBroadcast_no_receipt_in_newest_file() public {
        vm.getBroadcast("Hull", 31337, CALL);
    }
}
