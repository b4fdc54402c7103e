// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A ticket is paid out to whoever presents its number.
/// @custom:vulnerable ether-leak redeem(uint256)
contract CloakRoomBad {
    struct Ticket {
        address holder;
        uint96 amount;
    }

    mapping(uint256 => Ticket) public tickets;
    uint256 public lastTicket = 1000;

    event Left(uint256 indexed ticket, address indexed holder, uint256 amount);
    event Redeemed(uint256 indexed ticket, address indexed by);

    function leave() external payable returns (uint256 number) {
        require(msg.value > 0 && msg.value <= 100 ether, "amount");
        number = ++lastTicket;
        tickets[number] = Ticket(msg.sender, uint96(msg.value));
        emit Left(number, msg.sender, msg.value);
    }

    function redeem(uint256 number) external {
        Ticket memory ticket = tickets[number];
        require(ticket.amount > 0, "no such ticket");
        delete tickets[number];
        (bool ok, ) = msg.sender.call{value: ticket.amount}("");
        require(ok, "rejected");
        emit Redeemed(number, msg.sender);
    }
}

/// It is paid out only to the one who left the money.
/// @custom:safe
contract CloakRoomGood {
    struct Ticket {
        address holder;
        uint96 amount;
    }

    mapping(uint256 => Ticket) public tickets;
    uint256 public lastTicket = 1000;

    event Left(uint256 indexed ticket, address indexed holder, uint256 amount);
    event Redeemed(uint256 indexed ticket, address indexed by);

    function leave() external payable returns (uint256 number) {
        require(msg.value > 0 && msg.value <= 100 ether, "amount");
        number = ++lastTicket;
        tickets[number] = Ticket(msg.sender, uint96(msg.value));
        emit Left(number, msg.sender, msg.value);
    }

    function redeem(uint256 number) external {
        Ticket memory ticket = tickets[number];
        require(ticket.amount > 0, "no such ticket");
        require(ticket.holder == msg.sender, "not your ticket");
        delete tickets[number];
        (bool ok, ) = msg.sender.call{value: ticket.amount}("");
        require(ok, "rejected");
        emit Redeemed(number, msg.sender);
    }
}
