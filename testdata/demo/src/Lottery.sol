// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tickets cost one wei each; the owner closes a round, and the holder of the lucky number takes the pot.
contract Lottery {
    mapping(uint256 round => mapping(address player => uint256)) public tickets;
    uint256 public round = 1;
    uint256 public sold;
    uint256 public pot;
    uint256 public luckyNumber;
    bool public closed;

    function buy(uint256 amount) external {
        require(!closed, "round closed");
        require(amount > 0 && amount <= 1_000, "one to a thousand tickets");
        tickets[round][msg.sender] += amount;
        sold += amount;
        pot += amount;
    }

    function close(uint256 seed) external {
        require(!closed, "round closed");
        require(sold >= 100, "too few tickets");
        closed = true;
        luckyNumber = uint256(keccak256(abi.encode(round))) % 1_000_003 + seed % sold;
    }

    function claim(uint256 number) external {
        require(closed, "round open");
        require(number == luckyNumber, "not the lucky number");
        require(tickets[round][msg.sender] > 0, "no ticket");
        closed = false;
        round += 1;
        pot = 0;
        // The bug: tickets of the finished round still count as sold in the next one.
    }
}
