// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Ledger} from "./Node.sol";

/// Makes signed transactions.
abstract contract RawTransactions is Conformance {
    uint256 internal constant KEY = 0xa11ce;
    uint256 internal constant LOCAL = 31337;
    address internal constant RECEIVER = address(0xbeef);
    address internal signer = vm.addr(KEY);

    /// The RLP encoding of a string of bytes.
    function item(bytes memory value) internal pure returns (bytes memory) {
        if (value.length == 1 && uint8(value[0]) < 0x80) return value;
        return bytes.concat(header(0x80, value.length), value);
    }

    /// That of a number.
    function item(uint256 value) internal pure returns (bytes memory) {
        return item(bigEndian(value));
    }

    /// That of a list, of its items' encodings.
    function list(bytes memory items) internal pure returns (bytes memory) {
        return bytes.concat(header(0xc0, items.length), items);
    }

    function header(uint8 base, uint256 length) private pure returns (bytes memory) {
        if (length < 56) return abi.encodePacked(uint8(base + length));
        bytes memory size = bigEndian(length);
        return abi.encodePacked(uint8(base + 55 + size.length), size);
    }

    function bigEndian(uint256 value) private pure returns (bytes memory result) {
        for (; value != 0; value >>= 8) {
            result = bytes.concat(bytes1(uint8(value)), result);
        }
    }

    function sign(bytes memory message) private returns (uint8 v, bytes32 r, bytes32 s) {
        bytes memory call = abi.encodeWithSignature("sign(uint256,bytes32)", KEY, keccak256(message));
        (, bytes memory result) = address(vm).call(call);
        return abi.decode(result, (uint8, bytes32, bytes32));
    }

    /// Nonce, price, gas, target, value, data: what all types have. `to` of no bytes is a creation.
    function fields(uint256 nonce, bytes memory price, uint256 gas, bytes memory to, uint256 value, bytes memory data)
        internal
        pure
        returns (bytes memory)
    {
        return bytes.concat(item(nonce), price, item(gas), item(to), item(value), item(data));
    }

    /// Of the type before types; for a chain, or for none if it is 0.
    function legacy(uint256 chain, bytes memory inner) internal returns (bytes memory) {
        bytes memory replay = chain == 0 ? bytes("") : bytes.concat(item(chain), item(""), item(""));
        (uint8 v, bytes32 r, bytes32 s) = sign(list(bytes.concat(inner, replay)));
        uint256 parity = chain == 0 ? v : chain * 2 + 8 + v;
        return list(bytes.concat(inner, item(parity), item(uint256(r)), item(uint256(s))));
    }

    function typed(bytes1 kind, bytes memory inner) internal returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = sign(bytes.concat(kind, list(inner)));
        return bytes.concat(kind, list(bytes.concat(inner, item(v - 27), item(uint256(r)), item(uint256(s)))));
    }

    function transfer(uint256 nonce, uint256 value) internal returns (bytes memory) {
        return legacy(LOCAL, fields(nonce, item(10), 21000, abi.encodePacked(RECEIVER), value, ""));
    }

    function add(Ledger ledger, uint256 nonce, uint256 amount) internal returns (bytes memory) {
        return legacy(LOCAL, addFields(ledger, nonce, item(1), amount));
    }

    function addFields(Ledger ledger, uint256 nonce, bytes memory price, uint256 amount)
        internal
        pure
        returns (bytes memory)
    {
        return fields(nonce, price, 200000, abi.encodePacked(ledger), 0, abi.encodeCall(Ledger.add, (amount)));
    }
}
