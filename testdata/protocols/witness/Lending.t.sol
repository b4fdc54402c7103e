// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {LendingBugTest, LendingProperties, LendingTest} from "../test/Lending.t.sol";
import {LendingHandler} from "../test/LendingHandler.sol";

contract LendingWitness is Test {
    uint256 constant ALICE = 0;
    uint256 constant BOB = 1;
    uint256 constant CAROL = 2;
    uint256 constant USDC = 0;
    uint256 constant WETH = 1;
    uint256 constant WBTC = 2;

    function _suite(bool buggy) internal returns (LendingProperties suite) {
        suite = buggy ? LendingProperties(new LendingBugTest()) : LendingProperties(new LendingTest());
        suite.setUp();
    }

    function _others(LendingProperties s, bytes4 failing) internal view {
        bytes4[8] memory all = [
            s.invariant_solvency.selector,
            s.invariant_cashIsHeld.selector,
            s.invariant_supplySum.selector,
            s.invariant_debtSum.selector,
            s.invariant_indexesGrow.selector,
            s.invariant_debtHasCollateral.selector,
            s.invariant_liquidationTakesWhatItSeizes.selector,
            s.invariant_usersLeaveThemselvesHealthy.selector
        ];
        for (uint256 i; i < 8; ++i) {
            (bool ok,) = address(s).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, all[i] != failing, vm.toString(i));
        }
    }

    // Cache not invalidated: netting a debt against supply leaves the old rates, so suppliers earn more than is paid.
    // Medium: 4 calls (one actor suffices). Wide: any netting of a fair part of the loan, then some days.
    function test_lending_staleRateAfterNetting() public {
        for (uint256 i; i < 2; ++i) {
            LendingProperties s = _suite(i == 0);
            LendingHandler h = s.handler();
            h.supply(ALICE, USDC, 50_000e6);
            h.borrow(ALICE, USDC, 30_000e6);
            h.repayWithSupply(ALICE, USDC, 25_000e6);
            s.invariant_solvency();
            h.warp(10 days);
            _others(s, i == 0 ? s.invariant_solvency.selector : bytes4(0));
        }
    }

    // Stale index: liquidation does not accrue the collateral reserve, so too many shares are burned.
    // Deep: 7 calls, two actors and a liquidator. The collateral must itself be lent out for some time, untouched
    // until the liquidation. Wide in the amounts; the price must fall below the liquidation point.
    function test_lending_staleCollateralIndex() public {
        for (uint256 i; i < 2; ++i) {
            LendingProperties s = _suite(i == 0);
            LendingHandler h = s.handler();
            h.supply(ALICE, USDC, 100_000e6);
            h.supply(BOB, WETH, 10e18);
            h.borrow(BOB, USDC, 14_000e6);
            h.borrow(ALICE, WETH, 4e18);
            h.warp(20 days);
            h.movePrice(0, 83);
            s.invariant_liquidationTakesWhatItSeizes();
            h.liquidate(CAROL, BOB, USDC, WETH, 3_000e6);
            assertEq(h.liquidations(), 1);
            _others(s, i == 0 ? s.invariant_liquidationTakesWhatItSeizes.selector : bytes4(0));
        }
    }

    // Missed entry: when the last collateral is gone only the repaid asset's debt is written off.
    // Deep: 7 calls, two borrowed assets, a fall in price and a liquidation that takes all collateral. The larger loan
    // must be worth at least the collateral without the bonus.
    function test_lending_partialWriteOff() public {
        for (uint256 i; i < 2; ++i) {
            LendingProperties s = _suite(i == 0);
            LendingHandler h = s.handler();
            h.supply(ALICE, USDC, 100_000e6);
            h.supply(ALICE, WBTC, 1e8);
            h.supply(BOB, WETH, 10e18);
            h.borrow(BOB, USDC, 13_000e6);
            h.borrow(BOB, WBTC, 0.03e8);
            h.movePrice(0, 60);
            s.invariant_debtHasCollateral();
            h.liquidate(CAROL, BOB, USDC, WETH, 13_000e6);
            assertEq(h.liquidations(), 1);
            _others(s, i == 0 ? s.invariant_debtHasCollateral.selector : bytes4(0));
        }
    }
}
