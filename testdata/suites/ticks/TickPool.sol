// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// The core of a pool with concentrated liquidity: it tracks the price and the liquidity in use, and leaves the tokens
/// to a router. Prices have thirty binary digits after the point, and there is a tick at each multiple of `SPACING` up
/// to the tenth; moving the price by one costs as much as there is liquidity in use. A position is in use while
/// lower <= price < upper.
contract TickPool {
    using SafeCast for uint256;
    using SafeCast for int256;

    uint256 public constant ONE = 2 ** 30;
    uint256 public constant SPACING = 68_182_606;
    uint256 public constant MAX_TICK = 10;

    uint256 public price = 5 * SPACING + SPACING / 2;
    /// Liquidity of all positions whose range has the price in it.
    uint256 public liquidity;
    /// What is added to the liquidity when the price passes the tick upwards.
    mapping(uint256 tick => int256) public netAt;
    mapping(address owner => mapping(uint256 lower => mapping(uint256 upper => uint256))) public positionOf;

    function addPosition(uint256 lower, uint256 upper, uint256 amount) external {
        require(lower < upper && upper <= MAX_TICK, "bad range");
        positionOf[msg.sender][lower][upper] += amount;
        netAt[lower] += amount.toInt256();
        netAt[upper] -= amount.toInt256();
        if (_inRange(lower, upper)) liquidity += amount;
    }

    function removePosition(uint256 lower, uint256 upper, uint256 amount) external {
        positionOf[msg.sender][lower][upper] -= amount;
        netAt[lower] -= amount.toInt256();
        netAt[upper] += amount.toInt256();
        if (_inRange(lower, upper)) liquidity -= amount;
    }

    /// Moves the price up for `amount`; returns what could not be used.
    function swapUp(uint256 amount) external returns (uint256 left) {
        for (uint256 next = price / SPACING + 1; next <= MAX_TICK; ++next) {
            uint256 needed = Math.mulDiv(liquidity, next * SPACING - price, ONE, Math.Rounding.Ceil);
            if (!_reaches(amount, needed)) {
                price += Math.mulDiv(amount, ONE, liquidity);
                return 0;
            }
            amount -= needed;
            price = next * SPACING;
            liquidity = (liquidity.toInt256() + netAt[next]).toUint256();
        }
        return amount;
    }

    /// Moves the price down for `amount`; returns what could not be used.
    function swapDown(uint256 amount) external returns (uint256 left) {
        while (amount != 0 && price != 0) {
            uint256 next = price / SPACING;
            uint256 needed = Math.mulDiv(liquidity, price - next * SPACING, ONE, Math.Rounding.Ceil);
            if (amount <= needed) {
                price -= Math.mulDiv(amount, ONE, liquidity);
                return 0;
            }
            amount -= needed;
            // Below the tick, by the least step that there is.
            price = next * SPACING;
            if (next == 0) break;
            liquidity = (liquidity.toInt256() - netAt[next]).toUint256();
            price -= 1;
        }
        return amount;
    }

    /// Whether `amount` moves the price to a tick that is `needed` away, and so past it.
    function _reaches(uint256 amount, uint256 needed) internal pure virtual returns (bool) {
        return amount >= needed;
    }

    function _inRange(uint256 lower, uint256 upper) private view returns (bool) {
        return lower * SPACING <= price && price < upper * SPACING;
    }
}

/// Bug: a swap that ends exactly on a tick moves the price there without passing the tick, so that the liquidity is
/// still that below it.
contract TickPoolBug is TickPool {
    function _reaches(uint256 amount, uint256 needed) internal pure override returns (bool) {
        return amount > needed;
    }
}
