// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {CreditLines} from "../src/clearinghouse/CreditLines.sol";
import {LiquidationAuctions} from "../src/clearinghouse/LiquidationAuctions.sol";
import {BeforeAfter} from "./BeforeAfter.sol";

/// @notice What must hold at all times.
abstract contract Properties is BeforeAfter {
    uint256 internal constant DUST = 1e6;

    function _inline() internal override {
        gte(_after.index, _before.index, "the index fell");
        gte(_after.totalWeight, _after.weight, "a weight above the total");
    }

    function invariant_vaultTotals() public view returns (bool) {
        address[] memory list = _accounts();
        for (uint8 asset; asset < ASSETS; ++asset) {
            uint256 sum;
            for (uint256 i; i < list.length; ++i) {
                sum += vault.balanceOf(list[i], asset);
            }
            if (sum != vault.totalOf(asset)) return false;
        }
        return true;
    }

    function invariant_vaultSolvency() public view returns (bool) {
        for (uint8 asset; asset < ASSETS; ++asset) {
            if (tokens[asset].balanceOf(address(vault)) < vault.totalOf(asset)) return false;
        }
        return true;
    }

    function invariant_heldAssets() public view returns (bool) {
        address[] memory list = _accounts();
        for (uint256 i; i < list.length; ++i) {
            uint8[] memory held = vault.assetsOf(list[i]);
            uint256 nonZero;
            for (uint8 asset; asset < ASSETS; ++asset) {
                if (vault.balanceOf(list[i], asset) > 0) nonZero += 1;
            }
            if (held.length != nonZero) return false;
            for (uint256 j; j < held.length; ++j) {
                if (vault.balanceOf(list[i], held[j]) == 0) return false;
            }
        }
        return true;
    }

    function invariant_ledgerMatchesTranches() public view returns (bool) {
        uint256 total;
        for (uint256 i; i <= actors.length; ++i) {
            address borrower = _borrower(i);
            CreditLines.Tranche[] memory list = lines.tranchesOf(borrower);
            uint256 sum;
            for (uint256 j; j < list.length; ++j) {
                sum += list[j].scaled;
            }
            if (sum != ledger.scaledOf(borrower)) return false;
            total += sum;
        }
        return total == ledger.totalScaled();
    }

    function invariant_supplyBacked() public view returns (bool) {
        uint256 claims = ledger.totalDebt() + ledger.badDebt();
        uint256 supply = dollar.totalSupply();
        return supply <= claims && claims - supply <= DUST;
    }

    function invariant_trancheIndex() public view returns (bool) {
        for (uint256 i; i <= actors.length; ++i) {
            CreditLines.Tranche[] memory list = lines.tranchesOf(_borrower(i));
            for (uint256 j; j < list.length; ++j) {
                if (lines.position(list[j].id) != j + 1) return false;
            }
        }
        return true;
    }

    function invariant_indexGrows() public view returns (bool) {
        return ledger.index() >= ghostIndex && ledger.index() >= 1e27;
    }

    function invariant_stakingBacked() public view returns (bool) {
        uint256 staked;
        uint256 cooling;
        for (uint256 i; i < actors.length; ++i) {
            staked += staking.stakedOf(actors[i]);
            cooling += staking.coolingOf(actors[i]);
        }
        if (staked != staking.totalStaked() || cooling != staking.totalCooling()) return false;
        return clear.balanceOf(address(staking)) >= staked + cooling + staking.rewardReserve();
    }

    function invariant_rewardsAccrued() public view returns (bool) {
        uint256 sum = staking.paidOut();
        for (uint256 i; i < actors.length; ++i) {
            sum += staking.earned(actors[i]);
        }
        return sum <= staking.accruedNow();
    }

    function invariant_feeShares() public view returns (bool) {
        uint256 count = distributor.weekCount();
        for (uint256 i; i < count; ++i) {
            uint256 week = distributor.weekAt(i);
            uint256 sum;
            for (uint256 j; j < actors.length; ++j) {
                sum += distributor.shareOf(actors[j], week);
            }
            if (sum > distributor.feesOf(week)) return false;
        }
        return true;
    }

    function invariant_fundQueue() public view returns (bool) {
        uint256 queued;
        uint256 shares;
        for (uint256 i; i < actors.length; ++i) {
            queued += fund.requestOf(actors[i]).shares;
            shares += fund.sharesOf(actors[i]);
        }
        return queued == fund.queuedShares() && shares == fund.totalShares();
    }

    function invariant_auctionCustody() public view returns (bool) {
        uint256[3] memory lots;
        uint256 count = auctions.auctionCount();
        for (uint256 i; i < count; ++i) {
            LiquidationAuctions.Auction memory a = auctions.auctionOf(i);
            if (a.open != (auctions.openOf(a.borrower, a.asset) == i + 1)) return false;
            if (a.open) lots[a.asset] += a.lotLeft;
        }
        for (uint8 asset; asset < ASSETS; ++asset) {
            if (vault.balanceOf(address(auctions), asset) < lots[asset]) return false;
        }
        return true;
    }
}
