// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Reads the environment one call deeper than the test.
contract BlockReader {
    uint256 public immutable deployedAt = block.timestamp;

    function read() external view returns (uint256, uint256, uint256, uint256, address, uint256) {
        return (block.timestamp, block.number, block.basefee, block.chainid, block.coinbase, block.prevrandao);
    }

    function priced() external view returns (uint256, uint256, bytes32) {
        return (tx.gasprice, block.blobbasefee, blobhash(0));
    }

    function hash(uint256 height) external view returns (bytes32) {
        return blockhash(height);
    }
}

/// The cheatcodes that set and read the fields of the block and of the transaction.
contract BlockTest is Conformance {
    BlockReader private reader;

    function setUp() public {
        reader = new BlockReader();
        vm.warp(1_700_000_000);
        vm.roll(100);
    }

    /// Sets the clock one call deeper; a cheatcode's effect on the environment outlives a revert.
    function warpAndRevert(uint256 time) external {
        vm.warp(time);
        revert("rolled back");
    }

    function rollDeeper(uint256 height) external {
        vm.roll(height);
    }

    function test_warp_fromSetUp() public {
        vm.assertEq(block.timestamp, 1_700_000_000);
        vm.assertEq(block.number, 100);
    }

    function test_warp_now() public {
        vm.warp(7);
        vm.assertEq(block.timestamp, 7);
        (uint256 time,,,,,) = reader.read();
        vm.assertEq(time, 7);
        vm.assertEq(new BlockReader().deployedAt(), 7);
        vm.assertEq(reader.deployedAt(), 1);
    }

    function test_warp_bounds() public {
        vm.warp(0);
        vm.assertEq(block.timestamp, 0);
        vm.warp(type(uint64).max);
        vm.assertEq(block.timestamp, type(uint64).max);
        vm.warp(type(uint256).max);
        vm.assertEq(vm.getBlockTimestamp(), type(uint256).max);
        vm.assertEq(block.timestamp, type(uint256).max);
    }

    function test_warp_survivesRevert() public {
        try this.warpAndRevert(55) {} catch {}
        vm.assertEq(vm.getBlockTimestamp(), 55);
    }

    function test_getBlockTimestamp_follows() public {
        vm.assertEq(vm.getBlockTimestamp(), 1_700_000_000);
        vm.warp(12);
        vm.assertEq(vm.getBlockTimestamp(), 12);
    }

    function test_roll_bounds() public {
        vm.roll(type(uint256).max);
        vm.assertEq(block.number, type(uint256).max);
        vm.roll(0);
        (, uint256 height,,,,) = reader.read();
        vm.assertEq(height, 0);
    }

    function test_getBlockNumber_deeper() public {
        vm.assertEq(vm.getBlockNumber(), 100);
        this.rollDeeper(31);
        vm.assertEq(vm.getBlockNumber(), 31);
    }

    function test_fee_bounds() public {
        vm.assertEq(block.basefee, 0);
        vm.fee(25 gwei);
        (,, uint256 fee,,,) = reader.read();
        vm.assertEq(fee, 25 gwei);
        vm.fee(type(uint64).max);
        vm.assertEq(block.basefee, type(uint64).max);
    }

    function test_chainId_bounds() public {
        vm.assertEq(block.chainid, 31337);
        vm.chainId(10);
        (,,, uint256 id,,) = reader.read();
        vm.assertEq(id, 10);
        vm.chainId(type(uint64).max);
        vm.assertEq(block.chainid, type(uint64).max);
        vm.chainId(0);
        vm.assertEq(block.chainid, 0);
    }

    function test_getChainId_follows() public {
        vm.assertEq(vm.getChainId(), 31337);
        vm.chainId(137);
        vm.assertEq(vm.getChainId(), 137);
    }

    function test_coinbase_set() public {
        vm.assertEq(block.coinbase, address(0));
        vm.coinbase(address(0xC0FFEE));
        (,,,, address miner,) = reader.read();
        vm.assertEq(miner, address(0xC0FFEE));
    }

    function test_prevrandao_both() public {
        vm.assertEq(block.prevrandao, 0);
        vm.prevrandao(bytes32(uint256(5)));
        vm.assertEq(block.prevrandao, 5);
        vm.prevrandao(type(uint256).max);
        (,,,,, uint256 randao) = reader.read();
        vm.assertEq(randao, type(uint256).max);
    }

    function test_txGasPrice_bounds() public {
        vm.assertEq(tx.gasprice, 0);
        vm.txGasPrice(3 gwei);
        (uint256 price,,) = reader.priced();
        vm.assertEq(price, 3 gwei);
        vm.txGasPrice(type(uint64).max);
        vm.assertEq(tx.gasprice, type(uint64).max);
    }

    /// The argument is the excess blob gas, of which the opcode's fee is computed.
    function test_blobBaseFee_isExcess() public {
        vm.assertEq(vm.getBlobBaseFee(), 0);
        vm.assertEq(block.blobbasefee, 1);
        vm.blobBaseFee(64_000_000);
        vm.assertEq(vm.getBlobBaseFee(), 64_000_000);
        (, uint256 fee,) = reader.priced();
        vm.assertEq(fee, 355_143);
        vm.blobBaseFee(0);
        vm.assertEq(block.blobbasefee, 1);
    }

    function test_blobhashes_set() public {
        vm.assertEq(vm.getBlobhashes().length, 0);
        bytes32[] memory hashes = new bytes32[](2);
        hashes[0] = keccak256("0");
        hashes[1] = keccak256("1");
        vm.blobhashes(hashes);
        (,, bytes32 first) = reader.priced();
        vm.assertEq(first, hashes[0]);
        vm.assertEq(blobhash(1), hashes[1]);
        vm.assertEq(blobhash(2), bytes32(0));
        vm.assertEq(vm.getBlobhashes(), hashes);
        vm.blobhashes(new bytes32[](0));
        vm.assertEq(blobhash(0), bytes32(0));
        vm.assertEq(vm.getBlobhashes().length, 0);
    }

    function test_setBlockhash_window() public {
        vm.roll(1000);
        vm.setBlockhash(999, keccak256("a"));
        vm.assertEq(blockhash(999), keccak256("a"));
        vm.assertEq(reader.hash(999), keccak256("a"));
        vm.setBlockhash(1000, keccak256("b"));
        vm.assertEq(blockhash(1000), bytes32(0));
        vm.roll(1001);
        vm.assertEq(blockhash(1000), keccak256("b"));
        vm.setBlockhash(744, keccak256("c"));
        vm.assertEq(blockhash(744), bytes32(0));
        vm.setBlockhash(745, keccak256("d"));
        vm.assertEq(blockhash(745), keccak256("d"));
        vm.setBlockhash(999, bytes32(0));
        vm.assertEq(blockhash(999), bytes32(0));
    }

    /// Without a fork a block's hash is that of its number's digits.
    function test_setBlockhash_unset() public {
        vm.assertEq(blockhash(99), keccak256("99"));
        vm.assertEq(blockhash(0), keccak256("0"));
        vm.setBlockhash(99, bytes32(uint256(1)));
        vm.assertEq(blockhash(99), bytes32(uint256(1)));
        vm.assertEq(blockhash(98), keccak256("98"));
    }
}

