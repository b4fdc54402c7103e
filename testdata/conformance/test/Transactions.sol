// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Raw transactions, made and signed in the test.
abstract contract Transactions is Conformance {
    uint256 internal constant KEY = 0xa11ce;
    address internal signer = vm.addr(KEY);

    function header(uint256 base, uint256 length) private pure returns (bytes memory) {
        if (length < 56) return abi.encodePacked(uint8(base + length));
        if (length < 256) return abi.encodePacked(uint8(base + 56), uint8(length));
        return abi.encodePacked(uint8(base + 57), uint16(length));
    }

    function item(bytes memory data) internal pure returns (bytes memory) {
        if (data.length == 1 && uint8(data[0]) < 0x80) return data;
        return bytes.concat(header(0x80, data.length), data);
    }

    function item(address who) internal pure returns (bytes memory) {
        return item(abi.encodePacked(who));
    }

    function item(uint256 number) internal pure returns (bytes memory) {
        uint256 length;
        while (length < 32 && number >> (8 * length) != 0) ++length;
        bytes memory data = new bytes(length);
        for (uint256 i; i < length; ++i) {
            data[i] = bytes1(uint8(number >> (8 * (length - 1 - i))));
        }
        return item(data);
    }

    function list(bytes memory items) internal pure returns (bytes memory) {
        return bytes.concat(header(0xc0, items.length), items);
    }

    struct Tx {
        uint256 nonce;
        uint256 price;
        uint256 gas;
        address to;
        uint256 value;
        bytes data;
    }

    function call(address to, uint256 value, bytes memory data) internal returns (Tx memory) {
        return Tx(vm.getNonce(signer), 0, 200_000, to, value, data);
    }

    function body(Tx memory t) internal pure returns (bytes memory) {
        bytes memory to = t.to == address(0) ? item("") : item(t.to);
        return bytes.concat(item(t.gas), to, item(t.value), item(t.data));
    }

    function legacy(Tx memory t, uint256 chain) internal returns (bytes memory) {
        bytes memory fields = bytes.concat(item(t.nonce), item(t.price), body(t));
        bytes memory tail = chain == 0 ? bytes("") : bytes.concat(item(chain), item(uint256(0)), item(uint256(0)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, keccak256(list(bytes.concat(fields, tail))));
        uint256 parity = chain == 0 ? v : v - 27 + 35 + 2 * chain;
        return list(bytes.concat(fields, item(parity), item(uint256(r)), item(uint256(s))));
    }

    function typed(uint8 kind, bytes memory fields) internal returns (bytes memory) {
        bytes memory unsigned = bytes.concat(abi.encodePacked(kind), list(fields));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, keccak256(unsigned));
        bytes memory signature = bytes.concat(item(uint256(v - 27)), item(uint256(r)), item(uint256(s)));
        return bytes.concat(abi.encodePacked(kind), list(bytes.concat(fields, signature)));
    }

    /// The fields of the types 1 and 2, or the start of those that follow.
    function paid(Tx memory t, bytes memory prices, bytes memory accessList) internal returns (bytes memory) {
        return bytes.concat(item(block.chainid), item(t.nonce), prices, body(t), accessList);
    }
}

/// What transactions are sent to.
contract TransactionTarget is Conformance {
    uint256 public number;
    uint256 private transient counter;

    event Set(uint256 number);

    error Refused(uint256 code);

    function set(uint256 value) external payable returns (address, address, uint256) {
        number = value;
        emit Set(value);
        return (msg.sender, tx.origin, msg.value);
    }

    function prices() external view returns (uint256, uint256, uint256) {
        return (tx.gasprice, block.basefee, block.timestamp);
    }

    function left() external returns (uint256) {
        number += 1;
        return gasleft();
    }

    function count() external returns (uint256) {
        return ++counter;
    }

    function blob() external view returns (bytes32) {
        return blobhash(0);
    }

    function warp(uint256 time) external {
        vm.warp(time);
        vm.deal(address(0xdea1), 5);
    }

    function fail() external pure {
        revert Refused(4);
    }

    function die() external {
        selfdestruct(payable(address(0xdead)));
    }
}
