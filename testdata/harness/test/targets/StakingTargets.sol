// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract StakingTargets is Properties {
    function staking_stake(uint256 actorSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        amount = between(amount, 1, clear.balanceOf(actor));
        address to = staking.delegateeOf(actor);
        uint256 weight = staking.weightOf(to);
        __before(actor);
        vm.prank(actor);
        staking.stake(amount);
        __after(actor);
        eq(_after.staked, _before.staked + amount, "stake: stake");
        eq(_after.clears + amount, _before.clears, "stake: wallet");
        eq(staking.weightOf(to), weight + amount, "stake: weight");
    }

    function staking_stake_raw(uint256 actorSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        staking.stake(amount);
    }

    function staking_requestUnstake(uint256 actorSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint256 staked = staking.stakedOf(actor);
        if (staked == 0) return;
        amount = between(amount, 1, staked);
        address to = staking.delegateeOf(actor);
        uint256 weight = staking.weightOf(to);
        __before(actor);
        vm.prank(actor);
        staking.requestUnstake(amount);
        __after(actor);
        eq(_after.staked + amount, _before.staked, "requestUnstake: stake");
        eq(_after.totalStaked + amount, _before.totalStaked, "requestUnstake: total");
        eq(staking.weightOf(to) + amount, weight, "requestUnstake: weight");
    }

    function staking_requestUnstake_raw(uint256 actorSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        staking.requestUnstake(amount);
    }

    function staking_requestUnstakeAll(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint256 staked = staking.stakedOf(actor);
        if (staked == 0) return;
        uint256 cooling = staking.coolingOf(actor);
        __before(actor);
        vm.prank(actor);
        staking.requestUnstake(staked);
        __after(actor);
        eq(_after.staked, 0, "requestUnstakeAll: stake");
        eq(staking.coolingOf(actor), cooling + staked, "requestUnstakeAll: cooling");
    }

    function staking_cancelUnstake(uint256 actorSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint256 cooling = staking.coolingOf(actor);
        if (cooling == 0) return;
        amount = between(amount, 1, cooling);
        address to = staking.delegateeOf(actor);
        uint256 weight = staking.weightOf(to);
        __before(actor);
        vm.prank(actor);
        staking.cancelUnstake(amount);
        __after(actor);
        eq(_after.staked, _before.staked + amount, "cancelUnstake: stake");
        eq(staking.weightOf(to), weight + amount, "cancelUnstake: weight");
    }

    function staking_withdrawUnstaked(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint256 cooling = staking.coolingOf(actor);
        __before(actor);
        vm.prank(actor);
        staking.withdrawUnstaked();
        __after(actor);
        eq(_after.clears, _before.clears + cooling, "withdrawUnstaked: wallet");
        eq(_after.staked, _before.staked, "withdrawUnstaked: stake");
    }

    function staking_delegate(uint256 actorSeed, uint256 toSeed) public {
        address actor = _actor(actorSeed);
        address from = staking.delegateeOf(actor);
        address to = _actor(toSeed);
        uint256 fromWeight = staking.weightOf(from);
        uint256 toWeight = staking.weightOf(to);
        __before(actor);
        vm.prank(actor);
        staking.delegate(to);
        __after(actor);
        eq(staking.weightOf(from) + _before.staked, fromWeight, "delegate: from");
        eq(staking.weightOf(to), toWeight + _before.staked, "delegate: to");
        eq(_after.totalWeight, _before.totalWeight, "delegate: total");
    }

    function staking_delegate_raw(uint256 actorSeed, address to) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        staking.delegate(to);
    }

    function staking_claim(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint256 earned = staking.earned(actor);
        __before(actor);
        vm.prank(actor);
        uint256 paid = staking.claimReward();
        __after(actor);
        eq(paid, earned, "claim: earned");
        eq(_after.clears, _before.clears + paid, "claim: wallet");
    }

    function staking_notify(uint256 amount, uint256 cycles) public tracked(treasury) {
        amount = between(amount, 1e18, least(1_000_000e18, clear.balanceOf(treasury)));
        vm.prank(treasury);
        staking.notifyReward(amount, between(cycles, 1, 4));
    }

    function staking_recycle() public tracked(treasury) {
        uint256 reserve = staking.rewardReserve();
        uint256 amount = staking.recycle();
        lte(amount, reserve, "recycle: above the reserve");
    }

    function staking_update() public tracked(treasury) {
        staking.update();
    }

    function test_delegateRoundTrip(uint256 actorSeed, uint256 toSeed) public {
        address actor = _actor(actorSeed);
        address from = staking.delegateeOf(actor);
        uint256 weight = staking.weightOf(from);
        __before(actor);
        vm.prank(actor);
        staking.delegate(_actor(toSeed));
        vm.prank(actor);
        staking.delegate(from);
        __after(actor);
        eq(staking.weightOf(from), weight, "delegate round trip: weight");
        eq(_after.totalWeight, _before.totalWeight, "delegate round trip: total");
    }

    function test_rewardClaimedOnce(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        __before(actor);
        vm.prank(actor);
        staking.claimReward();
        __after(actor);
        eq(staking.earned(actor), 0, "claim: earned again");
    }
}
