// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable block-number-dependence play()
/** The number of the block decides who wins the jackpot, and everybody can wait for the right block. */
contract BlockLottoBad {
    uint256 public constant TICKET = 10 finney;

    uint256 public tickets;
    mapping(uint256 => uint256) public blockOfTicket;

    event Ticket(uint256 indexed number, address player);
    event Jackpot(address winner, uint256 amount);

    function play() public payable {
        require(msg.value == TICKET);
        tickets += 1;
        blockOfTicket[tickets] = block.number;
        emit Ticket(tickets, msg.sender);
        if (block.number % 7 == 3) {
            uint256 jackpot = address(this).balance;
            emit Jackpot(msg.sender, jackpot);
            require(msg.sender.call.value(jackpot)());
        }
    }
}

/// @custom:safe
/** Every seventh ticket wins; the block is only kept for the record. */
contract BlockLottoGood {
    uint256 public constant TICKET = 10 finney;

    uint256 public tickets;
    mapping(uint256 => uint256) public blockOfTicket;

    event Ticket(uint256 indexed number, address player);
    event Jackpot(address winner, uint256 amount);

    function play() public payable {
        require(msg.value == TICKET);
        tickets += 1;
        blockOfTicket[tickets] = block.number;
        emit Ticket(tickets, msg.sender);
        if (tickets % 7 == 0) {
            uint256 jackpot = address(this).balance;
            emit Jackpot(msg.sender, jackpot);
            require(msg.sender.call.value(jackpot)());
        }
    }
}
