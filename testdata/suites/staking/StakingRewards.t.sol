// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: `stakeFor` changes a balance whose reward it did not update first.
// Calls: 4 (notify, stake, wait, stakeFor another account). Width: the second stake must be large enough for what it
// earns after the fact to exceed the whole week's reward, so the times and amounts have some room only.

import {BugShown} from "../common/BugShown.sol";
import {StakingRewards, StakingRewardsBug, StakingToken} from "./StakingRewards.sol";
import {StakingRewardsHandler} from "./StakingRewardsHandler.sol";

abstract contract StakingRewardsProperties is BugShown {
    StakingToken internal stakingToken;
    StakingToken internal rewardToken;
    StakingRewards internal pool;
    StakingRewardsHandler internal handler;

    function _deploy() internal virtual returns (StakingRewards);

    function setUp() public {
        vm.warp(1_750_000_000);
        stakingToken = new StakingToken("STK");
        rewardToken = new StakingToken("RWD");
        pool = _deploy();
        handler = new StakingRewardsHandler(pool, stakingToken, rewardToken);
        pool.transferOwnership(address(handler));
        targetContract(address(handler));
    }

    function invariant_rewardsAreFunded() external view {
        uint256 owed;
        for (uint256 i; i < handler.actorCount(); ++i) {
            owed += pool.earned(handler.actor(i));
        }
        assertLe(owed, rewardToken.balanceOf(address(pool)), "owed");
    }

    function invariant_claimedWasNotified() external view {
        assertEq(rewardToken.balanceOf(address(pool)), handler.ghost_notified() - handler.ghost_claimed());
    }

    function invariant_stakesAreHeld() external view {
        assertEq(pool.totalStaked(), handler.ghost_staked() - handler.ghost_withdrawn());
        assertEq(pool.totalStaked(), stakingToken.balanceOf(address(pool)));
    }
}

/// @custom:expect invariant_rewardsAreFunded PASS
/// @custom:expect invariant_claimedWasNotified PASS
/// @custom:expect invariant_stakesAreHeld PASS
contract StakingRewardsTest is StakingRewardsProperties {
    function _deploy() internal override returns (StakingRewards) {
        return new StakingRewards(stakingToken, rewardToken);
    }
}

/// @custom:bug calls=4
/// @custom:expect invariant_rewardsAreFunded FAIL
/// @custom:expect invariant_claimedWasNotified PASS
/// @custom:expect invariant_stakesAreHeld PASS
contract StakingRewardsBugTest is StakingRewardsProperties {
    function _deploy() internal override returns (StakingRewards) {
        return new StakingRewardsBug(stakingToken, rewardToken);
    }

    function test_bug_shown() public {
        handler.notifyReward(1e21);
        handler.stake(0, 1e18);
        handler.wait(1 days);
        this.invariant_rewardsAreFunded();
        handler.stakeFor(0, 1, 1e24);
        assertBroken(this.invariant_rewardsAreFunded);
    }
}
