// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Answers of a node as JSON.
contract RpcTest is Conformance {
    function test_rpcJson_fork() public {
        vm.createSelectFork("node");
        vm.assertEq(vm.rpcJson("eth_chainId", "[]"), '"0x425d4"');
        string memory block_ = vm.rpcJson("eth_getBlockByNumber", '["0x2", false]');
        vm.assertEq(vm.parseJsonUint(block_, ".number"), 2);
    }

    function test_rpcJson_name() public {
        vm.assertEq(vm.rpcJson("node", "net_version", "[]"), '"271828"');
        vm.assertEq(vm.rpcJson("node", "eth_syncing", "[]"), "false");
    }

    function test_rpcJson_none() public {
        fails(
            abi.encodeWithSignature("rpcJson(string,string)", "eth_chainId", "[]"),
            "vm.rpcJson: no active fork URL found"
        );
    }
}
