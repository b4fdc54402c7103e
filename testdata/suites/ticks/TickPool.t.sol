// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: a tick is not passed by the swap that ends on it.
// Calls: 2 (a position that begins or ends at a tick near the price, a swap upwards). Width: very narrow; of 10^25 amounts
// to swap, one shows it: liquidity times distance to the tick, rounded up. Without liquidity there is nothing to swap.

import {BugShown} from "../common/BugShown.sol";
import {TickPool, TickPoolBug} from "./TickPool.sol";
import {TickPoolHandler} from "./TickPoolHandler.sol";

abstract contract TickPoolProperties is BugShown {
    TickPool internal pool;
    TickPoolHandler internal handler;

    function _deploy() internal virtual returns (TickPool);

    function setUp() public {
        pool = _deploy();
        handler = new TickPoolHandler(pool);
        targetContract(address(handler));
    }

    function invariant_liquidityIsThatOfPositionsInRange() external view {
        assertEq(pool.liquidity(), handler.liquidityInUse());
    }

    function invariant_priceStaysInRange() external view {
        assertLe(pool.price(), pool.MAX_TICK() * pool.SPACING());
    }
}

/// @custom:expect invariant_liquidityIsThatOfPositionsInRange PASS
/// @custom:expect invariant_priceStaysInRange PASS
contract TickPoolTest is TickPoolProperties {
    function _deploy() internal override returns (TickPool) {
        return new TickPool();
    }
}

/// @custom:bug calls=2
/// @custom:expect invariant_liquidityIsThatOfPositionsInRange FAIL
/// @custom:expect invariant_priceStaysInRange PASS
contract TickPoolBugTest is TickPoolProperties {
    function _deploy() internal override returns (TickPool) {
        return new TickPoolBug();
    }

    function test_bug_shown() public {
        uint256 liquidity = 3e18 + 1;
        uint256 distance = 6 * pool.SPACING() - pool.price();
        handler.addPosition(0, 5, 6, liquidity);
        this.invariant_liquidityIsThatOfPositionsInRange();
        handler.swapUp(liquidity * distance / pool.ONE() + 1);
        assertBroken(this.invariant_liquidityIsThatOfPositionsInRange);
    }
}
