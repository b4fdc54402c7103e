// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: `previewWithdraw` rounds down, so that a withdrawal can burn too few shares.
// Calls: 3 (deposit, accrual, withdrawal; the price must be off one first). Width: wide, nearly any withdrawal whose
// shares are not a whole number.

import {BugShown} from "../common/BugShown.sol";
import {FeeVault, FeeVaultAsset, FeeVaultBug} from "./FeeVault.sol";
import {FeeVaultHandler} from "./FeeVaultHandler.sol";

abstract contract FeeVaultProperties is BugShown {
    FeeVaultAsset internal asset;
    FeeVault internal vault;
    FeeVaultHandler internal handler;

    function _deploy() internal virtual returns (FeeVault);

    function setUp() public {
        asset = new FeeVaultAsset();
        vault = _deploy();
        handler = new FeeVaultHandler(vault, asset);
        targetContract(address(handler));
        excludeSender(address(vault));
    }

    function invariant_sharePriceNeverFalls() external view {
        assertFalse(handler.ghost_priceFell());
    }

    function invariant_everybodyCanLeave() external view {
        uint256 owed;
        for (uint256 i; i < handler.actorCount(); ++i) {
            owed += vault.maxWithdraw(handler.actor(i));
        }
        assertLe(owed, vault.totalAssets(), "owed");
    }
}

/// @custom:expect invariant_sharePriceNeverFalls PASS
/// @custom:expect invariant_everybodyCanLeave PASS
contract FeeVaultTest is FeeVaultProperties {
    function _deploy() internal override returns (FeeVault) {
        return new FeeVault(asset);
    }
}

/// @custom:bug calls=3
/// @custom:expect invariant_sharePriceNeverFalls FAIL
/// @custom:expect invariant_everybodyCanLeave PASS
contract FeeVaultBugTest is FeeVaultProperties {
    function _deploy() internal override returns (FeeVault) {
        return new FeeVaultBug(asset);
    }

    function test_bug_shown() public {
        handler.deposit(0, 1_000_000);
        handler.accrue(500_000);
        this.invariant_sharePriceNeverFalls();
        handler.withdraw(0, 1);
        assertBroken(this.invariant_sharePriceNeverFalls);
    }
}
