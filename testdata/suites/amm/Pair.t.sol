// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: `kLast` survives the time in which the protocol fee is off.
// Calls: 5 (liquidity with the fee on, fee off, liquidity, fee on, liquidity). Width: any amounts that let the product
// grow; only the order of the calls matters, and swaps between them do no harm.

import {BugShown} from "../common/BugShown.sol";
import {Pair, PairBug, PairToken} from "./Pair.sol";
import {PairHandler} from "./PairHandler.sol";

abstract contract PairProperties is BugShown {
    PairToken internal token0;
    PairToken internal token1;
    Pair internal pair;
    PairHandler internal handler;

    function _deploy() internal virtual returns (Pair);

    function setUp() public {
        token0 = new PairToken("T0");
        token1 = new PairToken("T1");
        pair = _deploy();
        handler = new PairHandler(pair, token0, token1);
        pair.setFeeTo(handler.treasury());
        targetContract(address(handler));
    }

    function invariant_noFeeForTheTimeItWasOff() external view {
        assertEq(handler.ghost_undueFee(), 0);
    }

    function invariant_reservesAreBalances() external view {
        assertEq(pair.reserve0(), token0.balanceOf(address(pair)), "reserve0");
        assertEq(pair.reserve1(), token1.balanceOf(address(pair)), "reserve1");
    }

    function invariant_sharesBelongToSomebody() external view {
        uint256 held = pair.balanceOf(address(0xdead)) + pair.balanceOf(handler.treasury());
        for (uint256 i; i < handler.actorCount(); ++i) {
            held += pair.balanceOf(handler.actor(i));
        }
        assertEq(held, pair.totalSupply());
    }
}

/// @custom:expect invariant_noFeeForTheTimeItWasOff PASS
/// @custom:expect invariant_reservesAreBalances PASS
/// @custom:expect invariant_sharesBelongToSomebody PASS
contract PairTest is PairProperties {
    function _deploy() internal override returns (Pair) {
        return new Pair(token0, token1);
    }
}

/// @custom:bug calls=5
/// @custom:expect invariant_noFeeForTheTimeItWasOff FAIL
/// @custom:expect invariant_reservesAreBalances PASS
/// @custom:expect invariant_sharesBelongToSomebody PASS
contract PairBugTest is PairProperties {
    function _deploy() internal override returns (Pair) {
        return new PairBug(token0, token1);
    }

    function test_bug_shown() public {
        handler.addLiquidity(0, 1e18, 1e18);
        handler.setFee(false);
        handler.addLiquidity(1, 2e18, 2e18);
        handler.setFee(true);
        this.invariant_noFeeForTheTimeItWasOff();
        handler.removeLiquidity(1, 0);
        assertBroken(this.invariant_noFeeForTheTimeItWasOff);
    }
}
