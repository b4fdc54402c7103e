// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {Actors} from "../common/Actors.sol";
import {YieldAsset} from "./YieldVault.sol";

contract YieldVaultHandler is Actors {
    uint256 public constant ENDOWMENT = 1000 ether;
    /// Deposits below this are not expected to keep their value: a share may be worth a few thousandths of it.
    uint256 public constant SERIOUS_DEPOSIT = 1 ether;

    ERC4626 public immutable vault;
    YieldAsset public immutable asset;

    /// The largest part of a serious deposit that was lost in the moment of depositing, in basis points.
    uint256 public ghost_worstLossBps;

    constructor(ERC4626 vault_, YieldAsset asset_) {
        vault = vault_;
        asset = asset_;
        _addActors("saver", 4);
        for (uint256 i; i < actors.length; ++i) {
            asset.mint(actors[i], ENDOWMENT);
            vm.prank(actors[i]);
            asset.approve(address(vault), type(uint256).max);
        }
    }

    function deposit(uint256 actorSeed, uint256 assets) external by(actorSeed) {
        uint256 balance = asset.balanceOf(actor(actorSeed));
        if (balance == 0) return;
        assets = bound(assets, 1, balance);
        if (vault.previewDeposit(assets) == 0) return;
        uint256 shares = vault.deposit(assets, actor(actorSeed));
        _noteLoss(assets, vault.convertToAssets(shares));
    }

    function redeem(uint256 actorSeed, uint256 shares) external by(actorSeed) {
        address saver = actor(actorSeed);
        shares = bound(shares, 0, vault.balanceOf(saver));
        if (vault.previewRedeem(shares) == 0) return;
        vault.redeem(shares, saver, saver);
    }

    function withdraw(uint256 actorSeed, uint256 assets) external by(actorSeed) {
        address saver = actor(actorSeed);
        assets = bound(assets, 0, vault.maxWithdraw(saver));
        vault.withdraw(assets, saver, saver);
    }

    function donate(uint256 actorSeed, uint256 assets) external by(actorSeed) {
        assets = bound(assets, 0, asset.balanceOf(actor(actorSeed)));
        asset.transfer(address(vault), assets);
    }

    function _noteLoss(uint256 paid, uint256 worth) private {
        if (paid < SERIOUS_DEPOSIT || worth >= paid) return;
        uint256 lossBps = (paid - worth) * 10_000 / paid;
        if (lossBps > ghost_worstLossBps) ghost_worstLossBps = lossBps;
    }
}
