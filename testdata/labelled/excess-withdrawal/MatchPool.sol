// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable excess-withdrawal claim()
contract MatchPoolBad {
    enum Phase { Open, Resolved, Cancelled }

    uint256 public constant FEE_PERCENT = 2;
    uint256 public constant RESOLVE_TIME = 30 days;

    address public immutable referee;
    uint256 public immutable closesAt;
    Phase public phase;
    uint8 public winningSide;
    uint256 public fees;
    uint256 public prizePot;
    uint256 public winningStake;

    mapping(uint8 => uint256) public totalStake;
    mapping(uint8 => mapping(address => uint256)) public stakeOf;

    event Staked(address indexed player, uint8 side, uint256 amount);
    event Resolved(uint8 side, uint256 prizePot);
    event Paid(address indexed player, uint256 amount);

    constructor(uint256 daysOpen) {
        require(daysOpen >= 1 && daysOpen <= 90, "duration out of range");
        referee = msg.sender;
        closesAt = block.timestamp + daysOpen * 1 days;
    }

    function stake(uint8 side) external payable {
        require(side < 2, "no such side");
        require(phase == Phase.Open && block.timestamp < closesAt, "closed");
        require(msg.value > 0, "nothing sent");
        totalStake[side] += msg.value;
        stakeOf[side][msg.sender] += msg.value;
        emit Staked(msg.sender, side, msg.value);
    }

    function resolve(uint8 side) external {
        require(msg.sender == referee, "not the referee");
        require(side < 2 && phase == Phase.Open && block.timestamp >= closesAt, "cannot resolve");
        if (totalStake[side] == 0) {
            phase = Phase.Cancelled;
            return;
        }
        phase = Phase.Resolved;
        winningSide = side;
        winningStake = totalStake[side];
        uint256 losing = totalStake[1 - side];
        fees = losing * FEE_PERCENT / 100;
        prizePot = losing - fees;
        emit Resolved(side, prizePot);
    }

    /// a match without a verdict is called off
    function cancel() external {
        require(phase == Phase.Open && block.timestamp >= closesAt + RESOLVE_TIME, "too early");
        phase = Phase.Cancelled;
    }

    function claim() external {
        require(phase == Phase.Resolved, "not resolved");
        uint256 amount = stakeOf[winningSide][msg.sender];
        require(amount > 0, "nothing to claim");
        stakeOf[winningSide][msg.sender] = 0;

        uint256 percent = (amount * 100 + winningStake - 1) / winningStake;
        uint256 prize = prizePot * percent / 100;
        _pay(msg.sender, amount + prize);
    }

    function refund() external {
        require(phase == Phase.Cancelled, "not cancelled");
        uint256 amount = stakeOf[0][msg.sender] + stakeOf[1][msg.sender];
        require(amount > 0, "nothing to refund");
        stakeOf[0][msg.sender] = 0;
        stakeOf[1][msg.sender] = 0;
        _pay(msg.sender, amount);
    }

    function collectFees(address to) external {
        require(msg.sender == referee, "not the referee");
        require(to != address(0), "no receiver");
        uint256 amount = fees;
        fees = 0;
        _pay(to, amount);
    }

    function _pay(address to, uint256 amount) internal {
        emit Paid(to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract MatchPoolGood {
    enum Phase { Open, Resolved, Cancelled }

    uint256 public constant FEE_PERCENT = 2;
    uint256 public constant RESOLVE_TIME = 30 days;

    address public immutable referee;
    uint256 public immutable closesAt;
    Phase public phase;
    uint8 public winningSide;
    uint256 public fees;
    uint256 public prizePot;
    uint256 public winningStake;

    mapping(uint8 => uint256) public totalStake;
    mapping(uint8 => mapping(address => uint256)) public stakeOf;

    event Staked(address indexed player, uint8 side, uint256 amount);
    event Resolved(uint8 side, uint256 prizePot);
    event Paid(address indexed player, uint256 amount);

    constructor(uint256 daysOpen) {
        require(daysOpen >= 1 && daysOpen <= 90, "duration out of range");
        referee = msg.sender;
        closesAt = block.timestamp + daysOpen * 1 days;
    }

    function stake(uint8 side) external payable {
        require(side < 2, "no such side");
        require(phase == Phase.Open && block.timestamp < closesAt, "closed");
        require(msg.value > 0, "nothing sent");
        totalStake[side] += msg.value;
        stakeOf[side][msg.sender] += msg.value;
        emit Staked(msg.sender, side, msg.value);
    }

    function resolve(uint8 side) external {
        require(msg.sender == referee, "not the referee");
        require(side < 2 && phase == Phase.Open && block.timestamp >= closesAt, "cannot resolve");
        if (totalStake[side] == 0) {
            phase = Phase.Cancelled;
            return;
        }
        phase = Phase.Resolved;
        winningSide = side;
        winningStake = totalStake[side];
        uint256 losing = totalStake[1 - side];
        fees = losing * FEE_PERCENT / 100;
        prizePot = losing - fees;
        emit Resolved(side, prizePot);
    }

    /// a match without a verdict is called off
    function cancel() external {
        require(phase == Phase.Open && block.timestamp >= closesAt + RESOLVE_TIME, "too early");
        phase = Phase.Cancelled;
    }

    function claim() external {
        require(phase == Phase.Resolved, "not resolved");
        uint256 amount = stakeOf[winningSide][msg.sender];
        require(amount > 0, "nothing to claim");
        stakeOf[winningSide][msg.sender] = 0;

        uint256 prize = prizePot * amount / winningStake;
        prizePot -= prize;
        winningStake -= amount;
        _pay(msg.sender, amount + prize);
    }

    function refund() external {
        require(phase == Phase.Cancelled, "not cancelled");
        uint256 amount = stakeOf[0][msg.sender] + stakeOf[1][msg.sender];
        require(amount > 0, "nothing to refund");
        stakeOf[0][msg.sender] = 0;
        stakeOf[1][msg.sender] = 0;
        _pay(msg.sender, amount);
    }

    function collectFees(address to) external {
        require(msg.sender == referee, "not the referee");
        require(to != address(0), "no receiver");
        uint256 amount = fees;
        fees = 0;
        _pay(to, amount);
    }

    function _pay(address to, uint256 amount) internal {
        emit Paid(to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
