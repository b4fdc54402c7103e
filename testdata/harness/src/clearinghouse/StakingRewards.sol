// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {IGovernor, IStaking} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

/// @notice Stakes of the protocol's token: rewards in weekly cycles, and a weight that can be delegated.
contract StakingRewards is IStaking, ModuleBase, ReentrancyGuard {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;
    using Checkpoints for Checkpoints.Trace208;

    uint256 public constant MAX_CYCLES = 4;
    uint256 public constant MIN_NOTIFY = 1e18;
    uint256 internal constant PRECISION = 1e18;

    struct Account {
        uint256 staked;
        uint256 cooling;
        uint64 releaseAt;
        address delegatee;
        uint256 rewardPerToken;
        uint256 owed;
    }

    ERC20 public immutable token;
    IGovernor public immutable governor;

    mapping(address => Account) internal _accounts;
    mapping(address => Checkpoints.Trace208) internal _weight;
    Checkpoints.Trace208 internal _totalWeight;

    /// @notice Reward that streams in the week that starts at the key.
    mapping(uint256 => uint256) public cycleReward;
    uint256 public totalStaked;
    uint256 public totalCooling;
    uint256 public rewardReserve;
    uint256 public rewardPerTokenStored;
    uint256 public lastUpdate;
    uint256 public accrued;
    uint256 public paidOut;
    uint256 public unallocated;

    event Staked(address indexed account, uint256 amount);
    event UnstakeRequested(address indexed account, uint256 amount, uint256 releaseAt);
    event UnstakeCancelled(address indexed account, uint256 amount);
    event Unstaked(address indexed account, uint256 amount);
    event Delegated(address indexed account, address indexed from, address indexed to);
    event RewardAdded(uint256 amount, uint256 cycles);
    event RewardPaid(address indexed account, uint256 amount);

    constructor(ERC20 token_, IGovernor governor_) {
        token = token_;
        governor = governor_;
        lastUpdate = block.timestamp;
    }

    // Stakes

    function stake(uint256 amount) external nonReentrant {
        require(amount > 0, "staking: amount");
        _settle(msg.sender);
        Account storage a = _accounts[msg.sender];
        a.staked += amount;
        totalStaked += amount;
        _addWeight(delegateeOf(msg.sender), amount);
        token.safeTransferFrom(msg.sender, address(this), amount);
        emit Staked(msg.sender, amount);
    }

    function requestUnstake(uint256 amount) external nonReentrant {
        Account storage a = _accounts[msg.sender];
        require(amount > 0, "staking: amount");
        require(a.staked >= amount, "staking: stake");
        _settle(msg.sender);
        a.staked -= amount;
        totalStaked -= amount;
        a.cooling += amount;
        totalCooling += amount;
        a.releaseAt = uint64(block.timestamp + governor.value(Params.COOLDOWN));
        _releaseWeight(msg.sender, amount);
        emit UnstakeRequested(msg.sender, amount, a.releaseAt);
    }

    /// @notice Puts a cooling amount back to the stake.
    function cancelUnstake(uint256 amount) external nonReentrant {
        Account storage a = _accounts[msg.sender];
        require(amount > 0, "staking: amount");
        require(a.cooling >= amount, "staking: cooling");
        _beforeRestake(msg.sender);
        a.cooling -= amount;
        totalCooling -= amount;
        a.staked += amount;
        totalStaked += amount;
        _addWeight(delegateeOf(msg.sender), amount);
        emit UnstakeCancelled(msg.sender, amount);
    }

    function withdrawUnstaked() external nonReentrant returns (uint256 amount) {
        Account storage a = _accounts[msg.sender];
        amount = a.cooling;
        require(amount > 0, "staking: nothing");
        require(block.timestamp >= a.releaseAt, "staking: cooling");
        a.cooling = 0;
        totalCooling -= amount;
        token.safeTransfer(msg.sender, amount);
        emit Unstaked(msg.sender, amount);
    }

    function delegate(address to) external nonReentrant {
        require(to != address(0), "staking: to");
        address from = delegateeOf(msg.sender);
        require(from != to, "staking: same");
        uint256 amount = _accounts[msg.sender].staked;
        _accounts[msg.sender].delegatee = to;
        if (amount > 0) {
            _subWeight(from, amount);
            _addWeight(to, amount);
        }
        emit Delegated(msg.sender, from, to);
    }

    // Rewards

    /// @notice Adds a reward that streams over the next `cycles` weeks.
    function notifyReward(uint256 amount, uint256 cycles) external nonReentrant {
        require(cycles > 0 && cycles <= MAX_CYCLES, "staking: cycles");
        require(amount >= MIN_NOTIFY, "staking: small");
        _update();
        uint256 each = amount / cycles;
        uint256 week = Units.weekOf(block.timestamp);
        for (uint256 i = 1; i <= cycles; ++i) {
            cycleReward[week + i * Units.WEEK] += each;
        }
        rewardReserve += each * cycles;
        token.safeTransferFrom(msg.sender, address(this), each * cycles);
        emit RewardAdded(each * cycles, cycles);
    }

    /// @notice Streams again, in the next week, what fell in times without stakes.
    function recycle() external nonReentrant returns (uint256 amount) {
        _update();
        amount = unallocated;
        require(amount > 0, "staking: nothing");
        unallocated = 0;
        cycleReward[Units.weekOf(block.timestamp) + Units.WEEK] += amount;
    }

    function claimReward() external nonReentrant returns (uint256 amount) {
        _settle(msg.sender);
        Account storage a = _accounts[msg.sender];
        amount = a.owed;
        require(amount > 0, "staking: nothing");
        a.owed = 0;
        rewardReserve -= amount;
        paidOut += amount;
        token.safeTransfer(msg.sender, amount);
        emit RewardPaid(msg.sender, amount);
    }

    function update() external {
        _update();
    }

    // Internals

    function _update() internal {
        uint256 streamed = _streamedSince();
        lastUpdate = block.timestamp;
        if (streamed == 0) return;
        if (totalStaked == 0) {
            unallocated += streamed;
        } else {
            rewardPerTokenStored += streamed.mulDivDown(PRECISION, totalStaked);
            accrued += streamed;
        }
    }

    /// @dev What the cycles have streamed since the last update, a week at a time.
    function _streamedSince() internal view returns (uint256 sum) {
        uint256 t = lastUpdate;
        while (t < block.timestamp) {
            uint256 week = Units.weekOf(t);
            uint256 end = Units.min(week + Units.WEEK, block.timestamp);
            uint256 reward = cycleReward[week];
            if (reward > 0) sum += reward.mulDivDown(end - t, Units.WEEK);
            t = end;
        }
    }

    function _settle(address account) internal {
        _update();
        Account storage a = _accounts[account];
        a.owed += a.staked.mulDivDown(rewardPerTokenStored - a.rewardPerToken, PRECISION);
        a.rewardPerToken = rewardPerTokenStored;
    }

    function _beforeRestake(address account) internal virtual {
        _settle(account);
    }

    function _releaseWeight(address account, uint256 amount) internal virtual {
        _subWeight(delegateeOf(account), amount);
    }

    function _addWeight(address account, uint256 amount) internal {
        _push(_weight[account], _weight[account].latest() + amount);
        _push(_totalWeight, _totalWeight.latest() + amount);
    }

    function _subWeight(address account, uint256 amount) internal {
        _push(_weight[account], _weight[account].latest() - amount);
        _push(_totalWeight, _totalWeight.latest() - amount);
    }

    function _push(Checkpoints.Trace208 storage trace, uint256 value) internal {
        trace.push(uint48(block.timestamp), uint208(value));
    }

    // Views

    function delegateeOf(address account) public view returns (address) {
        address to = _accounts[account].delegatee;
        return to == address(0) ? account : to;
    }

    function accountOf(address account) external view returns (Account memory) {
        return _accounts[account];
    }

    function stakedOf(address account) external view returns (uint256) {
        return _accounts[account].staked;
    }

    function coolingOf(address account) external view returns (uint256) {
        return _accounts[account].cooling;
    }

    function weightOf(address account) external view returns (uint256) {
        return _weight[account].latest();
    }

    function totalWeight() external view returns (uint256) {
        return _totalWeight.latest();
    }

    function weightAt(address account, uint256 timestamp) external view returns (uint256) {
        return _weight[account].upperLookupRecent(uint48(timestamp));
    }

    function totalWeightAt(uint256 timestamp) external view returns (uint256) {
        return _totalWeight.upperLookupRecent(uint48(timestamp));
    }

    function earned(address account) external view returns (uint256) {
        Account storage a = _accounts[account];
        uint256 perToken = rewardPerTokenStored;
        if (totalStaked > 0) perToken += _streamedSince().mulDivDown(PRECISION, totalStaked);
        return a.owed + a.staked.mulDivDown(perToken - a.rewardPerToken, PRECISION);
    }

    function accruedNow() external view returns (uint256) {
        return totalStaked > 0 ? accrued + _streamedSince() : accrued;
    }
}
