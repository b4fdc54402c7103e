// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// What a test knows of its run: the context, chains, waiting, the debugger.
contract SurroundingsTest is Conformance {
    function test_isContext_of_a_test() public {
        vm.assertTrue(vm.isContext(0), "TestGroup");
        vm.assertTrue(vm.isContext(1), "Test");
        for (uint8 context = 2; context < 12; context++) {
            vm.assertFalse(vm.isContext(context));
        }
        vm.assertFalse(vm.isContext(255));
    }

    function test_sleep_milliseconds() public {
        uint256 time = vm.unixTime();
        uint256 timestamp = block.timestamp;
        vm.sleep(5);
        vm.assertGe(vm.unixTime(), time + 5);
        vm.assertEq(block.timestamp, timestamp);
    }

    function test_sleep_zero() public {
        vm.sleep(0);
    }

    function test_breakpoint_letters() public {
        vm.breakpoint("a");
        vm.breakpoint("a");
        vm.breakpoint("Z");
        vm.breakpoint(unicode"é");
    }

    function test_breakpoint_switched() public {
        vm.breakpoint("b", true);
        vm.breakpoint("b", false);
        vm.breakpoint("c", false);
    }

    function test_pauseTracing_twice() public {
        vm.pauseTracing();
        vm.pauseTracing();
        vm.assertEq(vm.toString(uint256(1)), "1");
        vm.resumeTracing();
    }

    function test_resumeTracing_never_paused() public {
        vm.resumeTracing();
        vm.resumeTracing();
    }

    function check(Vm.Chain memory chain, string memory name, uint256 id, string memory chainAlias) internal {
        vm.assertEq(chain.name, name);
        vm.assertEq(chain.chainId, id);
        vm.assertEq(chain.chainAlias, chainAlias);
        vm.assertEq(chain.rpcUrl, "");
    }

    function test_getChain_name() public {
        check(vm.getChain("mainnet"), "mainnet", 1, "mainnet");
        check(vm.getChain("optimism"), "optimism", 10, "optimism");
        check(vm.getChain("bsc"), "bsc", 56, "bsc");
        check(vm.getChain("polygon"), "polygon", 137, "polygon");
        check(vm.getChain("dev"), "dev", 1337, "dev");
        check(vm.getChain("base"), "base", 8453, "base");
        check(vm.getChain("anvil-hardhat"), "anvil-hardhat", 31337, "anvil-hardhat");
        check(vm.getChain("arbitrum"), "arbitrum", 42161, "arbitrum");
        check(vm.getChain("sepolia"), "sepolia", 11155111, "sepolia");
    }

    function test_getChain_other_names() public {
        check(vm.getChain("anvil"), "anvil-hardhat", 31337, "anvil");
        check(vm.getChain("hardhat"), "anvil-hardhat", 31337, "hardhat");
        check(vm.getChain("gnosis"), "xdai", 100, "gnosis");
        check(vm.getChain("binance-smart-chain"), "bsc", 56, "binance-smart-chain");
    }

    function test_getChain_number_as_text() public {
        check(vm.getChain("1"), "mainnet", 1, "1");
        check(vm.getChain("0042161"), "arbitrum", 42161, "0042161");
    }

    function test_getChain_number() public {
        check(vm.getChain(1), "mainnet", 1, "1");
        check(vm.getChain(42161), "arbitrum", 42161, "42161");
        check(vm.getChain(31337), "anvil-hardhat", 31337, "31337");
    }

    function test_getChain_not_the_current_one() public {
        vm.chainId(5);
        check(vm.getChain("mainnet"), "mainnet", 1, "mainnet");
    }

    function test_rpcUrl_of_a_url() public {
        vm.assertEq(vm.rpcUrl("http://127.0.0.1:1/a b"), "http://127.0.0.1:1/a b");
        vm.assertEq(vm.rpcUrl("https://localhost"), "https://localhost");
        vm.assertEq(vm.rpcUrl("wss://localhost"), "wss://localhost");
        vm.assertEq(vm.rpcUrl("wsx"), "wsx");
    }

    function test_rpcUrl_of_a_file() public {
        vm.assertEq(vm.rpcUrl("foundry.toml"), "foundry.toml");
        vm.assertEq(vm.rpcUrl("src"), "src");
    }

    function test_rpcUrl_with_a_variable() public {
        vm.setEnv("CONF_RPC", "token");
        vm.assertEq(vm.rpcUrl("https://localhost/${CONF_RPC}/x"), "https://localhost/token/x");
    }

    /// The only endpoint is ${CONFORMANCE_NODE}: a url, or an error as long as the variable is not set.
    function test_rpcUrls_one_endpoint() public {
        try vm.rpcUrls() returns (string[2][] memory urls) {
            vm.assertEq(urls.length, 1);
            vm.assertEq(urls[0][0], "node");
            vm.assertEq(urls[0][1], vm.envString("CONFORMANCE_NODE"));
        } catch (bytes memory reason) {
            checkUnset(reason, "vm.rpcUrls: ");
        }
    }

    function test_rpcUrlStructs_one_endpoint() public {
        try vm.rpcUrlStructs() returns (Vm.Rpc[] memory urls) {
            vm.assertEq(urls.length, 1);
            vm.assertEq(urls[0].key, "node");
            vm.assertEq(urls[0].url, vm.envString("CONFORMANCE_NODE"));
        } catch (bytes memory reason) {
            checkUnset(reason, "vm.rpcUrlStructs: ");
        }
    }

    function checkUnset(bytes memory reason, string memory prefix) internal {
        string memory text = string.concat(prefix, "environment variable `CONFORMANCE_NODE` not found");
        vm.assertEq(reason, abi.encodeWithSignature("CheatcodeError(string)", text));
    }
}

/// Unknown chains and endpoints, breakpoints that are no letter.
contract SurroundingsErrors is Conformance {
    function test_breakpoint_empty() public {
        vm.breakpoint("");
    }

    function test_breakpoint_two_letters() public {
        vm.breakpoint("ab");
    }

    function test_breakpoint_digit() public {
        vm.breakpoint("1");
    }

    function test_breakpoint_switched_empty() public {
        vm.breakpoint("", true);
    }

    function test_breakpoint_switched_sign() public {
        vm.breakpoint("-", false);
    }

    function test_getChain_unknown() public {
        vm.getChain("no-such-chain");
    }

    function test_getChain_empty() public {
        vm.getChain("");
    }

    function test_getChain_uppercase() public {
        vm.getChain("Mainnet");
    }

    function test_getChain_hex() public {
        vm.getChain("0x1");
    }

    function test_getChain_endpoint() public {
        vm.getChain("node");
    }

    function test_getChain_unknown_number_as_text() public {
        vm.getChain("99999999999");
    }

    function test_getChain_unknown_number() public {
        vm.getChain(99999999999);
    }

    function test_getChain_zero() public {
        vm.getChain(uint256(0));
    }

    function test_getChain_huge_number() public {
        vm.getChain(type(uint256).max);
    }

    function test_rpcUrl_unknown() public {
        vm.rpcUrl("no-such-endpoint");
    }

    function test_rpcUrl_empty() public {
        vm.rpcUrl("");
    }

    function test_rpcUrl_chain() public {
        vm.rpcUrl("mainnet");
    }

    function test_rpcUrl_no_scheme() public {
        vm.rpcUrl("127.0.0.1:8545");
    }

    function test_rpcUrl_unset_variable() public {
        vm.rpcUrl("https://localhost/${CONF_NEVER_SET}");
    }
}
