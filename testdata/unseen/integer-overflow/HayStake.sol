// Modelled on the unsigned comparison "balance - amount >= 0" found in many wallets and staking contracts before 0.8 (SWC-101;
// several CVEs of 2018 describe it for tokens): the difference of unsigned numbers is never negative.
// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// @custom:vulnerable integer-overflow withdraw(uint256)
/** The check of the stake compares a difference that wraps, so that any amount passes. */
contract HayStakeBad {
    struct Stake {
        uint256 amount;
        uint256 since;
        bool bonusTaken;
    }

    uint256 public constant BONUS_PERCENT = 1;
    uint256 public constant BONUS_AFTER = 7 days;

    address payable public farmer;
    uint256 public bonusPool;
    uint256 public stakers;
    mapping(address => Stake) public stakes;

    event Staked(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event BonusPaid(address indexed who, uint256 amount);

    modifier onlyFarmer() {
        require(msg.sender == farmer, "farmer only");
        _;
    }

    constructor() public payable {
        farmer = msg.sender;
        bonusPool = msg.value;
    }

    function fillBonus() external payable {
        bonusPool += msg.value;
    }

    function stake() external payable {
        require(msg.value > 0, "nothing");
        Stake storage s = stakes[msg.sender];
        if (s.since == 0) {
            stakers++;
        }
        s.amount += msg.value;
        s.since = block.timestamp; // a new stake starts the wait again
        emit Staked(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        Stake storage s = stakes[msg.sender];
        require(s.amount - amount >= 0, "stake too low"); // <- bug
        s.amount -= amount; // <- bug
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }

    /// Once for each account, while the pool lasts.
    function takeBonus() external {
        Stake storage s = stakes[msg.sender];
        require(s.amount > 0 && !s.bonusTaken, "no bonus");
        require(block.timestamp >= s.since + BONUS_AFTER, "too early");
        uint256 bonus = s.amount / 100 * BONUS_PERCENT;
        require(bonus <= bonusPool, "pool is empty");
        s.bonusTaken = true;
        bonusPool -= bonus;
        (bool ok, ) = msg.sender.call{value: bonus}("");
        require(ok, "refused");
        emit BonusPaid(msg.sender, bonus);
    }

    function drainBonus(uint256 amount) external onlyFarmer {
        require(bonusPool >= amount, "pool too low");
        bonusPool -= amount;
        farmer.transfer(amount);
    }
}

/// @custom:safe
/** The stake is compared with the amount before the subtraction. */
contract HayStakeGood {
    struct Stake {
        uint256 amount;
        uint256 since;
        bool bonusTaken;
    }

    uint256 public constant BONUS_PERCENT = 1;
    uint256 public constant BONUS_AFTER = 7 days;

    address payable public farmer;
    uint256 public bonusPool;
    uint256 public stakers;
    mapping(address => Stake) public stakes;

    event Staked(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event BonusPaid(address indexed who, uint256 amount);

    modifier onlyFarmer() {
        require(msg.sender == farmer, "farmer only");
        _;
    }

    constructor() public payable {
        farmer = msg.sender;
        bonusPool = msg.value;
    }

    function fillBonus() external payable {
        bonusPool += msg.value;
    }

    function stake() external payable {
        require(msg.value > 0, "nothing");
        Stake storage s = stakes[msg.sender];
        if (s.since == 0) {
            stakers++;
        }
        s.amount += msg.value;
        s.since = block.timestamp; // a new stake starts the wait again
        emit Staked(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        Stake storage s = stakes[msg.sender];
        require(s.amount >= amount, "stake too low");
        s.amount -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }

    /// Once for each account, while the pool lasts.
    function takeBonus() external {
        Stake storage s = stakes[msg.sender];
        require(s.amount > 0 && !s.bonusTaken, "no bonus");
        require(block.timestamp >= s.since + BONUS_AFTER, "too early");
        uint256 bonus = s.amount / 100 * BONUS_PERCENT;
        require(bonus <= bonusPool, "pool is empty");
        s.bonusTaken = true;
        bonusPool -= bonus;
        (bool ok, ) = msg.sender.call{value: bonus}("");
        require(ok, "refused");
        emit BonusPaid(msg.sender, bonus);
    }

    function drainBonus(uint256 amount) external onlyFarmer {
        require(bonusPool >= amount, "pool too low");
        bonusPool -= amount;
        farmer.transfer(amount);
    }
}
