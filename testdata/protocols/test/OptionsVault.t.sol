// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OptionsVault} from "../src/OptionsVault.sol";
import {OptionsVaultBug} from "../src/OptionsVaultBug.sol";
import {PriceOracle} from "../src/options/PriceOracle.sol";
import {TestToken} from "../src/common/TestToken.sol";
import {OptionsVaultHandler} from "./OptionsVaultHandler.sol";

abstract contract OptionsVaultProperties is Test {
    TestToken public asset;
    TestToken public cash;
    PriceOracle public oracle;
    OptionsVault public vault;
    OptionsVaultHandler public handler;
    address public keeper = address(0xC0);
    address[] public users;
    address[] public buyers;

    function _deploy() internal virtual returns (OptionsVault);

    function setUp() public virtual {
        vm.warp(1_710_200_000);
        asset = new TestToken("Wrapped Bitcoin", "WBTC", 8);
        cash = new TestToken("USD Coin", "USDC", 6);
        oracle = new PriceOracle(60_000e8, keeper);
        vault = _deploy();
        for (uint160 i = 1; i <= 4; ++i) {
            users.push(address(0xC000 + i));
        }
        for (uint160 i = 1; i <= 3; ++i) {
            buyers.push(address(0xD000 + i));
        }
        handler = new OptionsVaultHandler(vault, asset, cash, keeper, users, buyers);
        targetContract(address(handler));
    }

    /// Assets held cover the vault, waiting deposits, withdrawals and payouts.
    function invariant_assetSolvency() public view {
        uint256 owed =
            vault.vaultAssets() + vault.totalPending() + vault.withdrawReserve() + vault.payoutReserve();
        assertGe(asset.balanceOf(address(vault)), owed, "asset");
    }

    /// The withdrawal reserve is what leavers can take, up to rounding.
    function invariant_withdrawalsBacked() public view {
        uint256 sum;
        for (uint256 i; i < users.length; ++i) {
            sum += vault.accountOf(users[i]).withdrawable;
        }
        assertLe(sum, vault.withdrawReserve(), "reserve too small");
        assertGe(sum + _dust(), vault.withdrawReserve(), "reserve stuck");
    }

    /// Wallet, unclaimed and queued shares of all users make up the supply, up to rounding.
    function invariant_sharesMatchSupply() public view {
        uint256 sum;
        for (uint256 i; i < users.length; ++i) {
            OptionsVault.Account memory a = vault.accountOf(users[i]);
            sum += vault.balanceOf(users[i]) + a.unclaimed + a.queued;
        }
        assertLe(sum, vault.totalSupply(), "more shares than supply");
        assertGe(sum + _dust(), vault.totalSupply(), "lost shares");
    }

    /// The premiums owed to users are in the pot, and the pot and the fees are held.
    function invariant_premiumsBacked() public view {
        uint256 sum;
        for (uint256 i; i < users.length; ++i) {
            sum += vault.accountOf(users[i]).credit;
        }
        assertLe(sum, vault.premiumPot(), "premiums");
        assertGe(cash.balanceOf(address(vault)), vault.premiumPot() + vault.feesAccrued(), "cash");
    }

    /// Open options are the ones sold in the round, and settled ones are covered by the payout reserve.
    function invariant_optionsBacked() public view {
        uint256 open;
        uint256 owed;
        for (uint256 i; i < buyers.length; ++i) {
            OptionsVault.Ticket memory t = vault.ticketOf(buyers[i]);
            open += t.amount;
            owed += t.payout;
        }
        OptionsVault.Round memory r = vault.getRound(vault.round());
        assertEq(open, r.settled ? 0 : r.sold, "open options");
        assertLe(owed, vault.payoutReserve(), "payouts");
    }

    /// Waiting deposits and queued shares of the users add up to the totals.
    function invariant_queuesMatchTotals() public view {
        uint256 pending;
        uint256 queued;
        for (uint256 i; i < users.length; ++i) {
            OptionsVault.Account memory a = vault.accountOf(users[i]);
            pending += a.pending;
            queued += a.queued;
        }
        assertEq(pending, vault.totalPending(), "pending");
        assertEq(queued, vault.totalQueued(), "queued");
    }

    /// A running round is fully collateralised, and the cap holds for it.
    function invariant_roundCollateralised() public view {
        OptionsVault.Round memory r = vault.getRound(vault.round());
        assertLe(r.sold, r.capacity, "oversold");
        if (!r.settled) assertLe(r.capacity, vault.vaultAssets(), "collateral");
        assertLe(vault.vaultAssets(), vault.depositCap(), "cap");
    }

    function _dust() internal view returns (uint256) {
        return (uint256(vault.round()) + 1) * users.length;
    }
}

/// @custom:expect invariant_assetSolvency PASS
/// @custom:expect invariant_withdrawalsBacked PASS
/// @custom:expect invariant_sharesMatchSupply PASS
/// @custom:expect invariant_premiumsBacked PASS
/// @custom:expect invariant_optionsBacked PASS
/// @custom:expect invariant_queuesMatchTotals PASS
/// @custom:expect invariant_roundCollateralised PASS
contract OptionsVaultTest is OptionsVaultProperties {
    function _deploy() internal override returns (OptionsVault) {
        return new OptionsVault(IERC20(address(asset)), IERC20(address(cash)), oracle, 2_000e8, keeper);
    }
}

/// @custom:bug calls=10
/// @custom:expect invariant_assetSolvency PASS
/// @custom:expect invariant_withdrawalsBacked FAIL
/// @custom:expect invariant_sharesMatchSupply PASS
/// @custom:expect invariant_premiumsBacked FAIL
/// @custom:expect invariant_optionsBacked FAIL
/// @custom:expect invariant_queuesMatchTotals PASS
/// @custom:expect invariant_roundCollateralised PASS
contract OptionsVaultBugTest is OptionsVaultProperties {
    function _deploy() internal override returns (OptionsVault) {
        return new OptionsVaultBug(IERC20(address(asset)), IERC20(address(cash)), oracle, 2_000e8, keeper);
    }
}
