// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Assertions} from "../common/Assertions.sol";
import {BugShown} from "../common/BugShown.sol";
import {Vesting, VestingToken} from "./Vesting.sol";

/// What can be done to the contracts, each with what must hold right after it.
abstract contract VestingTargets is Assertions, BugShown {
    VestingToken internal token;
    Vesting internal vesting;
    address[] internal people;

    mapping(uint256 id => uint256) internal ghost_released;
    uint256 internal ghost_granted;
    uint256 internal ghost_paid;

    function vesting_create(uint256 toSeed, uint256 amount, uint256 cliff, uint256 duration) public {
        amount = between(amount, 1, 1e24);
        duration = between(duration, 1 days, 1000 days);
        cliff = between(cliff, 0, duration);
        vesting.create(people[toSeed % people.length], amount, cliff, duration);
        ghost_granted += amount;
        eq(token.balanceOf(address(vesting)), ghost_granted - ghost_paid, "a grant is funded");
    }

    function vesting_release(uint256 id) public {
        id = _pick(id);
        (address beneficiary,,,,) = vesting.grants(id);
        uint256 before = token.balanceOf(beneficiary);
        uint256 released = vesting.release(id);
        ghost_released[id] += released;
        ghost_paid += released;
        eq(token.balanceOf(beneficiary) - before, released, "the beneficiary is paid");
        lte(ghost_released[id], vesting.vested(id), "no more is released than is vested");
    }

    function vesting_handOver(uint256 id, uint256 toSeed) public {
        id = _pick(id);
        address to = people[toSeed % people.length];
        (address beneficiary,,,,) = vesting.grants(id);
        precondition(to != beneficiary);
        uint256 vestedBefore = vesting.vested(id);
        vm.prank(beneficiary);
        vesting.handOver(id, to);
        eq(vesting.vested(id), vestedBefore, "handing over changes nothing that is vested");
    }

    function time_pass(uint256 time) public {
        skip(between(time, 1, 100 days));
    }

    function _pick(uint256 id) private view returns (uint256) {
        precondition(vesting.grantCount() != 0);
        return between(id, 0, vesting.grantCount() - 1);
    }
}
