// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// All members are repaid in one loop, which the one that rejects its money stops for everybody.
/// @custom:vulnerable failed-call-dos finish()
contract SavingsClubBad {
    uint256 public constant DUES = 0.5 ether;
    uint256 public constant MOST = 5;

    address[] private members;
    mapping(address => uint256) public due;
    bool public finished;

    error Refused();

    function join() external payable {
        if (finished || members.length == MOST) revert Refused();
        if (msg.value != DUES || due[msg.sender] != 0) revert Refused();
        members.push(msg.sender);
        due[msg.sender] = DUES;
    }

    function finish() external {
        if (finished || members.length < 2) revert Refused();
        finished = true;
        for (uint256 i = 0; i < members.length; i++) {
            repay(members[i]);
        }
    }
    function size() external view returns (uint256) {
        return members.length;
    }

    function repay(address member) private {
        uint256 amount = due[member];
        due[member] = 0;
        (bool ok, ) = member.call{value: amount}("");
        if (!ok) revert Refused();
    }
}

/// finish() only opens the till, and each member fetches its own money.
/// @custom:safe
contract SavingsClubGood {
    uint256 public constant DUES = 0.5 ether;
    uint256 public constant MOST = 5;

    address[] private members;
    mapping(address => uint256) public due;
    bool public finished;

    error Refused();

    function join() external payable {
        if (finished || members.length == MOST) revert Refused();
        if (msg.value != DUES || due[msg.sender] != 0) revert Refused();
        members.push(msg.sender);
        due[msg.sender] = DUES;
    }

    function finish() external {
        if (finished || members.length < 2) revert Refused();
        finished = true;
    }

    function fetch() external {
        if (!finished || due[msg.sender] == 0) revert Refused();
        repay(msg.sender);
    }

    function size() external view returns (uint256) {
        return members.length;
    }

    function repay(address member) private {
        uint256 amount = due[member];
        due[member] = 0;
        (bool ok, ) = member.call{value: amount}("");
        if (!ok) revert Refused();
    }
}
