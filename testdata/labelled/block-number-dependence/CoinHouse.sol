// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

// Modelled on SWC-120 as it was met in a lottery that was broken into in October 2017: the draw used the hash of the block of
// the bet, which is zero once 256 further blocks have passed.

/// @custom:vulnerable block-number-dependence settle(uint256)
/** The coin falls by the hash of the block of the bet, which is zero for whoever waits long enough to settle. */
contract CoinHouseBad {
    struct Bet {
        address player;
        bool heads;
        bool open;
        uint256 stake;
        uint256 placedIn;
    }

    uint256 public constant MIN_STAKE = 10 finney;
    uint256 public constant MAX_STAKE = 1 ether;

    address payable public house;
    uint256 public liabilities;
    Bet[] public bets;
    mapping(address => uint256) public winnings;

    event Placed(uint256 indexed id, address indexed player, bool heads, uint256 stake);
    event Settled(uint256 indexed id, bool heads, uint256 payout);
    event Withdrawn(address indexed who, uint256 amount);

    constructor() public payable {
        house = msg.sender;
    }

    modifier onlyHouse() {
        require(msg.sender == house, "house only");
        _;
    }

    modifier onlyOpen(uint256 id) {
        require(id < bets.length && bets[id].open, "no open bet");
        _;
    }

    // the house fills up its bank
    receive() external payable onlyHouse {}

    function bank() public view returns (uint256) {
        return address(this).balance - liabilities;
    }

    function payoutOf(uint256 stake) internal pure returns (uint256) {
        return (stake * 196) / 100;
    }

    function place(bool heads) external payable returns (uint256 id) {
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake out of bounds");
        uint256 payout = payoutOf(msg.value);
        require(payout <= bank(), "bank too small");
        liabilities += payout;
        id = bets.length;
        bets.push(Bet(msg.sender, heads, true, msg.value, block.number));
        emit Placed(id, msg.sender, heads, msg.value);
    }

    function settle(uint256 id) external onlyOpen(id) {
        Bet storage bet = bets[id];
        require(block.number > bet.placedIn, "too early");
        bool heads = uint256(blockhash(bet.placedIn)) % 2 == 0; // <- bug
        uint256 payout = payoutOf(bet.stake);
        bet.open = false;
        if (heads == bet.heads) {
            winnings[bet.player] += payout;
        } else {
            liabilities -= payout;
            payout = 0;
        }
        emit Settled(id, heads, payout);
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing won");
        winnings[msg.sender] = 0;
        liabilities -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }

    function takeProfit(uint256 amount) external onlyHouse {
        require(amount <= bank(), "not free");
        (bool ok, ) = house.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// @custom:safe
/** The coin falls by a secret that the house had committed to before the bet; the block's number only limits its silence. */
contract CoinHouseGood {
    struct Bet {
        address player;
        bool heads;
        bool open;
        uint256 stake;
        uint256 placedIn;
        bytes32 commitment;
    }

    uint256 public constant MIN_STAKE = 10 finney;
    uint256 public constant MAX_STAKE = 1 ether;
    uint256 public constant SILENCE = 240;

    address payable public house;
    uint256 public liabilities;
    Bet[] public bets;
    mapping(address => uint256) public winnings;
    bytes32[] private commitments;

    event Placed(uint256 indexed id, address indexed player, bool heads, uint256 stake);
    event Settled(uint256 indexed id, bool heads, uint256 payout);
    event Withdrawn(address indexed who, uint256 amount);
    event Committed(bytes32 commitment);

    constructor() public payable {
        house = msg.sender;
    }

    modifier onlyHouse() {
        require(msg.sender == house, "house only");
        _;
    }

    modifier onlyOpen(uint256 id) {
        require(id < bets.length && bets[id].open, "no open bet");
        _;
    }

    // the house fills up its bank
    receive() external payable onlyHouse {}

    function bank() public view returns (uint256) {
        return address(this).balance - liabilities;
    }

    function commit(bytes32 commitment) external onlyHouse {
        require(commitment != bytes32(0), "empty");
        commitments.push(commitment);
        emit Committed(commitment);
    }

    function payoutOf(uint256 stake) internal pure returns (uint256) {
        return (stake * 196) / 100;
    }

    function place(bool heads) external payable returns (uint256 id) {
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake out of bounds");
        require(commitments.length > 0, "no commitment");
        uint256 payout = payoutOf(msg.value);
        require(payout <= bank(), "bank too small");
        liabilities += payout;
        id = bets.length;
        bets.push(Bet(msg.sender, heads, true, msg.value, block.number, commitments[commitments.length - 1]));
        commitments.pop();
        emit Placed(id, msg.sender, heads, msg.value);
    }

    function settle(uint256 id, bytes32 secret) external onlyHouse onlyOpen(id) {
        Bet storage bet = bets[id];
        require(keccak256(abi.encodePacked(secret)) == bet.commitment, "wrong secret");
        bool heads = uint256(keccak256(abi.encodePacked(secret, id))) % 2 == 0;
        uint256 payout = payoutOf(bet.stake);
        bet.open = false;
        if (heads == bet.heads) {
            winnings[bet.player] += payout;
        } else {
            liabilities -= payout;
            payout = 0;
        }
        emit Settled(id, heads, payout);
    }

    /// If the house keeps silent, the stake is paid back.
    function cancel(uint256 id) external onlyOpen(id) {
        Bet storage bet = bets[id];
        require(block.number > bet.placedIn + SILENCE, "wait for the house");
        bet.open = false;
        liabilities = liabilities - payoutOf(bet.stake) + bet.stake;
        winnings[bet.player] += bet.stake;
    }

    function withdraw() external {
        uint256 amount = winnings[msg.sender];
        require(amount > 0, "nothing won");
        winnings[msg.sender] = 0;
        liabilities -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }

    function takeProfit(uint256 amount) external onlyHouse {
        require(amount <= bank(), "not free");
        (bool ok, ) = house.call{value: amount}("");
        require(ok, "rejected");
    }
}
