// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable tx-origin setRecord(bytes32,address)
/** An entry may be changed by any contract that its owner happens to call, for the check looks at tx.origin. */
contract OriginRegistryBad {
    struct Entry {
        address owner;
        address record;
    }

    mapping(bytes32 => Entry) private entries;

    event Claimed(bytes32 indexed name, address owner);
    event RecordSet(bytes32 indexed name, address record);

    function claim(bytes32 name) external {
        require(name != 0 && entries[name].owner == address(0), "taken");
        entries[name].owner = msg.sender;
        emit Claimed(name, msg.sender);
    }

    function setRecord(bytes32 name, address record) external {
        require(entries[name].owner == tx.origin, "not your name");
        entries[name].record = record;
        emit RecordSet(name, record);
    }

    function recordOf(bytes32 name) external view returns (address) {
        return entries[name].record;
    }
}

/// @custom:safe
/** The check looks at msg.sender. */
contract OriginRegistryGood {
    struct Entry {
        address owner;
        address record;
    }

    mapping(bytes32 => Entry) private entries;

    event Claimed(bytes32 indexed name, address owner);
    event RecordSet(bytes32 indexed name, address record);

    function claim(bytes32 name) external {
        require(name != 0 && entries[name].owner == address(0), "taken");
        entries[name].owner = msg.sender;
        emit Claimed(name, msg.sender);
    }

    function setRecord(bytes32 name, address record) external {
        require(entries[name].owner == msg.sender, "not your name");
        entries[name].record = record;
        emit RecordSet(name, record);
    }

    function recordOf(bytes32 name) external view returns (address) {
        return entries[name].record;
    }
}
