// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Ledger, Node} from "./Node.sol";

/// Questions to the node itself: vm.rpc. The answer is ABI-encoded by its JSON type; what is in it depends on that.
contract ForkRpcTest is Node {
    function test_rpc_number() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("eth_blockNumber", "[]"), hex"06");
        vm.assertEq(vm.rpc("eth_chainId", "[]"), hex"0425d4");
    }

    function test_rpc_balance() public {
        vm.createSelectFork(node());
        bytes memory balance = vm.rpc("eth_getBalance", '["0x000000000000000000000000000000000051c400","latest"]');
        vm.assertEq(balance, hex"06aaf7c8516d0c0000");
    }

    function test_rpc_zero() public {
        vm.createSelectFork(node());
        bytes memory balance = vm.rpc("eth_getBalance", '["0x00000000000000000000000000000000dead0000","latest"]');
        vm.assertEq(balance, hex"00");
    }

    function test_rpc_asOfBlock() public {
        vm.createSelectFork(node(), 2);
        vm.assertEq(vm.rpc("eth_getTransactionCount", '["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x2"]'), hex"01");
        vm.assertEq(vm.rpc("eth_blockNumber", "[]"), hex"06", "the node knows nothing of the fork");
    }

    function test_rpc_bytes() public {
        vm.createSelectFork(node());
        bytes memory code = vm.rpc("eth_getCode", '["0x00000000000000000000000000000000000e11c5","latest"]');
        vm.assertEq(code, RELIC.code);
    }

    function test_rpc_word() public {
        vm.createSelectFork(node());
        bytes memory word = vm.rpc("eth_getStorageAt", '["0x00000000000000000000000000000000000e11c5","0x7","latest"]');
        vm.assertEq(word, abi.encode(42));
    }

    function test_rpc_call() public {
        vm.createSelectFork(node());
        bytes memory result = vm.rpc("eth_call", '[{"to":"0x00000000000000000000000000000000000e11c5"},"latest"]');
        vm.assertEq(result, abi.encode(42));
    }

    function test_rpc_string() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("web3_sha3", '["0x"]'), abi.encode(keccak256("")));
        vm.assertEq(abi.decode(vm.rpc("net_version", "[]"), (string)), "271828");
    }

    function test_rpc_boolean() public {
        vm.createSelectFork(node());
        vm.assertTrue(abi.decode(vm.rpc("net_listening", "[]"), (bool)));
        vm.assertFalse(abi.decode(vm.rpc("eth_syncing", "[]"), (bool)));
    }

    function test_rpc_null() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("eth_getBlockByNumber", '["0x63",false]'), abi.encode(0));
    }

    function test_rpc_address() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("eth_coinbase", "[]"), abi.encodePacked(MINER));
    }

    function test_rpc_nothing() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("eth_getCode", '["0x00000000000000000000000000000000dead0000","latest"]'), "");
        vm.assertEq(vm.rpc("eth_getBlockReceipts", '["0x4"]'), abi.encode(new bytes[](0)));
    }

    function test_rpc_nullAsParameters() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.rpc("eth_blockNumber", "null"), hex"06");
    }

    struct Status {
        bytes pending;
        bytes queued;
    }

    function test_rpc_object() public {
        vm.createSelectFork(node());
        Status memory status = abi.decode(vm.rpc("txpool_status", "[]"), (Status));
        vm.assertEq(status.pending, hex"01");
        vm.assertEq(status.queued, hex"00");
    }

    struct LogFields {
        address address_;
        bytes32 blockHash;
        bytes blockNumber;
        bytes blockTimestamp;
        bytes data;
        bytes logIndex;
        bool removed;
        bytes32[] topics;
        bytes32 transactionHash;
        bytes transactionIndex;
    }

    function test_rpc_objectFieldsByName() public {
        vm.createSelectFork(node());
        bytes memory answer = vm.rpc("eth_getLogs", '[{"fromBlock":"0x2","toBlock":"0x2"}]');
        LogFields[] memory logs = abi.decode(answer, (LogFields[]));
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].address_, address(LEDGER));
        vm.assertEq(logs[0].blockNumber, hex"02");
        vm.assertEq(logs[0].blockTimestamp, hex"6553f1c8");
        vm.assertEq(logs[0].data, abi.encode(5, 5));
        vm.assertEq(logs[0].topics.length, 2);
        vm.assertEq(logs[0].transactionHash, ADD5);
        vm.assertEq(logs[0].transactionIndex, hex"00");
    }

    function test_rpc_array() public {
        vm.createSelectFork(node());
        address[] memory accounts = abi.decode(vm.rpc("eth_accounts", "[]"), (address[]));
        vm.assertEq(accounts.length, 10);
        vm.assertEq(accounts[1], ALICE);
    }

    function test_rpc_url() public {
        vm.assertEq(vm.rpc(NODE, "eth_blockNumber", "[]"), hex"06");
        vm.assertEq(vm.rpc(vm.rpcUrl(NODE), "eth_chainId", "[]"), hex"0425d4");
        vm.assertEq(block.number, 1);
    }

    function test_rpc_urlOnFork() public {
        vm.createSelectFork(node(), 2);
        vm.assertEq(vm.rpc(NODE, "eth_blockNumber", "[]"), hex"06");
    }

    function test_eth_getLogs_all() public {
        vm.createSelectFork(node());
        Vm.EthGetLogs[] memory logs = vm.eth_getLogs(0, HEAD, address(LEDGER), new bytes32[](0));
        vm.assertEq(logs.length, 4);
        vm.assertEq(logs[0].blockNumber, 2);
        vm.assertEq(logs[1].blockNumber, 3);
        vm.assertEq(logs[2].blockNumber, 3);
        vm.assertEq(logs[3].blockNumber, 5);
    }

    function test_eth_getLogs_fields() public {
        vm.createSelectFork(node());
        Vm.EthGetLogs[] memory logs = vm.eth_getLogs(3, 3, address(LEDGER), new bytes32[](0));
        vm.assertEq(logs.length, 2);
        Vm.EthGetLogs memory log = logs[1];
        vm.assertEq(log.emitter, address(LEDGER));
        vm.assertEq(log.topics.length, 2);
        vm.assertEq(log.topics[0], Ledger.Added.selector);
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(BOB))));
        vm.assertEq(log.data, abi.encode(11, 23));
        vm.assertEq(log.blockHash, 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7);
        vm.assertEq(log.blockNumber, 3);
        vm.assertEq(log.transactionHash, ADD11);
        vm.assertEq(log.transactionIndex, 2);
        vm.assertEq(log.logIndex, 1);
        vm.assertFalse(log.removed);
    }

    function test_eth_getLogs_topics() public {
        vm.createSelectFork(node());
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = Ledger.Added.selector;
        vm.assertEq(vm.eth_getLogs(0, HEAD, address(LEDGER), topics).length, 4);
        topics[0] = bytes32(uint256(1));
        vm.assertEq(vm.eth_getLogs(0, HEAD, address(LEDGER), topics).length, 0);
        topics = new bytes32[](2);
        topics[0] = Ledger.Added.selector;
        topics[1] = bytes32(uint256(uint160(ALICE)));
        vm.assertEq(vm.eth_getLogs(0, HEAD, address(LEDGER), topics).length, 3);
        topics[0] = 0;
        vm.assertEq(vm.eth_getLogs(0, HEAD, address(LEDGER), topics).length, 0, "zero is no wildcard");
    }

    function test_eth_getLogs_ofTheNodeOnly() public {
        vm.createSelectFork(node(), 2);
        LEDGER.add(1);
        vm.assertEq(vm.eth_getLogs(2, 2, address(LEDGER), new bytes32[](0)).length, 1);
        vm.assertEq(vm.eth_getLogs(3, 5, address(LEDGER), new bytes32[](0)).length, 3, "blocks after the fork's too");
    }

    function test_eth_getLogs_none() public {
        vm.createSelectFork(node());
        vm.assertEq(vm.eth_getLogs(0, HEAD, RELIC, new bytes32[](0)).length, 0);
        vm.assertEq(vm.eth_getLogs(0, HEAD, address(0), new bytes32[](0)).length, 0, "zero is an address like others");
        vm.assertEq(vm.eth_getLogs(3, 2, address(LEDGER), new bytes32[](0)).length, 0);
    }

    function test_getRawBlockHeader_hash() public {
        vm.createSelectFork(node());
        vm.assertEq(
            keccak256(vm.getRawBlockHeader(3)), 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7
        );
        vm.assertEq(keccak256(vm.getRawBlockHeader(5)), blockhash(5));
        vm.assertEq(
            keccak256(vm.getRawBlockHeader(0)), 0xc56b8342e33b57477139f45874ae699b6fe1ca1a65d089b78c34dabc3206e07b
        );
    }

    function test_getRawBlockHeader_fields() public {
        vm.createSelectFork(node());
        bytes[] memory fields = vm.fromRlp(vm.getRawBlockHeader(3));
        vm.assertEq(fields.length, 21);
        vm.assertEq(fields[2], abi.encodePacked(MINER));
        vm.assertEq(fields[8], hex"03");
        vm.assertEq(fields[11], abi.encodePacked(uint32(GENESIS + 300)));
        vm.assertEq(fields[12], "");
    }

    function test_getRawBlockHeader_laterThanFork() public {
        vm.createSelectFork(node(), 2);
        vm.roll(4);
        vm.assertEq(
            keccak256(vm.getRawBlockHeader(3)), 0x13af6e3de4ede756decbb315398086124ab7b06c3d418a9122175ba8b84a28c7
        );
    }
}

