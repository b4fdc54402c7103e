// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Names are reserved by the hash, and claimed with the name itself.
contract Names {
    mapping(bytes32 => address) public reservedBy;
    mapping(address => bytes32) public nameOf;
    uint256 public claimed;
    uint256 public freed;

    function reserve(bytes32 hash) external {
        require(hash != 0 && reservedBy[hash] == address(0), "taken");
        reservedBy[hash] = msg.sender;
    }

    function reserveName(string calldata name) external {
        require(bytes(name).length >= 3, "too short");
        reservedBy[keccak256(bytes(name))] = msg.sender;
    }

    function claim(string calldata name) external {
        bytes32 hash = keccak256(bytes(name));
        require(reservedBy[hash] == msg.sender, "not yours");
        require(nameOf[msg.sender] == 0, "has a name");
        nameOf[msg.sender] = hash;
        claimed += 1;
    }

    function release(string calldata name) external {
        bytes32 hash = keccak256(bytes(name));
        require(nameOf[msg.sender] == hash, "not your name");
        // The bug: the name is freed for others, but stays the account's, so it can be released twice.
        reservedBy[hash] = address(0);
        freed += 1;
    }
}
