// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

interface IGaugeController {
    function checkpoint() external;
    function rewardOf(address gauge, uint256 week) external view returns (uint256);
    function noteDistribution(uint256 week, uint256 amount) external;
    function mintReward(address to, uint256 amount) external;
    function powerOf(address user) external view returns (uint256);
    function totalPower() external view returns (uint256);
    function owner() external view returns (address);
}

/// Staking of one pool token. Rewards follow the gauge's weight week by week; voting power boosts a stake, at most
/// 2.5 times.
contract Gauge is ReentrancyGuard {
    using SafeTransferLib for address;
    using FixedPointMathLib for uint256;

    uint256 internal constant WEEK = 7 days;
    uint256 internal constant PRECISION = 1e27;
    uint256 internal constant UNBOOSTED = 40;

    IGaugeController public immutable controller;
    address public immutable stakeToken;

    bool public killed;
    uint256 public totalStake;
    uint256 public workingSupply;
    uint256 public rewardIndex;
    uint256 public accrued;
    uint256 public claimed;
    uint256 public lastUpdate;

    mapping(address user => uint256) public stakeOf;
    mapping(address user => uint256) public workingOf;
    mapping(address user => uint256) public paidIndex;
    mapping(address user => uint256) public earned;

    event Staked(address indexed user, uint256 amount);
    event Unstaked(address indexed user, uint256 amount);
    event StakeMoved(address indexed from, address indexed to, uint256 amount);
    event Claimed(address indexed user, uint256 amount);

    error ZeroAmount();
    error NotAllowed();
    error KickNotNeeded();

    constructor(IGaugeController controller_, address stakeToken_) {
        controller = controller_;
        stakeToken = stakeToken_;
        lastUpdate = block.timestamp;
    }

    function deposit(uint96 amount) external nonReentrant {
        if (amount == 0) revert ZeroAmount();
        if (killed) revert NotAllowed();
        _settle(msg.sender);
        stakeOf[msg.sender] += amount;
        totalStake += amount;
        _updateWorking(msg.sender);
        stakeToken.safeTransferFrom(msg.sender, address(this), amount);
        emit Staked(msg.sender, amount);
    }

    /// Takes out up to `amount`.
    function withdraw(uint96 amount) external nonReentrant returns (uint256 taken) {
        taken = uint256(amount).min(stakeOf[msg.sender]);
        if (taken == 0) revert ZeroAmount();
        _settle(msg.sender);
        stakeOf[msg.sender] -= taken;
        totalStake -= taken;
        _updateWorking(msg.sender);
        stakeToken.safeTransfer(msg.sender, taken);
        emit Unstaked(msg.sender, taken);
    }

    /// Moves a stake to another account, up to `amount`.
    function transferStake(address to, uint96 amount) external nonReentrant returns (uint256 moved) {
        if (to == msg.sender || to == address(0)) revert NotAllowed();
        moved = uint256(amount).min(stakeOf[msg.sender]);
        if (moved == 0) revert ZeroAmount();
        _settle(msg.sender);
        _settleRecipient(to);
        stakeOf[msg.sender] -= moved;
        stakeOf[to] += moved;
        _updateWorking(msg.sender);
        _updateWorking(to);
        emit StakeMoved(msg.sender, to, moved);
    }

    function claim() external nonReentrant returns (uint256 amount) {
        _settle(msg.sender);
        _updateWorking(msg.sender);
        amount = earned[msg.sender];
        if (amount == 0) revert ZeroAmount();
        earned[msg.sender] = 0;
        claimed += amount;
        controller.mintReward(msg.sender, amount);
        emit Claimed(msg.sender, amount);
    }

    /// Takes away the boost of an account whose lock has run out.
    function kick(address user) external nonReentrant {
        if (controller.powerOf(user) != 0 || workingOf[user] <= stakeOf[user] * UNBOOSTED / 100) revert KickNotNeeded();
        _settle(user);
        _updateWorking(user);
    }

    function setKilled(bool killed_) external {
        if (msg.sender != controller.owner()) revert NotAllowed();
        _accrue();
        killed = killed_;
    }

    // ---------------------------------------------------------------- internals

    /// Brings the reward index up to now, one week at a time.
    function _accrue() internal {
        controller.checkpoint();
        uint256 from = lastUpdate;
        if (from == block.timestamp) return;
        lastUpdate = block.timestamp;
        if (killed || workingSupply == 0) return;
        uint256 index = rewardIndex;
        uint256 sum = accrued;
        while (from < block.timestamp) {
            (uint256 to, uint256 reward) = _segment(from);
            index += reward.fullMulDiv(PRECISION, workingSupply);
            sum += reward;
            if (reward != 0) controller.noteDistribution(from / WEEK * WEEK, reward);
            from = to;
        }
        rewardIndex = index;
        accrued = sum;
    }

    /// The part of a week from `from` to its end or to now, and the reward for it.
    function _segment(uint256 from) internal view returns (uint256 to, uint256 reward) {
        to = ((from / WEEK + 1) * WEEK).min(block.timestamp);
        reward = controller.rewardOf(address(this), _weightWeek(from, to)) * (to - from) / WEEK;
    }

    /// The week whose weight counts for a segment.
    function _weightWeek(uint256 from, uint256) internal view virtual returns (uint256) {
        return from / WEEK * WEEK;
    }

    function _settle(address user) internal {
        _accrue();
        earned[user] += workingOf[user].fullMulDiv(rewardIndex - paidIndex[user], PRECISION);
        paidIndex[user] = rewardIndex;
    }

    function _settleRecipient(address user) internal virtual {
        _settle(user);
    }

    function _updateWorking(address user) internal {
        uint256 stake = stakeOf[user];
        uint256 working = stake * UNBOOSTED / 100;
        uint256 power = controller.totalPower();
        if (power != 0) working += totalStake.fullMulDiv(controller.powerOf(user), power) * (100 - UNBOOSTED) / 100;
        working = working.min(stake);
        workingSupply = workingSupply + working - workingOf[user];
        workingOf[user] = working;
    }

    // ---------------------------------------------------------------- views

    /// Index and accrued rewards as of now.
    function preview() public view returns (uint256 index, uint256 sum) {
        index = rewardIndex;
        sum = accrued;
        if (killed || workingSupply == 0) return (index, sum);
        uint256 from = lastUpdate;
        while (from < block.timestamp) {
            (uint256 to, uint256 reward) = _segment(from);
            index += reward.fullMulDiv(PRECISION, workingSupply);
            sum += reward;
            from = to;
        }
    }

    function claimable(address user) external view returns (uint256) {
        (uint256 index,) = preview();
        return earned[user] + workingOf[user].fullMulDiv(index - paidIndex[user], PRECISION);
    }
}

/// The gauge as it was first deployed.
contract GaugeBug is Gauge {
    constructor(IGaugeController controller_, address stakeToken_) Gauge(controller_, stakeToken_) {}

    function _weightWeek(uint256, uint256 to) internal pure override returns (uint256) {
        return to / WEEK * WEEK;
    }

    function _settleRecipient(address) internal override {}
}
