// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {FeeVault, FeeVaultAsset} from "./FeeVault.sol";

contract FeeVaultHandler is Actors {
    FeeVault public immutable vault;
    FeeVaultAsset public immutable asset;

    /// Whether any operation left a lower share price than it found.
    bool public ghost_priceFell;

    constructor(FeeVault vault_, FeeVaultAsset asset_) {
        vault = vault_;
        asset = asset_;
        _addActors("lender", 3);
    }

    modifier watchingThePrice() {
        uint256 assetsBefore = vault.totalAssets() + 1;
        uint256 sharesBefore = vault.totalSupply() + 1;
        _;
        uint256 assetsAfter = vault.totalAssets() + 1;
        uint256 sharesAfter = vault.totalSupply() + 1;
        if (assetsAfter * sharesBefore < assetsBefore * sharesAfter) ghost_priceFell = true;
    }

    function deposit(uint256 actorSeed, uint256 assets) external watchingThePrice {
        address lender = actor(actorSeed);
        assets = bound(assets, 1, 1e15);
        asset.mint(lender, assets);
        vm.startPrank(lender);
        asset.approve(address(vault), assets);
        vault.deposit(assets, lender);
        vm.stopPrank();
    }

    function mint(uint256 actorSeed, uint256 shares) external watchingThePrice {
        address lender = actor(actorSeed);
        shares = bound(shares, 1, 1e15);
        uint256 assets = vault.previewMint(shares);
        asset.mint(lender, assets);
        vm.startPrank(lender);
        asset.approve(address(vault), assets);
        vault.mint(shares, lender);
        vm.stopPrank();
    }

    function withdraw(uint256 actorSeed, uint256 assets) external watchingThePrice {
        address lender = actor(actorSeed);
        assets = bound(assets, 0, vault.maxWithdraw(lender));
        vm.prank(lender);
        vault.withdraw(assets, lender, lender);
    }

    function redeem(uint256 actorSeed, uint256 shares) external watchingThePrice {
        address lender = actor(actorSeed);
        shares = bound(shares, 0, vault.balanceOf(lender));
        vm.prank(lender);
        vault.redeem(shares, lender, lender);
    }

    /// Interest arrives.
    function accrue(uint256 assets) external watchingThePrice {
        asset.mint(address(vault), bound(assets, 0, 1e12));
    }
}
