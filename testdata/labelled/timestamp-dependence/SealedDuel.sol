// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable timestamp-dependence join(uint256)
contract SealedDuelBad {
    enum State {
        None,
        Open,
        Joined,
        Closed
    }

    struct Duel {
        address opener;
        address joiner;
        uint128 stake;
        uint64 joinedAt;
        State state;
    }

    uint256 public constant MIN_STAKE = 0.001 ether;
    uint256 public constant MAX_STAKE = 100 ether;

    uint256 public duelCount;
    mapping(uint256 => Duel) public duels;
    mapping(address => uint256) public winnings;

    event Opened(uint256 indexed id, address indexed opener, uint256 stake);
    event Joined(uint256 indexed id, address indexed joiner);
    event Won(uint256 indexed id, address indexed winner, uint256 pot);

    function open() external payable returns (uint256 id) {
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake");
        id = duelCount++;
        Duel storage d = duels[id];
        d.opener = msg.sender;
        d.stake = uint128(msg.value);
        d.state = State.Open;
        emit Opened(id, msg.sender, msg.value);
    }

    function join(uint256 id) external payable {
        Duel storage d = duels[id];
        require(d.state == State.Open, "not open");
        require(msg.value == d.stake, "match the stake");
        d.joiner = msg.sender;
        d.joinedAt = uint64(block.timestamp);
        emit Joined(id, msg.sender);

        uint256 draw = uint256(keccak256(abi.encode(id, block.timestamp)));
        _finish(id, d, draw % 2 == 0 ? d.opener : d.joiner);
    }

    function cancel(uint256 id) external {
        Duel storage d = duels[id];
        require(d.state == State.Open && msg.sender == d.opener, "not yours");
        d.state = State.Closed;
        winnings[msg.sender] += d.stake;
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing won");
        winnings[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _finish(uint256 id, Duel storage d, address winner) private {
        d.state = State.Closed;
        uint256 pot = uint256(d.stake) * 2;
        winnings[winner] += pot;
        emit Won(id, winner, pot);
    }
}

/// @custom:safe
contract SealedDuelGood {
    enum State {
        None,
        Open,
        Joined,
        Closed
    }

    struct Duel {
        address opener;
        address joiner;
        uint128 stake;
        uint64 joinedAt;
        State state;
        bytes32 commitment;
        bytes32 seed;
    }

    uint256 public constant MIN_STAKE = 0.001 ether;
    uint256 public constant MAX_STAKE = 100 ether;
    uint256 public constant REVEAL_WINDOW = 2 days;

    uint256 public duelCount;
    mapping(uint256 => Duel) public duels;
    mapping(address => uint256) public winnings;

    event Opened(uint256 indexed id, address indexed opener, uint256 stake);
    event Joined(uint256 indexed id, address indexed joiner);
    event Won(uint256 indexed id, address indexed winner, uint256 pot);

    // commitment = keccak256(abi.encode(secret, opener))
    function open(bytes32 commitment) external payable returns (uint256 id) {
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake");
        id = duelCount++;
        Duel storage d = duels[id];
        d.opener = msg.sender;
        d.stake = uint128(msg.value);
        d.state = State.Open;
        d.commitment = commitment;
        emit Opened(id, msg.sender, msg.value);
    }

    function join(uint256 id, bytes32 seed) external payable {
        Duel storage d = duels[id];
        require(d.state == State.Open, "not open");
        require(msg.value == d.stake, "match the stake");
        d.state = State.Joined;
        d.joiner = msg.sender;
        d.joinedAt = uint64(block.timestamp);
        d.seed = seed;
        emit Joined(id, msg.sender);
    }

    function reveal(uint256 id, bytes32 secret) external {
        Duel storage d = duels[id];
        require(d.state == State.Joined && msg.sender == d.opener, "not yours");
        require(block.timestamp <= d.joinedAt + REVEAL_WINDOW, "too late");
        require(keccak256(abi.encode(secret, msg.sender)) == d.commitment, "wrong secret");

        uint256 draw = uint256(keccak256(abi.encode(id, secret, d.seed)));
        _finish(id, d, draw % 2 == 0 ? d.opener : d.joiner);
    }

    function claimForfeit(uint256 id) external {
        Duel storage d = duels[id];
        require(d.state == State.Joined && msg.sender == d.joiner, "not yours");
        require(block.timestamp > d.joinedAt + REVEAL_WINDOW, "too early");
        _finish(id, d, d.joiner);
    }

    function cancel(uint256 id) external {
        Duel storage d = duels[id];
        require(d.state == State.Open && msg.sender == d.opener, "not yours");
        d.state = State.Closed;
        winnings[msg.sender] += d.stake;
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing won");
        winnings[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _finish(uint256 id, Duel storage d, address winner) private {
        d.state = State.Closed;
        uint256 pot = uint256(d.stake) * 2;
        winnings[winner] += pot;
        emit Won(id, winner, pot);
    }
}
