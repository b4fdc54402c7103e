// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

contract StakingToken is ERC20 {
    constructor(string memory symbol) ERC20(symbol, symbol) {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// Rewards are streamed over a week to those who stake, in proportion to stake and time.
contract StakingRewards is Ownable {
    using SafeERC20 for IERC20;

    uint256 public constant DURATION = 7 days;

    IERC20 public immutable stakingToken;
    IERC20 public immutable rewardToken;

    uint256 public periodFinish;
    uint256 public rewardRate;
    uint256 public lastUpdate;
    uint256 public rewardPerTokenStored;
    uint256 public totalStaked;
    mapping(address => uint256) public staked;
    mapping(address => uint256) public rewards;
    mapping(address => uint256) public rewardPerTokenPaid;

    constructor(IERC20 stakingToken_, IERC20 rewardToken_) Ownable(msg.sender) {
        (stakingToken, rewardToken) = (stakingToken_, rewardToken_);
    }

    modifier updateReward(address account) {
        rewardPerTokenStored = rewardPerToken();
        lastUpdate = lastTimeRewardApplicable();
        if (account != address(0)) {
            rewards[account] = earned(account);
            rewardPerTokenPaid[account] = rewardPerTokenStored;
        }
        _;
    }

    function stake(uint256 amount) external {
        stakeFor(msg.sender, amount);
    }

    function stakeFor(address account, uint256 amount) public virtual updateReward(account) {
        _stakeFor(account, amount);
    }

    function withdraw(uint256 amount) external updateReward(msg.sender) {
        totalStaked -= amount;
        staked[msg.sender] -= amount;
        stakingToken.safeTransfer(msg.sender, amount);
    }

    function claim() external updateReward(msg.sender) {
        uint256 reward = rewards[msg.sender];
        rewards[msg.sender] = 0;
        rewardToken.safeTransfer(msg.sender, reward);
    }

    /// The owner adds `reward`; what is left of the running week is streamed anew with it.
    function notifyReward(uint256 reward) external onlyOwner updateReward(address(0)) {
        rewardToken.safeTransferFrom(msg.sender, address(this), reward);
        uint256 left = block.timestamp < periodFinish ? (periodFinish - block.timestamp) * rewardRate : 0;
        rewardRate = (reward + left) / DURATION;
        lastUpdate = block.timestamp;
        periodFinish = block.timestamp + DURATION;
    }

    function lastTimeRewardApplicable() public view returns (uint256) {
        return Math.min(block.timestamp, periodFinish);
    }

    function rewardPerToken() public view returns (uint256) {
        if (totalStaked == 0) return rewardPerTokenStored;
        uint256 elapsed = lastTimeRewardApplicable() - lastUpdate;
        return rewardPerTokenStored + elapsed * rewardRate * 1e18 / totalStaked;
    }

    function earned(address account) public view returns (uint256) {
        return staked[account] * (rewardPerToken() - rewardPerTokenPaid[account]) / 1e18 + rewards[account];
    }

    function _stakeFor(address account, uint256 amount) internal {
        totalStaked += amount;
        staked[account] += amount;
        stakingToken.safeTransferFrom(msg.sender, address(this), amount);
    }
}

/// Bug: staking for somebody else updates the reward of the one who pays, not of the one whose stake grows, who then
/// earns on the new stake from the beginning.
contract StakingRewardsBug is StakingRewards {
    constructor(IERC20 stakingToken_, IERC20 rewardToken_) StakingRewards(stakingToken_, rewardToken_) {}

    function stakeFor(address account, uint256 amount) public override updateReward(msg.sender) {
        _stakeFor(account, amount);
    }
}
