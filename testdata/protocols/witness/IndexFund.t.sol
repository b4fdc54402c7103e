// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {IndexFundProperties, IndexFundTest, IndexFundBugTest} from "../test/IndexFund.t.sol";
import {IndexFundHandler} from "../test/IndexFundHandler.sol";

contract IndexFundWitness is Test {
    IndexFundProperties suite;
    IndexFundHandler handler;

    function start(bool buggy) internal {
        suite = buggy ? IndexFundProperties(new IndexFundBugTest()) : new IndexFundTest();
        suite.setUp();
        handler = suite.handler();
    }

    /// Retroactive rate: a fee raise holds from the last accrual on, not from the announced time (medium), 4 calls.
    /// Width: wide; the new rate is above the old one, and nobody accrues at the moment of the change.
    function test_indexfund_retroactive_fee() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.announceFee(0.02e18);
            handler.warp(4 days);
            handler.warp(4 days);
            suite.invariant_fee_on_schedule();
            handler.accrueFee();
            check(k == 1, suite.invariant_fee_on_schedule.selector);
        }
    }

    /// Wrong order of updates: the auction is capped by the holdings before the redemption (medium), 4 calls.
    /// Width: the redeemer holds more than 1 - r of the supply (r: the part for sale, at most 30 %), within two days.
    function test_indexfund_auction_cap() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.mint(0, 3000e18);
            handler.warp(4 days);
            handler.startAuction(2, 1, 59_000e6);
            suite.invariant_auction_within_holdings();
            handler.redeem(0, 3000e18);
            check(k == 1, suite.invariant_auction_within_holdings.selector);
        }
    }

    /// Dangling entries: a reward removed and added again revives the accounts of its first stream (deep), 8 calls.
    /// Width: wide in amounts; no new notice for 21 days, then removal and a new registration of the same token.
    function test_indexfund_revived_rewards() public {
        for (uint256 k; k < 2; ++k) {
            start(k == 1);
            handler.notifyReward(1, 1000e6);
            for (uint256 i; i < 5; ++i) {
                handler.warp(5 days);
            }
            handler.removeReward(1);
            suite.invariant_rewards_covered();
            handler.addReward(1);
            check(k == 1, suite.invariant_rewards_covered.selector);
        }
    }

    /// The invariant is broken in the buggy suite only; all the others hold in both.
    function check(bool buggy, bytes4 selector) internal view {
        bytes4[7] memory all = [
            suite.invariant_holdings_backed.selector,
            suite.invariant_no_dilution.selector,
            suite.invariant_rewards_covered.selector,
            suite.invariant_rewards_held.selector,
            suite.invariant_supply_adds_up.selector,
            suite.invariant_fee_on_schedule.selector,
            suite.invariant_auction_within_holdings.selector
        ];
        for (uint256 i; i < all.length; ++i) {
            (bool ok,) = address(suite).staticcall(abi.encodeWithSelector(all[i]));
            assertEq(ok, !(buggy && all[i] == selector));
        }
    }
}
