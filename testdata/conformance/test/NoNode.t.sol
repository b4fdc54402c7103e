// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// The endpoint of foundry.toml while CONFORMANCE_NODE is not set (only then do these fail).
contract NoNodeErrors is Conformance {
    function test_rpcUrl_unset() public {
        vm.rpcUrl("node");
    }

    function test_rpcUrls_unset() public {
        vm.rpcUrls();
    }

    function test_rpcUrlStructs_unset() public {
        vm.rpcUrlStructs();
    }
}
