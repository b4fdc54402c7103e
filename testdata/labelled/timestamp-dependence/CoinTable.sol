pragma solidity ^0.5.0;

/// @custom:vulnerable timestamp-dependence play()
/** Heads or tails against the house, which puts up the bankroll. */
contract CoinTableBad {
    uint256 public constant STAKE = 0.1 ether;
    uint256 public constant PAYOUT = 0.19 ether;

    address payable public house;
    uint256 public locked;
    mapping(address => uint256) public winnings;

    event Played(address indexed player, bool won);

    modifier onlyHouse() {
        require(msg.sender == house, "not the house");
        _;
    }

    constructor() public payable {
        house = msg.sender;
    }

    function addBankroll() external payable onlyHouse {}

    function play() external payable {
        require(msg.value == STAKE, "wrong stake");
        require(address(this).balance >= locked + PAYOUT, "bankroll too small");

        bool won = now % 2 == 0;
        if (won) {
            locked += PAYOUT;
            winnings[msg.sender] += PAYOUT;
        }
        emit Played(msg.sender, won);
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "no winnings");
        winnings[msg.sender] = 0;
        locked -= amount;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }

    function takeBankroll(uint256 amount) external onlyHouse {
        uint256 free = address(this).balance - locked;
        require(amount <= free, "owed to players");
        (bool ok, ) = house.call.value(amount)("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
/** Heads or tails against the house, which puts up the bankroll. */
contract CoinTableGood {
    struct Game {
        bytes32 commitment;
        address player;
        uint256 guess;
        uint256 joinedAt;
        bool closed;
    }

    uint256 public constant STAKE = 0.1 ether;
    uint256 public constant PAYOUT = 0.19 ether;
    uint256 public constant REVEAL_TIME = 3 days;

    address payable public house;
    uint256 public locked;
    mapping(address => uint256) public winnings;

    uint256 public gameCount;
    mapping(uint256 => Game) public games;
    mapping(bytes32 => bool) public usedCommitment;

    event Played(address indexed player, bool won);

    modifier onlyHouse() {
        require(msg.sender == house, "not the house");
        _;
    }

    constructor() public payable {
        house = msg.sender;
    }

    function addBankroll() external payable onlyHouse {}

    function openGame(bytes32 commitment) external onlyHouse returns (uint256 id) {
        require(!usedCommitment[commitment], "commitment used before");
        usedCommitment[commitment] = true;
        id = gameCount++;
        games[id].commitment = commitment;
    }

    function play(uint256 id, uint256 guess) external payable {
        Game storage game = games[id];
        require(id < gameCount && game.player == address(0), "game not open");
        require(msg.value == STAKE, "wrong stake");
        require(address(this).balance >= locked + PAYOUT, "bankroll too small");

        locked += PAYOUT;
        game.player = msg.sender;
        game.guess = guess;
        game.joinedAt = now;
    }

    function reveal(uint256 id, bytes32 secret) external {
        Game storage game = games[id];
        require(game.player != address(0) && !game.closed, "no running game");
        require(now < game.joinedAt + REVEAL_TIME, "too late");
        require(keccak256(abi.encodePacked(secret)) == game.commitment, "wrong secret");

        game.closed = true;
        bool won = uint256(keccak256(abi.encodePacked(secret, id, game.guess))) % 2 == 0;
        if (won) {
            winnings[game.player] += PAYOUT;
        } else {
            locked -= PAYOUT;
        }
        emit Played(game.player, won);
    }

    // a house that keeps its secret to itself has lost
    function claimTimeout(uint256 id) external {
        Game storage game = games[id];
        require(game.player != address(0) && !game.closed, "no running game");
        require(now >= game.joinedAt + REVEAL_TIME, "house may still reveal");
        game.closed = true;
        winnings[game.player] += PAYOUT;
        emit Played(game.player, true);
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "no winnings");
        winnings[msg.sender] = 0;
        locked -= amount;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }

    function takeBankroll(uint256 amount) external onlyHouse {
        uint256 free = address(this).balance - locked;
        require(amount <= free, "owed to players");
        (bool ok, ) = house.call.value(amount)("");
        require(ok, "payment failed");
    }
}
