// Modelled on the lottery incident of October 2017: the draw is the hash of the block of the bet, which reads as zero once 256
// blocks have gone by, so that a patient gambler knows the number (SWC-120).
// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable block-number-dependence settle(address)
/** A bet is decided by the hash of a block, which is known to whoever waits. */
contract NoonDiceBad {
    struct Bet {
        uint256 stake;
        uint256 placedAt;
        uint256 round;
        uint8 face;
    }

    uint8 public constant FACES = 8;
    uint256 public constant PAYS = 7; // times the stake

    address payable public croupier;
    uint256 public reserved;
    uint256 public round = 1;
    mapping(address => Bet) public bets;
    mapping(address => uint256) public winnings;

    event Placed(address indexed player, uint256 indexed round, uint256 stake, uint8 face);
    event Settled(address indexed player, uint8 face, uint256 won);

    modifier onlyCroupier() {
        require(msg.sender == croupier, "croupier only");
        _;
    }

    constructor() public payable {
        croupier = msg.sender;
    }

    // plain transfers add to the bank
    function() external payable {}

    function place(uint8 face) external payable {
        require(face < FACES, "no such face");
        require(msg.value > 0 && msg.value <= 1000 ether, "stake");
        require(bets[msg.sender].stake == 0, "one bet at a time");
        reserved += msg.value * PAYS;
        require(address(this).balance >= reserved, "bank too small");
        bets[msg.sender] = Bet(msg.value, block.number, round, face);
        emit Placed(msg.sender, round, msg.value, face);
    }

    function nextRound() external onlyCroupier {
        round++;
    }

    // anyone may settle, so that a lost bet does not bind the bank
    function settle(address player) external {
        Bet memory bet = bets[player];
        require(bet.stake > 0, "no bet");
        require(block.number > bet.placedAt, "too early");
        uint8 face = uint8(uint256(blockhash(bet.placedAt)) % FACES); // <- bug
        delete bets[player];
        reserved -= bet.stake * PAYS;
        uint256 won = 0;
        if (face == bet.face) { // <- bug
            won = bet.stake * PAYS;
            reserved += won;
            winnings[player] += won;
        }
        emit Settled(player, face, won);
    }

    function withdraw(uint256 amount) external {
        require(winnings[msg.sender] >= amount, "balance too low");
        winnings[msg.sender] -= amount;
        reserved -= amount;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "refused");
    }

    function takeFromBank(uint256 amount) external onlyCroupier {
        require(address(this).balance >= amount && address(this).balance - amount >= reserved, "reserved");
        croupier.transfer(amount);
    }
}

/// @custom:safe
/** The croupier, who is trusted, throws real dice after the bets are closed; block numbers only keep the order of the two. */
contract NoonDiceGood {
    struct Bet {
        uint256 stake;
        uint256 placedAt;
        uint256 round;
        uint8 face;
    }

    uint8 public constant FACES = 8;
    uint256 public constant PAYS = 7; // times the stake

    address payable public croupier;
    uint256 public reserved;
    uint256 public round = 1;
    uint256 public closedAt;
    mapping(address => Bet) public bets;
    mapping(uint256 => uint8) public thrown; // face + 1
    mapping(address => uint256) public winnings;

    event Placed(address indexed player, uint256 indexed round, uint256 stake, uint8 face);
    event Settled(address indexed player, uint8 face, uint256 won);
    event BetsClosed(uint256 indexed round, bytes32 lastHash);

    modifier onlyCroupier() {
        require(msg.sender == croupier, "croupier only");
        _;
    }

    constructor() public payable {
        croupier = msg.sender;
    }

    // plain transfers add to the bank
    function() external payable {}

    function place(uint8 face) external payable {
        require(face < FACES, "no such face");
        require(msg.value > 0 && msg.value <= 1000 ether, "stake");
        require(bets[msg.sender].stake == 0, "one bet at a time");
        require(closedAt == 0, "bets are closed");
        reserved += msg.value * PAYS;
        require(address(this).balance >= reserved, "bank too small");
        bets[msg.sender] = Bet(msg.value, block.number, round, face);
        emit Placed(msg.sender, round, msg.value, face);
    }

    function closeBets() external onlyCroupier {
        require(closedAt == 0, "closed");
        closedAt = block.number;
        emit BetsClosed(round, blockhash(block.number - 1));
    }

    function throwDice(uint8 face) external onlyCroupier {
        require(closedAt != 0 && block.number > closedAt, "not closed before");
        require(face < FACES, "no such face");
        thrown[round] = face + 1;
        closedAt = 0;
        round++;
    }

    // anyone may settle, so that a lost bet does not bind the bank
    function settle(address player) external {
        Bet memory bet = bets[player];
        require(bet.stake > 0, "no bet");
        require(block.number > bet.placedAt, "too early");
        require(thrown[bet.round] != 0, "not thrown yet");
        uint8 face = thrown[bet.round] - 1;
        delete bets[player];
        reserved -= bet.stake * PAYS;
        uint256 won = 0;
        if (face == bet.face) {
            won = bet.stake * PAYS;
            reserved += won;
            winnings[player] += won;
        }
        emit Settled(player, face, won);
    }

    function withdraw(uint256 amount) external {
        require(winnings[msg.sender] >= amount, "balance too low");
        winnings[msg.sender] -= amount;
        reserved -= amount;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "refused");
    }

    function takeFromBank(uint256 amount) external onlyCroupier {
        require(address(this).balance >= amount && address(this).balance - amount >= reserved, "reserved");
        croupier.transfer(amount);
    }
}
