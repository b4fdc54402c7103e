// Modelled on the pyramid with a jackpot of 2016 whose random number was salted with the time of the block (SWC-116, SWC-120);
// a miner, or a contract that looks before it enters, picks the second in which it wins.
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable timestamp-dependence enter()
/** Whether an entrant wins the jackpot is drawn from the time of the block. */
contract RungLadderBad {
    struct Rung {
        address climber;
        uint256 stake;
        uint256 at;
        uint256 mark;
    }

    uint256 public constant MIN_STAKE = 10 finney;

    address public house;
    uint256 public jackpot;
    uint256 public height;
    uint256 private salt;
    mapping(uint256 => Rung) public rungs;
    mapping(address => uint256) public credit;

    event Climbed(uint256 indexed rung, address indexed climber, uint256 stake, uint256 mark);
    event Jackpot(uint256 indexed rung, address indexed climber, uint256 amount);

    constructor() public {
        house = msg.sender;
        salt = now;
    }

    // old style entry by plain transfer
    function() public payable {
        enter();
    }

    // half goes into the jackpot, most of the rest to the rung below
    function enter() public payable {
        require(msg.value >= MIN_STAKE);
        uint256 half = msg.value / 2;
        uint256 below = msg.value * 45 / 100;
        jackpot += half;
        credit[height == 0 ? house : rungs[height].climber] += below;
        credit[house] += msg.value - half - below;
        height++;
        uint256 mark = _random(10);
        rungs[height] = Rung(msg.sender, msg.value, now, mark);
        emit Climbed(height, msg.sender, msg.value, mark);
        if (mark == 0) { // <- bug
            uint256 won = jackpot;
            jackpot = 0;
            credit[msg.sender] += won;
            emit Jackpot(height, msg.sender, won);
        }
    }

    function withdraw(uint256 amount) public {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        require(msg.sender.call.value(amount)());
    }

    // how long the climber has been on the ladder, for the web page
    function ageOf(uint256 rung) public view returns (uint256) {
        require(rung > 0 && rung <= height);
        return now - rungs[rung].at;
    }

    function _random(uint256 sides) private returns (uint256) {
        salt = uint256(keccak256(abi.encodePacked(now, height))); // <- bug
        return salt % sides;
    }
}

/// @custom:safe
/** Every tenth entrant wins the jackpot; the time is only written down and logged. */
contract RungLadderGood {
    struct Rung {
        address climber;
        uint256 stake;
        uint256 at;
        uint256 mark;
    }

    uint256 public constant MIN_STAKE = 10 finney;

    address public house;
    uint256 public jackpot;
    uint256 public height;
    uint256 private salt;
    mapping(uint256 => Rung) public rungs;
    mapping(address => uint256) public credit;

    event Climbed(uint256 indexed rung, address indexed climber, uint256 stake, uint256 mark);
    event Jackpot(uint256 indexed rung, address indexed climber, uint256 amount);

    constructor() public {
        house = msg.sender;
        salt = now;
    }

    // old style entry by plain transfer
    function() public payable {
        enter();
    }

    // half goes into the jackpot, most of the rest to the rung below
    function enter() public payable {
        require(msg.value >= MIN_STAKE);
        uint256 half = msg.value / 2;
        uint256 below = msg.value * 45 / 100;
        jackpot += half;
        credit[height == 0 ? house : rungs[height].climber] += below;
        credit[house] += msg.value - half - below;
        height++;
        uint256 mark = _random(10);
        rungs[height] = Rung(msg.sender, msg.value, now, mark);
        emit Climbed(height, msg.sender, msg.value, mark);
        if (height % 10 == 0) {
            uint256 won = jackpot;
            jackpot = 0;
            credit[msg.sender] += won;
            emit Jackpot(height, msg.sender, won);
        }
    }

    function withdraw(uint256 amount) public {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        require(msg.sender.call.value(amount)());
    }

    // how long the climber has been on the ladder, for the web page
    function ageOf(uint256 rung) public view returns (uint256) {
        require(rung > 0 && rung <= height);
        return now - rungs[rung].at;
    }

    function _random(uint256 sides) private returns (uint256) {
        salt = uint256(keccak256(abi.encodePacked(now, height)));
        return salt % sides;
    }
}
