// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on SWC-116 as it was met in a pyramid of 2016 that drew its jackpots from the block's time.

contract WheelHouse {
    address public keeper;
    uint256 public fees;

    event FeesTaken(uint256 amount);

    constructor() public {
        keeper = msg.sender;
    }

    modifier onlyKeeper() {
        require(msg.sender == keeper);
        _;
    }

    function takeFees() public onlyKeeper {
        uint256 amount = fees;
        fees = 0;
        require(keeper.call.value(amount)());
        emit FeesTaken(amount);
    }
}

/// @custom:vulnerable timestamp-dependence spin(uint256)
/** The player has the wheel spun when he likes, and where it stops is drawn from the time of the block. */
contract SecondWheelBad is WheelHouse {
    struct Play {
        address player;
        uint8 guess;
        bool over;
        uint256 time;
    }

    uint256 public constant PRICE = 100 finney;
    uint256 public constant FEE = 5 finney;
    uint8 public constant FIELDS = 10;
    uint256 public constant PATIENCE = 1 days;

    uint256 public pot;
    Play[] public plays;
    mapping(address => uint256) public won;

    event Placed(uint256 indexed id, address indexed player, uint8 guess);
    event Spun(uint256 indexed id, uint256 field, uint256 prize);
    event TakenBack(uint256 indexed id);

    // the first prize comes from the keeper
    constructor() public payable {
        pot = msg.value;
    }

    // a plain payment bets on field 7
    function() public payable {
        play(7);
    }

    function play(uint8 guess) public payable returns (uint256 id) {
        require(msg.value == PRICE && guess < FIELDS);
        id = plays.length;
        plays.push(Play(msg.sender, guess, false, now));
        emit Placed(id, msg.sender, guess);
    }

    /** Half of the pot is the prize. */
    function spin(uint256 id) public {
        require(id < plays.length && !plays[id].over);
        require(msg.sender == plays[id].player);
        uint256 field = uint256(keccak256(abi.encodePacked(now, id))) % FIELDS; // <- bug
        Play storage p = plays[id];
        p.over = true;
        fees += FEE;
        pot += PRICE - FEE;
        uint256 prize = 0;
        if (field == p.guess) { // <- bug
            prize = pot / 2;
            pot -= prize;
            won[p.player] += prize;
        }
        emit Spun(id, field, prize);
    }

    /** A play that nobody has spun can be taken back after a day. */
    function takeBack(uint256 id) public {
        require(id < plays.length && !plays[id].over);
        require(msg.sender == plays[id].player && now >= plays[id].time + PATIENCE);
        plays[id].over = true;
        won[msg.sender] += PRICE;
        emit TakenBack(id);
    }

    function collect() public {
        uint256 amount = won[msg.sender];
        require(amount > 0);
        won[msg.sender] = 0;
        require(msg.sender.call.value(amount)());
    }
}

/// @custom:safe
/** The keeper tells where the wheel has stopped; the time only says when an unspun play may be taken back. */
contract SecondWheelGood is WheelHouse {
    struct Play {
        address player;
        uint8 guess;
        bool over;
        uint256 time;
    }

    uint256 public constant PRICE = 100 finney;
    uint256 public constant FEE = 5 finney;
    uint8 public constant FIELDS = 10;
    uint256 public constant PATIENCE = 1 days;

    uint256 public pot;
    Play[] public plays;
    mapping(address => uint256) public won;

    event Placed(uint256 indexed id, address indexed player, uint8 guess);
    event Spun(uint256 indexed id, uint256 field, uint256 prize);
    event TakenBack(uint256 indexed id);

    // the first prize comes from the keeper
    constructor() public payable {
        pot = msg.value;
    }

    // a plain payment bets on field 7
    function() public payable {
        play(7);
    }

    function play(uint8 guess) public payable returns (uint256 id) {
        require(msg.value == PRICE && guess < FIELDS);
        id = plays.length;
        plays.push(Play(msg.sender, guess, false, now));
        emit Placed(id, msg.sender, guess);
    }

    /** Half of the pot is the prize. */
    function spin(uint256 id, uint256 field) public onlyKeeper {
        require(id < plays.length && !plays[id].over);
        require(field < FIELDS);
        Play storage p = plays[id];
        p.over = true;
        fees += FEE;
        pot += PRICE - FEE;
        uint256 prize = 0;
        if (field == p.guess) {
            prize = pot / 2;
            pot -= prize;
            won[p.player] += prize;
        }
        emit Spun(id, field, prize);
    }

    /** A play that nobody has spun can be taken back after a day. */
    function takeBack(uint256 id) public {
        require(id < plays.length && !plays[id].over);
        require(msg.sender == plays[id].player && now >= plays[id].time + PATIENCE);
        plays[id].over = true;
        won[msg.sender] += PRICE;
        emit TakenBack(id);
    }

    function collect() public {
        uint256 amount = won[msg.sender];
        require(amount > 0);
        won[msg.sender] = 0;
        require(msg.sender.call.value(amount)());
    }
}
