// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Node} from "./Node.sol";

/// The endpoints of foundry.toml, and the chains that forge knows by name.
contract EndpointsTest is Node {
    function assertChain(Vm.Chain memory chain, string memory name, uint256 id, string memory nick) internal {
        vm.assertEq(chain.name, name);
        vm.assertEq(chain.chainId, id);
        vm.assertEq(chain.chainAlias, nick);
        vm.assertEq(chain.rpcUrl, "");
    }

    function test_rpcUrl_alias() public {
        vm.assertEq(vm.rpcUrl(NODE), vm.envString("CONFORMANCE_NODE"));
    }

    function test_rpcUrl_url() public {
        vm.assertEq(vm.rpcUrl("http://some.where/at?all#x"), "http://some.where/at?all#x");
        vm.assertEq(vm.rpcUrl("ws://some.where"), "ws://some.where");
        vm.assertEq(vm.rpcUrl("https:"), "https:");
        vm.assertEq(vm.rpcUrl("httpx"), "httpx", "whatever begins like that");
    }

    function test_rpcUrls_all() public {
        string[2][] memory urls = vm.rpcUrls();
        vm.assertEq(urls.length, 1);
        vm.assertEq(urls[0][0], NODE);
        vm.assertEq(urls[0][1], vm.rpcUrl(NODE));
    }

    function test_rpcUrlStructs_all() public {
        Vm.Rpc[] memory urls = vm.rpcUrlStructs();
        vm.assertEq(urls.length, 1);
        vm.assertEq(urls[0].key, NODE);
        vm.assertEq(urls[0].url, vm.rpcUrl(NODE));
    }

    function test_getChain_byAlias() public {
        assertChain(vm.getChain("mainnet"), "mainnet", 1, "mainnet");
        assertChain(vm.getChain("sepolia"), "sepolia", 11155111, "sepolia");
        assertChain(vm.getChain("arbitrum"), "arbitrum", 42161, "arbitrum");
        assertChain(vm.getChain("anvil"), "anvil-hardhat", 31337, "anvil");
        assertChain(vm.getChain("anvil-hardhat"), "anvil-hardhat", 31337, "anvil-hardhat");
        assertChain(vm.getChain("10"), "optimism", 10, "10");
    }

    function test_getChain_byId() public {
        assertChain(vm.getChain(1), "mainnet", 1, "1");
        assertChain(vm.getChain(10), "optimism", 10, "10");
        assertChain(vm.getChain(137), "polygon", 137, "137");
        assertChain(vm.getChain(1337), "dev", 1337, "1337");
        assertChain(vm.getChain(31337), "anvil-hardhat", 31337, "31337");
    }

    function test_getChain_onFork() public {
        vm.createSelectFork(node());
        assertChain(vm.getChain(1), "mainnet", 1, "1");
    }
}

/// Endpoints and chains that are not known.
contract EndpointsErrors is Node {
    function test_rpcUrl_unknown() public {
        vm.rpcUrl("nowhere");
    }

    function test_rpcUrl_empty() public {
        vm.rpcUrl("");
    }

    function test_rpcUrl_chain() public {
        vm.rpcUrl("mainnet");
    }

    function test_rpcUrl_case() public {
        vm.rpcUrl("Node");
    }

    function test_getChain_unknown() public {
        vm.getChain("nowhere");
    }

    function test_getChain_empty() public {
        vm.getChain("");
    }

    function test_getChain_case() public {
        vm.getChain("Mainnet");
    }

    function test_getChain_endpoint() public {
        vm.getChain(NODE);
    }

    function test_getChain_idUnknown() public {
        vm.getChain(CHAIN);
    }

    function test_getChain_idTooLarge() public {
        vm.getChain(1 << 64);
    }
}
