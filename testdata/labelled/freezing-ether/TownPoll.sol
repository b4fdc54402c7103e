// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// vote() is payable for no reason, and ether sent along with a vote never comes back.
/// @custom:vulnerable freezing-ether vote(uint8)
contract TownPollBad {
    string public question;
    uint256[4] private tally;
    mapping(address => bool) public voted;

    event Voted(address indexed voter, uint8 answer);

    constructor(string memory question_) {
        question = question_;
    }

    function votesFor(uint8 answer) external view returns (uint256) {
        require(answer < 4, "answer");
        return tally[answer];
    }

    function vote(uint8 answer) external payable {
        require(answer < 4, "answer");
        require(!voted[msg.sender], "once");
        voted[msg.sender] = true;
        tally[answer] += 1;
        emit Voted(msg.sender, answer);
    }
}

/// vote() takes no ether.
/// @custom:safe
contract TownPollGood {
    string public question;
    uint256[4] private tally;
    mapping(address => bool) public voted;

    event Voted(address indexed voter, uint8 answer);

    constructor(string memory question_) {
        question = question_;
    }

    function votesFor(uint8 answer) external view returns (uint256) {
        require(answer < 4, "answer");
        return tally[answer];
    }

    function vote(uint8 answer) external {
        require(answer < 4, "answer");
        require(!voted[msg.sender], "once");
        voted[msg.sender] = true;
        tally[answer] += 1;
        emit Voted(msg.sender, answer);
    }
}