/// Questions that fail.
contract ForkRpcErrors is Node {
    function test_rpc_noFork() public {
        vm.rpc("eth_chainId", "[]");
    }

    function test_rpc_noneActive() public {
        vm.createFork(node());
        vm.rpc("eth_chainId", "[]");
    }

    function test_rpc_method() public {
        vm.createSelectFork(node());
        vm.rpc("eth_nothing", "[]");
    }

    function test_rpc_noJson() public {
        vm.createSelectFork(node());
        vm.rpc("eth_chainId", "[");
    }

    function test_rpc_noParameters() public {
        vm.createSelectFork(node());
        vm.rpc("eth_chainId", "");
    }

    function test_rpc_parameters() public {
        vm.createSelectFork(node());
        vm.rpc("eth_getBalance", "[]");
    }

    function test_rpc_parametersAsObject() public {
        vm.createSelectFork(node());
        vm.rpc("eth_blockNumber", "{}");
    }

    function test_rpc_fractions() public {
        vm.createSelectFork(node());
        vm.rpc("eth_feeHistory", '["0x2","0x3",[]]');
    }

    function test_rpc_reverted() public {
        vm.createSelectFork(node());
        vm.rpc("eth_call", '[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","data":"0x01020304"},"latest"]');
    }

    function test_rpc_urlUnknown() public {
        vm.rpc("nowhere", "eth_chainId", "[]");
    }

    function test_rpc_urlClosed() public {
        vm.rpc(CLOSED, "eth_chainId", "[]");
    }

    function test_rpc_urlMethod() public {
        vm.rpc(NODE, "eth_nothing", "[]");
    }

    function test_rpc_urlNoJson() public {
        vm.rpc(NODE, "eth_chainId", "{");
    }

    function test_eth_getLogs_noFork() public {
        vm.eth_getLogs(0, HEAD, address(LEDGER), new bytes32[](0));
    }

    function test_eth_getLogs_fiveTopics() public {
        vm.createSelectFork(node());
        vm.eth_getLogs(0, HEAD, address(LEDGER), new bytes32[](5));
    }

    function test_eth_getLogs_ahead() public {
        vm.createSelectFork(node());
        vm.eth_getLogs(90, 100, address(LEDGER), new bytes32[](0));
    }

    function test_eth_getLogs_firstTooLarge() public {
        vm.createSelectFork(node());
        vm.eth_getLogs(1 << 64, HEAD, address(LEDGER), new bytes32[](0));
    }

    function test_eth_getLogs_lastTooLarge() public {
        vm.createSelectFork(node());
        vm.eth_getLogs(0, 1 << 64, address(LEDGER), new bytes32[](0));
    }

    function test_getRawBlockHeader_noFork() public {
        vm.getRawBlockHeader(1);
    }

    function test_getRawBlockHeader_ahead() public {
        vm.createSelectFork(node());
        vm.getRawBlockHeader(HEAD + 1);
    }

    function test_getRawBlockHeader_tooLarge() public {
        vm.createSelectFork(node());
        vm.getRawBlockHeader(1 << 64);
    }
}
