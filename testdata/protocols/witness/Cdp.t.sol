// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {CdpProperties, CdpTest, CdpBugTest} from "../test/Cdp.t.sol";
import {CdpHandler} from "../test/CdpHandler.sol";

contract CdpWitness is Test {
    CdpProperties suite;
    CdpHandler handler;

    function start(bool buggy) internal {
        suite = buggy ? CdpProperties(new CdpBugTest()) : new CdpTest();
        suite.setUp();
        handler = suite.handler();
    }

    /// Wrong total: the surplus of a fully redeemed position stays in the total collateral (medium), 5 calls.
    /// Width: wide; the redeemer needs at least the whole debt of the lowest position, after the first three days.
    function test_cdp_redeemed_surplus() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.open(0, 100e18, 3e18, 0);
            handler.open(1, 10e18, 2e18, 0);
            handler.warp(2 days);
            handler.warp(2 days);
            suite.invariant_collateral_adds_up();
            handler.redeem(0, 20_000e18);
            check(k == 1, suite.invariant_collateral_adds_up.selector);
        }
    }

    /// Stale cache: positions are placed by the stored debt of their neighbours, without the redistributed part
    /// (deep), 6 calls. Width: the new ratio must lie between the real and the stale ratio of another position (about
    /// a third of the range when the liquidated position is as large as the others).
    function test_cdp_stale_order() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.open(0, 100e18, 3e18, 0);
            handler.open(1, 100e18, 2.8e18, 0);
            handler.open(2, 200e18, 1.3e18, 0);
            handler.movePrice(80);
            handler.liquidate(2, 3);
            suite.invariant_list_sorted();
            handler.open(3, 10e18, 2e18, 0);
            check(k == 1, suite.invariant_list_sorted.selector);
        }
    }

    /// Cache not invalidated: a withdrawal announced before a loss pays the old amount (deep), 9 calls. Width: two
    /// depositors, the amount above what is left after the loss, and the withdrawal one to five days after the request.
    function test_cdp_withdraw_after_loss() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.open(0, 100e18, 2.5e18, 0);
            handler.open(1, 20e18, 1.4e18, 0);
            handler.provide(0, 20_000e18);
            handler.provide(1, 20_000e18);
            handler.requestWithdraw(0, 18_000e18);
            handler.movePrice(75);
            handler.liquidate(1, 3);
            handler.warp(1 days);
            suite.invariant_pool_covers_deposits();
            handler.withdraw(0);
            check(k == 1, suite.invariant_pool_covers_deposits.selector);
        }
    }

    /// The invariant is broken in the buggy suite only; all the others hold in both.
    function check(bool buggy, bytes4 selector) internal view {
        bytes4[8] memory all = [
            suite.invariant_supply_is_debt.selector,
            suite.invariant_debts_add_up.selector,
            suite.invariant_collateral_adds_up.selector,
            suite.invariant_collateral_backed.selector,
            suite.invariant_list_sorted.selector,
            suite.invariant_pool_covers_deposits.selector,
            suite.invariant_position_sizes.selector,
            suite.invariant_base_rate.selector
        ];
        for (uint256 i; i < all.length; ++i) {
            (bool ok,) = address(suite).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, !(buggy && all[i] == selector));
        }
    }
}
