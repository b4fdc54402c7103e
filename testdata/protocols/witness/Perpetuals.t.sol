// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {PerpetualsBugTest, PerpetualsProperties, PerpetualsTest} from "../test/Perpetuals.t.sol";
import {PerpetualsHandler} from "../test/PerpetualsHandler.sol";

contract PerpetualsWitness is Test {
    uint256 constant LP = 0;
    uint256 constant ONE = 1;
    uint256 constant TWO = 2;
    uint256 constant THREE = 3;
    uint256 constant ETH = 0;

    function _suite(bool buggy) internal returns (PerpetualsProperties suite) {
        suite = buggy ? PerpetualsProperties(new PerpetualsBugTest()) : PerpetualsProperties(new PerpetualsTest());
        suite.setUp();
    }

    function _check(PerpetualsProperties s, bytes4 failing) internal view {
        bytes4[8] memory all = [
            s.invariant_booksAreBacked.selector,
            s.invariant_openInterest.selector,
            s.invariant_unrealisedProfit.selector,
            s.invariant_skew.selector,
            s.invariant_positionsHaveMargin.selector,
            s.invariant_fundingIsBounded.selector,
            s.invariant_shareSupply.selector,
            s.invariant_tradesKeepInitialMargin.selector
        ];
        for (uint256 i; i < 8; ++i) {
            (bool ok,) = address(s).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, all[i] != failing, vm.toString(i));
        }
    }

    // Wrong side accounting: a trade that turns a long into a short does not add the rest to the other side.
    // Medium: 4 calls, two actors at most. Wide: the second trade is opposite and larger than the position.
    function test_perpetuals_flipInterest() public {
        for (uint256 i; i < 2; ++i) {
            PerpetualsProperties s = _suite(i == 0);
            PerpetualsHandler h = s.handler();
            h.addLiquidity(LP, 1_000_000e6);
            h.depositMargin(ONE, ETH, 20_000e6);
            h.trade(ONE, ETH, 10e18);
            s.invariant_openInterest();
            h.trade(ONE, ETH, -25e18);
            _check(s, i == 0 ? s.invariant_openInterest.selector : bytes4(0));
        }
    }

    // Missed update in one path: liquidation leaves the position's funding entry in the market's sum.
    // Deep: 7 calls. The position must have been entered or changed after funding has run, then fall below maintenance.
    // Wide in the amounts.
    function test_perpetuals_danglingFundingEntry() public {
        for (uint256 i; i < 2; ++i) {
            PerpetualsProperties s = _suite(i == 0);
            PerpetualsHandler h = s.handler();
            h.addLiquidity(LP, 1_000_000e6);
            h.depositMargin(ONE, ETH, 20_000e6);
            h.trade(ONE, ETH, 40e18);
            h.warp(1 days);
            h.trade(ONE, ETH, 40e18);
            h.movePrice(ETH, 90);
            s.invariant_unrealisedProfit();
            h.liquidate(LP, ONE, ETH);
            _check(s, i == 0 ? s.invariant_unrealisedProfit.selector : bytes4(0));
        }
    }

    // Double count: a shortfall larger than the insurance fund is credited to the pool in full.
    // Deep: 9 calls, two traders, two liquidations. The first must happen while equity is between nothing and the
    // maintenance margin (it pays the fund), the second after a gap whose loss exceeds the fund.
    function test_perpetuals_shortfallBeyondInsurance() public {
        for (uint256 i; i < 2; ++i) {
            PerpetualsProperties s = _suite(i == 0);
            PerpetualsHandler h = s.handler();
            h.addLiquidity(LP, 2_000_000e6);
            h.depositMargin(ONE, ETH, 20_000e6);
            h.depositMargin(TWO, ETH, 20_000e6);
            h.trade(ONE, ETH, 90e18);
            h.trade(TWO, ETH, 60e18);
            h.movePrice(ETH, 92);
            h.liquidate(LP, ONE, ETH);
            h.movePrice(ETH, 80);
            s.invariant_booksAreBacked();
            h.liquidate(THREE, TWO, ETH);
            _check(s, i == 0 ? s.invariant_booksAreBacked.selector : bytes4(0));
        }
    }
}
