// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract FeeTargets is Properties {
    function fees_claim(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint256 cursor = distributor.cursorOf(actor);
        __before(actor);
        vm.prank(actor);
        uint256 paid = distributor.claim(actor);
        __after(actor);
        eq(_after.dollars, _before.dollars + paid, "fees: dollars");
        gte(distributor.cursorOf(actor), cursor, "fees: cursor");
    }

    function fees_rollWeek(uint256 weekSeed) public tracked(treasury) {
        uint256 count = distributor.weekCount();
        if (count == 0) return;
        uint256 week = distributor.weekAt(weekSeed % count);
        distributor.rollWeek(week);
        eq(distributor.feesOf(week), 0, "roll: fees left");
    }

    function fees_donate(uint256 actorSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        address actor = _actor(actorSeed);
        amount = between(amount, 1e18, least(10_000e18, dollar.balanceOf(actor)));
        vm.prank(actor);
        distributor.donate(amount);
    }

    function test_feesClaimedOnce(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        if (distributor.weekCount() > 52) return;
        __before(actor);
        distributor.claim(actor);
        uint256 again = distributor.claim(actor);
        __after(actor);
        eq(again, 0, "fees: claimed twice");
    }
}
