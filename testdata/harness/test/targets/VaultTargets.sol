// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract VaultTargets is Properties {
    function vault_deposit(uint256 actorSeed, uint256 assetSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint8 asset = _asset(assetSeed);
        uint256 wallet = tokens[asset].balanceOf(actor);
        if (wallet == 0) return;
        amount = between(amount, 1, wallet);
        __before(actor);
        vm.prank(actor);
        vault.deposit(asset, amount, actor);
        __after(actor);
        eq(_after.collateral[asset], _before.collateral[asset] + amount, "deposit: balance");
        eq(_after.wallet[asset] + amount, _before.wallet[asset], "deposit: wallet");
    }

    function vault_deposit_raw(uint256 actorSeed, uint8 asset, uint256 amount) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        vault.deposit(asset, amount, _actor(actorSeed));
    }

    function vault_depositFor(uint256 payerSeed, uint256 accountSeed, uint256 assetSeed, uint256 amount) public {
        address payer = _actor(payerSeed);
        address account = _borrower(accountSeed);
        uint8 asset = _asset(assetSeed);
        uint256 wallet = tokens[asset].balanceOf(payer);
        if (wallet == 0) return;
        amount = between(amount, 1, wallet);
        __before(account);
        vm.prank(payer);
        vault.deposit(asset, amount, account);
        __after(account);
        eq(_after.collateral[asset], _before.collateral[asset] + amount, "depositFor: balance");
    }

    function vault_withdraw(uint256 actorSeed, uint256 assetSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint8 asset = _asset(assetSeed);
        uint256 balance = vault.balanceOf(actor, asset);
        if (balance == 0) return;
        amount = between(amount, 1, balance);
        __before(actor);
        vm.prank(actor);
        vault.withdraw(asset, amount, actor);
        __after(actor);
        eq(_after.collateral[asset] + amount, _before.collateral[asset], "withdraw: balance");
        eq(_after.wallet[asset], _before.wallet[asset] + amount, "withdraw: wallet");
        if (_after.debt > 0) gte(vault.borrowPower(actor), _after.debt, "withdraw: unhealthy");
    }

    function vault_withdraw_raw(uint256 actorSeed, uint8 asset, uint256 amount) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        vault.withdraw(asset, amount, _actor(actorSeed));
    }

    function vault_withdrawAll(uint256 actorSeed) public {
        address actor = _actor(actorSeed);
        uint8[] memory held = vault.assetsOf(actor);
        __before(actor);
        for (uint256 i; i < held.length; ++i) {
            uint256 balance = vault.balanceOf(actor, held[i]);
            vm.prank(actor);
            vault.withdraw(held[i], balance, actor);
        }
        __after(actor);
        eq(vault.assetsOf(actor).length, 0, "withdrawAll: held");
    }

    function vault_transfer(uint256 fromSeed, uint256 toSeed, uint256 assetSeed, uint256 amount) public {
        address from = _actor(fromSeed);
        address to = _actor(toSeed);
        uint8 asset = _asset(assetSeed);
        uint256 balance = vault.balanceOf(from, asset);
        if (balance == 0) return;
        amount = between(amount, 1, balance);
        uint256 had = vault.balanceOf(to, asset);
        __before(from);
        vm.prank(from);
        vault.transferCollateral(to, asset, amount);
        __after(from);
        if (from == to) return;
        eq(_after.collateral[asset] + amount, _before.collateral[asset], "transfer: from");
        eq(vault.balanceOf(to, asset), had + amount, "transfer: to");
    }

    function vault_transfer_raw(uint256 fromSeed, uint256 toSeed, uint8 asset, uint256 amount)
        public
        tracked(_actor(fromSeed))
    {
        vm.prank(_actor(fromSeed));
        vault.transferCollateral(_borrower(toSeed), asset, amount);
    }

    function vault_setPaused(uint256 assetSeed, uint256 dice) public tracked(treasury) {
        vault.setPaused(_asset(assetSeed), dice % 4 == 0);
    }

    function vault_donate(uint256 actorSeed, uint256 assetSeed, uint256 amount) public tracked(_actor(actorSeed)) {
        uint8 asset = _asset(assetSeed);
        amount = between(amount, 0, tokens[asset].balanceOf(_actor(actorSeed)) / 100);
        vm.prank(_actor(actorSeed));
        tokens[asset].transfer(address(vault), amount);
    }

    function test_vaultRoundTrip(uint256 actorSeed, uint256 assetSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        uint8 asset = _asset(assetSeed);
        amount = between(amount, 1, tokens[asset].balanceOf(actor));
        __before(actor);
        vm.prank(actor);
        vault.deposit(asset, amount, actor);
        vm.prank(actor);
        vault.withdraw(asset, amount, actor);
        __after(actor);
        eq(_after.wallet[asset], _before.wallet[asset], "round trip: wallet");
        eq(_after.collateral[asset], _before.collateral[asset], "round trip: balance");
    }
}
