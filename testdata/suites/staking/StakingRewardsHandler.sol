// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {StakingRewards, StakingToken} from "./StakingRewards.sol";

contract StakingRewardsHandler is Actors {
    StakingRewards public immutable pool;
    StakingToken public immutable stakingToken;
    StakingToken public immutable rewardToken;

    uint256 public ghost_staked;
    uint256 public ghost_withdrawn;
    uint256 public ghost_notified;
    uint256 public ghost_claimed;

    constructor(StakingRewards pool_, StakingToken stakingToken_, StakingToken rewardToken_) {
        (pool, stakingToken, rewardToken) = (pool_, stakingToken_, rewardToken_);
        rewardToken.approve(address(pool), type(uint256).max);
        _addActors("staker", 3);
        for (uint256 i; i < actors.length; ++i) {
            vm.prank(actors[i]);
            stakingToken.approve(address(pool), type(uint256).max);
        }
    }

    function stake(uint256 actorSeed, uint256 amount) external by(actorSeed) {
        amount = bound(amount, 1e12, 1e26);
        stakingToken.mint(actor(actorSeed), amount);
        pool.stake(amount);
        ghost_staked += amount;
    }

    function stakeFor(uint256 actorSeed, uint256 accountSeed, uint256 amount) external {
        vm.assume(actor(actorSeed) != actor(accountSeed));
        amount = bound(amount, 1e12, 1e26);
        stakingToken.mint(actor(actorSeed), amount);
        vm.prank(actor(actorSeed));
        pool.stakeFor(actor(accountSeed), amount);
        ghost_staked += amount;
    }

    function withdraw(uint256 actorSeed, uint256 amount) external by(actorSeed) {
        amount = bound(amount, 0, pool.staked(actor(actorSeed)));
        pool.withdraw(amount);
        ghost_withdrawn += amount;
    }

    function claim(uint256 actorSeed) external by(actorSeed) {
        uint256 before = rewardToken.balanceOf(actor(actorSeed));
        pool.claim();
        ghost_claimed += rewardToken.balanceOf(actor(actorSeed)) - before;
    }

    function notifyReward(uint256 reward) external {
        reward = bound(reward, 7 days, 1e24);
        rewardToken.mint(address(this), reward);
        pool.notifyReward(reward);
        ghost_notified += reward;
    }

    function wait(uint256 time) external {
        skip(bound(time, 1, 10 days));
    }
}
