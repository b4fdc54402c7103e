// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable block-number-dependence draw()
/** One raffle; the winner gets the pot less a twentieth for the organiser. */
contract VillageRaffleBad {
    uint256 public constant TICKET = 0.01 ether;
    uint256 public constant MAX_TICKETS = 500;

    address public organiser;
    uint256 public closesAt;
    bool public drawn;
    address public winner;
    address[] public tickets;
    mapping(address => uint256) public credits;

    event TicketSold(address indexed buyer, uint256 number);
    event Drawn(address indexed winner, uint256 prize);

    constructor(uint256 daysOpen) {
        require(daysOpen >= 1 && daysOpen <= 60, "duration out of range");
        organiser = msg.sender;
        closesAt = block.timestamp + daysOpen * 1 days;
    }

    function buyTicket() external payable {
        require(block.timestamp < closesAt, "raffle is closed");
        require(msg.value == TICKET, "wrong price");
        require(tickets.length < MAX_TICKETS, "sold out");
        tickets.push(msg.sender);
        emit TicketSold(msg.sender, tickets.length - 1);
    }

    function draw() external {
        require(block.timestamp >= closesAt, "tickets still on sale");
        require(!drawn && tickets.length > 0, "nothing to draw");
        uint256 index = uint256(blockhash(block.number - 1)) % tickets.length;

        drawn = true;
        winner = tickets[index];
        uint256 pot = tickets.length * TICKET;
        uint256 fee = pot / 20;
        credits[winner] += pot - fee;
        credits[organiser] += fee;
        emit Drawn(winner, pot - fee);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "no credit");
        credits[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
/** One raffle; the winner gets the pot less a twentieth for the organiser. */
contract VillageRaffleGood {
    uint256 public constant TICKET = 0.01 ether;
    uint256 public constant MAX_TICKETS = 500;
    uint256 public constant REVEAL_TIME = 7 days;

    address public organiser;
    uint256 public closesAt;
    bool public drawn;
    address public winner;
    address[] public tickets;
    mapping(address => uint256) public credits;
    mapping(address => uint256) public ticketsOf;
    bytes32 public commitment;
    bytes32 public entropy;

    event TicketSold(address indexed buyer, uint256 number);
    event Drawn(address indexed winner, uint256 prize);

    constructor(uint256 daysOpen, bytes32 secretHash) {
        require(daysOpen >= 1 && daysOpen <= 60, "duration out of range");
        organiser = msg.sender;
        closesAt = block.timestamp + daysOpen * 1 days;
        commitment = secretHash;
    }

    function buyTicket() external payable {
        require(block.timestamp < closesAt, "raffle is closed");
        require(msg.value == TICKET, "wrong price");
        require(tickets.length < MAX_TICKETS, "sold out");
        tickets.push(msg.sender);
        ticketsOf[msg.sender] += 1;
        entropy = keccak256(abi.encodePacked(entropy, msg.sender));
        emit TicketSold(msg.sender, tickets.length - 1);
    }

    // the organiser publishes the secret whose hash was fixed before the first ticket was sold
    function draw(bytes32 secret) external {
        require(block.timestamp >= closesAt, "tickets still on sale");
        require(block.timestamp < closesAt + REVEAL_TIME, "too late, tickets are refunded");
        require(!drawn && tickets.length > 0, "nothing to draw");
        require(keccak256(abi.encodePacked(secret)) == commitment, "wrong secret");
        uint256 index = uint256(keccak256(abi.encodePacked(secret, entropy))) % tickets.length;

        drawn = true;
        winner = tickets[index];
        uint256 pot = tickets.length * TICKET;
        uint256 fee = pot / 20;
        credits[winner] += pot - fee;
        credits[organiser] += fee;
        emit Drawn(winner, pot - fee);
    }

    // no secret, no draw: everybody gets the price of the tickets back
    function refund() external {
        require(!drawn && block.timestamp >= closesAt + REVEAL_TIME, "no refunds");
        uint256 count = ticketsOf[msg.sender];
        require(count > 0, "no tickets");
        ticketsOf[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: count * TICKET}("");
        require(ok, "payment failed");
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "no credit");
        credits[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }
}