/// What `setUp` sets in the environment is there in the test, but for the transaction's blobs.
contract BlockSetUpTest is Conformance {
    function setUp() public {
        vm.fee(3);
        vm.chainId(5);
        vm.coinbase(address(7));
        vm.prevrandao(uint256(8));
        vm.txGasPrice(9);
        vm.blobBaseFee(10);
        vm.blobhashes(new bytes32[](1));
        vm.roll(300);
        vm.setBlockhash(299, bytes32(uint256(11)));
    }

    function test_setEnvironment_fromSetUp() public {
        vm.assertEq(block.basefee, 3);
        vm.assertEq(block.chainid, 5);
        vm.assertEq(block.coinbase, address(7));
        vm.assertEq(block.prevrandao, 8);
        vm.assertEq(tx.gasprice, 9);
        vm.assertEq(vm.getBlobBaseFee(), 10);
        vm.assertEq(vm.getBlobhashes().length, 0);
        vm.assertEq(blockhash(299), bytes32(uint256(11)));
    }
}

/// What the environment's cheatcodes refuse.
contract BlockErrors is Conformance {
    function test_fee_tooLarge() public {
        vm.fee(uint256(type(uint64).max) + 1);
    }

    function test_chainId_tooLarge() public {
        vm.chainId(uint256(type(uint64).max) + 1);
    }

    function test_txGasPrice_tooLarge() public {
        vm.txGasPrice(uint256(type(uint64).max) + 1);
    }

    function test_setBlockhash_future() public {
        vm.roll(5);
        vm.setBlockhash(6, bytes32(0));
    }

    function test_setBlockhash_tooLarge() public {
        vm.setBlockhash(uint256(type(uint64).max) + 1, bytes32(0));
    }
}
