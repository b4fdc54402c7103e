// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract HouseTargets is Properties {
    function house_depositAndDraw(uint256 actorSeed, uint256 assetSeed, uint256 amount, uint256 drawAmount) public {
        address actor = _actor(actorSeed);
        uint8 asset = _asset(assetSeed);
        amount = between(amount, 1, tokens[asset].balanceOf(actor));
        drawAmount = between(drawAmount, 100e18, 100_000e18);
        __before(actor);
        vm.prank(actor);
        house.depositAndDraw(asset, amount, drawAmount, 4);
        __after(actor);
        eq(_after.collateral[asset], _before.collateral[asset] + amount, "house draw: collateral");
        eq(_after.dollars, _before.dollars + drawAmount, "house draw: dollars");
    }

    function house_repayAndWithdraw(uint256 actorSeed, uint256 assetSeed, uint256 repayAmount, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint8 asset = _asset(assetSeed);
        repayAmount = between(repayAmount, 0, dollar.balanceOf(actor));
        amount = between(amount, 0, vault.balanceOf(actor, asset));
        __before(actor);
        vm.prank(actor);
        house.repayAndWithdraw(repayAmount, asset, amount);
        __after(actor);
        eq(_after.collateral[asset] + amount, _before.collateral[asset], "house repay: collateral");
        lte(_before.dollars - _after.dollars, repayAmount, "house repay: dollars");
    }

    function house_unwind(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        __before(actor);
        vm.prank(actor);
        house.unwind();
        __after(actor);
        eq(_after.debt, 0, "unwind: debt");
        eq(_after.tranches, 0, "unwind: tranches");
        eq(vault.assetsOf(actor).length, 0, "unwind: collateral");
    }

    function house_liquidateBatch(uint256 mask) public tracked(treasury) {
        uint256 count;
        for (uint256 i; i <= actors.length; ++i) {
            if (mask >> i & 1 == 1) count += 1;
        }
        address[] memory list = new address[](count);
        for (uint256 i; i <= actors.length; ++i) {
            if (mask >> i & 1 == 1) list[--count] = _borrower(i);
        }
        uint256 opened = auctions.auctionCount();
        uint256 started = house.liquidateBatch(list);
        eq(auctions.auctionCount(), opened + started, "batch: started");
    }

    function house_tick() public tracked(treasury) {
        house.tick();
    }

    function house_setHalted(uint256 dice) public tracked(treasury) {
        house.setHalted(dice % 8 == 0);
    }

    // Time

    function warp_hours(uint256 count) public tracked(treasury) {
        vm.warp(block.timestamp + between(count, 1, 24) * 1 hours);
    }

    function warp_days(uint256 count) public tracked(treasury) {
        vm.warp(block.timestamp + between(count, 1, 7) * 1 days);
    }

    function warp_nextWeek() public tracked(treasury) {
        vm.warp((block.timestamp / 7 days + 1) * 7 days);
    }

    function warp_weeks(uint256 count) public tracked(treasury) {
        vm.warp(block.timestamp + between(count, 1, 4) * 7 days);
    }

    // Tokens

    function token_sendDollar(uint256 fromSeed, uint256 toSeed, uint256 amount) public tracked(_actor(fromSeed)) {
        address from = _actor(fromSeed);
        amount = between(amount, 0, dollar.balanceOf(from));
        vm.prank(from);
        dollar.transfer(_borrower(toSeed), amount);
    }
}
