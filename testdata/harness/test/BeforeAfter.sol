// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Setup} from "./Setup.sol";

/// @notice A picture of the state before and after each call.
abstract contract BeforeAfter is Setup {
    struct Vars {
        uint256 index;
        uint256 totalDebt;
        uint256 badDebt;
        uint256 supply;
        uint256 totalStaked;
        uint256 totalWeight;
        uint256 fundAssets;
        uint256 fundShares;
        uint256 fundPrice;
        uint256 debt;
        uint256 dollars;
        uint256 clears;
        uint256 staked;
        uint256 weight;
        uint256 tranches;
        uint256[3] collateral;
        uint256[3] wallet;
    }

    Vars internal _before;
    Vars internal _after;
    uint256 internal ghostIndex;
    uint256 internal ghostCalls;

    modifier tracked(address actor) {
        __before(actor);
        _;
        __after(actor);
    }

    function __before(address actor) internal {
        _snap(_before, actor);
    }

    function __after(address actor) internal {
        _snap(_after, actor);
        ghostCalls += 1;
        if (_after.index > ghostIndex) ghostIndex = _after.index;
        _inline();
    }

    /// @dev Checks that belong to every call.
    function _inline() internal virtual;

    function _snap(Vars storage v, address actor) private {
        v.index = ledger.index();
        v.totalDebt = ledger.totalDebt();
        v.badDebt = ledger.badDebt();
        v.supply = dollar.totalSupply();
        v.totalStaked = staking.totalStaked();
        v.totalWeight = staking.totalWeight();
        v.fundAssets = fund.totalAssets();
        v.fundShares = fund.totalShares();
        v.fundPrice = fund.convertToAssets(1e24);
        v.debt = lines.debtOf(actor);
        v.dollars = dollar.balanceOf(actor);
        v.clears = clear.balanceOf(actor);
        v.staked = staking.stakedOf(actor);
        v.weight = staking.weightOf(actor);
        v.tranches = lines.trancheCount(actor);
        for (uint256 i; i < ASSETS; ++i) {
            v.collateral[i] = vault.balanceOf(actor, uint8(i));
            v.wallet[i] = tokens[i].balanceOf(actor);
        }
    }
}
