// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: the share price can be inflated while the vault is nearly empty.
// Calls: 3 (a deposit of a few wei, a donation, a deposit of the order of the donation). Width: the first deposit must
// be tiny and be alone in the vault; the two other amounts have much room.

import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {BugShown} from "../common/BugShown.sol";
import {YieldAsset, YieldVault, YieldVaultBug} from "./YieldVault.sol";
import {YieldVaultHandler} from "./YieldVaultHandler.sol";

abstract contract YieldVaultProperties is BugShown {
    YieldAsset internal asset;
    ERC4626 internal vault;
    YieldVaultHandler internal handler;

    function _deploy() internal virtual returns (ERC4626);

    function setUp() public {
        asset = new YieldAsset();
        vault = _deploy();
        handler = new YieldVaultHandler(vault, asset);
        targetContract(address(handler));
    }

    function invariant_depositorsKeepTheirMoney() external view {
        assertLe(handler.ghost_worstLossBps(), 100, "a deposit lost more than one percent");
    }

    function invariant_sharesAreRedeemable() external view {
        uint256 owed;
        for (uint256 i; i < handler.actorCount(); ++i) {
            owed += vault.convertToAssets(vault.balanceOf(handler.actor(i)));
        }
        assertLe(owed, vault.totalAssets());
    }
}

/// @custom:expect invariant_depositorsKeepTheirMoney PASS
/// @custom:expect invariant_sharesAreRedeemable PASS
contract YieldVaultTest is YieldVaultProperties {
    function _deploy() internal override returns (ERC4626) {
        return new YieldVault(asset);
    }
}

/// @custom:bug calls=3
/// @custom:expect invariant_depositorsKeepTheirMoney FAIL
/// @custom:expect invariant_sharesAreRedeemable PASS
contract YieldVaultBugTest is YieldVaultProperties {
    function _deploy() internal override returns (ERC4626) {
        return new YieldVaultBug(asset);
    }

    function test_bug_shown() public {
        handler.deposit(0, 1);
        handler.donate(0, 100 ether);
        this.invariant_depositorsKeepTheirMoney();
        handler.deposit(1, 150 ether);
        assertBroken(this.invariant_depositorsKeepTheirMoney);
    }
}
