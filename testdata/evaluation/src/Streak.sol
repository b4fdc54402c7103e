// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Rewards for rounds in a row in which a player guesses well; a bad guess costs the streak.
contract Streak {
    mapping(address => uint256) public streakOf;
    mapping(address => uint256) public levelOf;
    uint256 public jackpots;

    function guess(uint256 number) external {
        uint256 streak = streakOf[msg.sender];
        // A window that moves and shrinks with the streak.
        uint256 low = 100 * (streak + 1);
        if (number % 1_000 < low || number % 1_000 >= low + 600 / (streak + 1)) {
            streakOf[msg.sender] = 0;
            return;
        }
        streakOf[msg.sender] = streak + 1;
    }

    function cash() external {
        uint256 streak = streakOf[msg.sender];
        require(streak >= 3, "too short");
        // The bug: nothing bounds how often the level rises.
        levelOf[msg.sender] += 1;
        streakOf[msg.sender] = 0;
    }

    function jackpot() external {
        require(levelOf[msg.sender] == 2, "not there yet");
        jackpots += 1;
    }
}
