// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Registry of ship names. Two of the three guardians a keeper chose may hand the name on after a delay.
/// @custom:safe
contract GuardianNamesGood {
    struct Record {
        address keeper;
        address[3] guardians;
        address candidate;
        uint64 readyAt;
        uint32 round;
        uint256 purse;
    }

    uint256 public constant DELAY = 3 days;
    mapping(bytes32 => Record) private records;
    mapping(bytes32 => uint8) private votes;

    event Registered(bytes32 indexed name, address keeper);
    event Voted(bytes32 indexed name, address candidate, uint8 mask);
    event HandedOn(bytes32 indexed name, address from, address to);

    modifier onlyKeeper(bytes32 name) {
        require(msg.sender == records[name].keeper, "not the keeper");
        _;
    }

    function keeperOf(bytes32 name) external view returns (address) {
        return records[name].keeper;
    }

    function register(bytes32 name) external {
        require(records[name].keeper == address(0), "taken");
        records[name].keeper = msg.sender;
        emit Registered(name, msg.sender);
    }

    function setGuardians(bytes32 name, address a, address b, address c) external onlyKeeper(name) {
        require(a != address(0) && b != address(0) && c != address(0), "zero");
        require(a != b && b != c && a != c, "twice");
        records[name].guardians = [a, b, c];
        _newRound(records[name]);
    }

    function vote(bytes32 name, address candidate) external {
        Record storage r = records[name];
        require(candidate != address(0), "candidate");
        uint8 bit;
        for (uint8 i = 0; i < 3; i++) {
            if (r.guardians[i] == msg.sender) bit = uint8(1) << i;
        }
        require(bit != 0, "not a guardian");
        bytes32 key = keccak256(abi.encode(name, r.round, candidate));
        require(votes[key] & bit == 0, "voted");
        uint8 mask = votes[key] | bit;
        votes[key] = mask;
        unchecked {
            // at least two bits set
            if (mask & (mask - 1) != 0 && r.candidate != candidate) {
                r.candidate = candidate;
                r.readyAt = uint64(block.timestamp + DELAY);
            }
        }
        emit Voted(name, candidate, mask);
    }

    function veto(bytes32 name) external onlyKeeper(name) {
        _newRound(records[name]);
    }

    function handOn(bytes32 name) external {
        Record storage r = records[name];
        require(r.candidate != address(0) && msg.sender == r.candidate, "not the candidate");
        require(block.timestamp >= r.readyAt, "too early");
        emit HandedOn(name, r.keeper, msg.sender);
        r.keeper = msg.sender;
        delete r.guardians;
        _newRound(r);
    }

    function fund(bytes32 name) external payable onlyKeeper(name) {
        records[name].purse += msg.value;
    }

    function spend(bytes32 name, address payable to, uint256 amount) external onlyKeeper(name) {
        Record storage r = records[name];
        require(to != address(0) && amount <= r.purse, "amount");
        r.purse -= amount;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function _newRound(Record storage r) private {
        r.round++;
        delete r.candidate;
        delete r.readyAt;
    }
}
