pragma solidity ^0.4.24;

/// @custom:vulnerable block-number-dependence flip(bool)
/** Coin flip against a bank that the house funds; wins are credited and drawn later. */
contract CoinFlipHouseBad {
    uint256 public constant MIN_STAKE = 1 finney;
    uint256 public constant MAX_STAKE = 10 ether;

    address public house;
    uint256 public bank;
    mapping(address => uint256) public credits;

    event Settled(address indexed player, uint256 stake, bool won);

    modifier onlyHouse() {
        require(msg.sender == house, "house only");
        _;
    }

    constructor() public {
        house = msg.sender;
    }

    function fund() external payable onlyHouse {
        bank += msg.value;
    }

    function defund(uint256 amount) external onlyHouse {
        require(amount <= bank, "not in bank");
        bank -= amount;
        require(house.call.value(amount)(), "payment failed");
    }

    function flip(bool heads) external payable {
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake");
        require(bank >= msg.value, "bank too small");

        bool result = uint256(blockhash(block.number - 1)) % 2 == 1;
        if (result == heads) {
            uint256 gain = msg.value * 96 / 100;
            bank -= gain;
            credits[msg.sender] += msg.value + gain;
        } else {
            bank += msg.value;
        }
        emit Settled(msg.sender, msg.value, result == heads);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        require(msg.sender.call.value(amount)(), "payment failed");
    }
}

/// @custom:safe
/** Coin flip against a bank that the house funds; the house commits to a secret before the player names a seed. */
contract CoinFlipHouseGood {
    uint256 public constant MIN_STAKE = 1 finney;
    uint256 public constant MAX_STAKE = 10 ether;
    uint256 public constant REVEAL_WINDOW = 2 days;

    struct Round {
        bytes32 commitment;
        bytes32 seed;
        address player;
        uint256 stake;
        uint256 placedAt;
        bool settled;
    }

    address public house;
    uint256 public bank;
    mapping(address => uint256) public credits;
    uint256 public roundCount;
    mapping(uint256 => Round) public rounds;
    mapping(bytes32 => bool) public usedCommitments;

    event Settled(address indexed player, uint256 stake, bool won);

    modifier onlyHouse() {
        require(msg.sender == house, "house only");
        _;
    }

    constructor() public {
        house = msg.sender;
    }

    function fund() external payable onlyHouse {
        bank += msg.value;
    }

    function defund(uint256 amount) external onlyHouse {
        require(amount <= bank, "not in bank");
        bank -= amount;
        require(house.call.value(amount)(), "payment failed");
    }

    function offer(bytes32 commitment) external onlyHouse returns (uint256 id) {
        require(commitment != bytes32(0) && !usedCommitments[commitment], "commitment");
        usedCommitments[commitment] = true;
        id = roundCount++;
        rounds[id].commitment = commitment;
    }

    function bet(uint256 id, bytes32 seed) external payable {
        Round storage r = rounds[id];
        require(r.commitment != bytes32(0) && r.player == address(0), "not open");
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake");
        require(bank >= msg.value, "bank too small");
        bank -= msg.value;
        r.player = msg.sender;
        r.seed = seed;
        r.stake = msg.value;
        r.placedAt = now;
    }

    function reveal(uint256 id, bytes32 secret) external onlyHouse {
        Round storage r = rounds[id];
        require(r.player != address(0) && !r.settled, "not in play");
        require(now <= r.placedAt + REVEAL_WINDOW, "too late");
        require(keccak256(abi.encodePacked(secret)) == r.commitment, "wrong secret");
        r.settled = true;

        bool won = uint256(keccak256(abi.encodePacked(secret, r.seed))) % 2 == 1;
        uint256 pot = r.stake * 2;
        if (won) {
            uint256 edge = r.stake * 4 / 100;
            bank += edge;
            credits[r.player] += pot - edge;
        } else {
            bank += pot;
        }
        emit Settled(r.player, r.stake, won);
    }

    function claimUnrevealed(uint256 id) external {
        Round storage r = rounds[id];
        require(msg.sender == r.player && !r.settled, "not yours");
        require(now > r.placedAt + REVEAL_WINDOW, "too early");
        r.settled = true;
        credits[r.player] += r.stake * 2;
        emit Settled(r.player, r.stake, true);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        require(msg.sender.call.value(amount)(), "payment failed");
    }
}
