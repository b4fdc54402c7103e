// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract FundTargets is Properties {
    function fund_deposit(uint256 actorSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        amount = between(amount, 1e18, dollar.balanceOf(actor));
        __before(actor);
        vm.prank(actor);
        uint256 shares = fund.deposit(amount);
        __after(actor);
        lte(fund.convertToAssets(shares), amount, "fund deposit: profit");
        eq(_after.fundAssets, _before.fundAssets + amount, "fund deposit: assets");
        eq(_after.fundShares, _before.fundShares + shares, "fund deposit: shares");
    }

    function fund_deposit_raw(uint256 actorSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        fund.deposit(amount);
    }

    function fund_requestExit(uint256 actorSeed, uint256 shares) public tracked(_actor(actorSeed)) {
        address actor = _actor(actorSeed);
        uint256 queued = fund.requestOf(actor).shares;
        uint256 free = fund.sharesOf(actor) - queued;
        if (free == 0) return;
        shares = between(shares, 1, free);
        vm.prank(actor);
        fund.requestExit(shares);
        eq(fund.requestOf(actor).shares, queued + shares, "request: queued");
    }

    function fund_cancelExit(uint256 actorSeed, uint256 shares) public tracked(_actor(actorSeed)) {
        address actor = _actor(actorSeed);
        uint256 queued = fund.requestOf(actor).shares;
        if (queued == 0) return;
        shares = between(shares, 1, queued);
        vm.prank(actor);
        fund.cancelExit(shares);
        eq(fund.requestOf(actor).shares + shares, queued, "cancel: queued");
    }

    function fund_claimExit(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint256 shares = fund.requestOf(actor).shares;
        uint256 value = fund.convertToAssets(shares);
        __before(actor);
        vm.prank(actor);
        uint256 paid = fund.claimExit();
        __after(actor);
        lte(paid, value, "claimExit: paid");
        eq(_after.dollars, _before.dollars + paid, "claimExit: dollars");
        eq(_after.fundShares + shares, _before.fundShares, "claimExit: shares");
    }

    function fund_donate(uint256 actorSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        address actor = _actor(actorSeed);
        amount = between(amount, 0, dollar.balanceOf(actor) / 100);
        vm.prank(actor);
        dollar.transfer(address(fund), amount);
    }

    function prop_fundCash() public {
        gte(dollar.balanceOf(address(fund)), fund.totalAssets(), "fund: cash");
    }

    function test_fundConversion(uint256 assets) public {
        assets = between(assets, 1, 1e30);
        lte(fund.convertToAssets(fund.convertToShares(assets)), assets, "fund: conversion");
    }
}
