// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable arbitrary-write put(uint256,bytes32)
/** Assembly writes a cell of an array of eight without a check of the index, so any slot can be named. */
contract FixedRingBad {
    bytes32[8] private cells;
    address public keeper = msg.sender;
    uint256 public writes;

    event Put(uint256 indexed index, bytes32 value);

    function put(uint256 index, bytes32 value) external {
        require(value != 0, "empty value");
        assembly {
            sstore(add(cells.slot, index), value)
        }
        emit Put(index, value);
    }

    function get(uint256 index) external view returns (bytes32) {
        require(index < 8, "index");
        return cells[index];
    }

    function clear() external {
        require(msg.sender == keeper, "keeper only");
        delete cells;
        writes += 1;
    }
}

/// @custom:safe
/** The index is checked. */
contract FixedRingGood {
    bytes32[8] private cells;
    address public keeper = msg.sender;
    uint256 public writes;

    event Put(uint256 indexed index, bytes32 value);

    function put(uint256 index, bytes32 value) external {
        require(value != 0, "empty value");
        require(index < 8, "index");
        assembly {
            sstore(add(cells.slot, index), value)
        }
        emit Put(index, value);
    }

    function get(uint256 index) external view returns (bytes32) {
        require(index < 8, "index");
        return cells[index];
    }

    function clear() external {
        require(msg.sender == keeper, "keeper only");
        delete cells;
        writes += 1;
    }
}
