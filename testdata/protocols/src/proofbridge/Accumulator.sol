// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

/// @notice Append-only Merkle tree of fixed depth. Only the left branch is stored.
library Accumulator {
    uint256 internal constant DEPTH = 16;

    error TreeFull();

    struct Tree {
        bytes32[DEPTH] branch;
        uint256 count;
    }

    function append(Tree storage tree, bytes32 leaf) internal returns (uint256 index) {
        index = tree.count;
        if (index + 1 >= 1 << DEPTH) revert TreeFull();
        tree.count = index + 1;
        uint256 size = index + 1;
        bytes32 node = leaf;
        for (uint256 h; h < DEPTH; ++h) {
            if (size & 1 == 1) {
                tree.branch[h] = node;
                break;
            }
            node = hashPair(tree.branch[h], node);
            size >>= 1;
        }
    }

    function root(Tree storage tree) internal view returns (bytes32 node) {
        bytes32 zero;
        uint256 size = tree.count;
        for (uint256 h; h < DEPTH; ++h) {
            node = size & 1 == 1 ? hashPair(tree.branch[h], node) : hashPair(node, zero);
            zero = hashPair(zero, zero);
            size >>= 1;
        }
    }

    function verify(bytes32 leaf, uint256 index, bytes32[] calldata proof, bytes32 expected)
        internal
        pure
        returns (bool)
    {
        if (proof.length != DEPTH || index >> DEPTH != 0) return false;
        bytes32 node = leaf;
        for (uint256 h; h < DEPTH; ++h) {
            node = (index >> h) & 1 == 1 ? hashPair(proof[h], node) : hashPair(node, proof[h]);
        }
        return node == expected;
    }

    function hashPair(bytes32 a, bytes32 b) internal pure returns (bytes32) {
        return keccak256(abi.encode(a, b));
    }
}
