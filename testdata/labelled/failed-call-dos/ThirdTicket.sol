// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The next round cannot begin until the winner has taken the pot, which a winner's contract may refuse for ever.
/// @custom:vulnerable failed-call-dos settle()
contract ThirdTicketBad {
    uint256 public constant PRICE = 0.01 ether;

    uint256 public round = 1;
    uint256 public sold;
    address public winner;

    event TicketSold(uint256 indexed round, uint256 number, address buyer);
    event Settled(uint256 indexed round, address winner);

    /// The buyer of every third ticket wins all three.
    function buy() external payable {
        require(winner == address(0), "settle first");
        require(msg.value == PRICE, "price");
        sold += 1;
        emit TicketSold(round, sold, msg.sender);
        if (sold == 3) {
            winner = msg.sender;
        }
    }

    function settle() external {
        address to = winner;
        require(to != address(0), "no winner yet");
        winner = address(0);
        sold = 0;
        emit Settled(round, to);
        round += 1;
        (bool ok, ) = to.call{value: 3 * PRICE}("");
        require(ok, "prize refused");
    }
}

/// The pot is credited to the winner, and the next round begins in any case.
/// @custom:safe
contract ThirdTicketGood {
    uint256 public constant PRICE = 0.01 ether;

    uint256 public round = 1;
    uint256 public sold;
    address public winner;
    mapping(address => uint256) public won;

    event TicketSold(uint256 indexed round, uint256 number, address buyer);
    event Settled(uint256 indexed round, address winner);

    /// The buyer of every third ticket wins all three.
    function buy() external payable {
        require(winner == address(0), "settle first");
        require(msg.value == PRICE, "price");
        sold += 1;
        emit TicketSold(round, sold, msg.sender);
        if (sold == 3) {
            winner = msg.sender;
        }
    }

    function settle() external {
        address to = winner;
        require(to != address(0), "no winner yet");
        winner = address(0);
        sold = 0;
        emit Settled(round, to);
        round += 1;
        won[to] += 3 * PRICE;
    }

    function fetch() external {
        uint256 amount = won[msg.sender];
        require(amount > 0, "nothing won");
        won[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "prize refused");
    }
}
