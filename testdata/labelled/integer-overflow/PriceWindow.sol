// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Stock is added in unchecked code and wraps at 112 bits, so that adding goods can empty the store.
/// @custom:vulnerable integer-overflow add(uint112)
contract PriceWindowBad {
    uint112 public stock;
    uint32 private lastTime;
    uint256 public cumulative;

    event Updated(uint112 stock, uint32 elapsed);

    constructor() {
        lastTime = uint32(block.timestamp % 2 ** 32);
    }

    function add(uint112 amount) external {
        _accumulate();
        unchecked {
            stock += amount;
        }
    }

    function take(uint112 amount) external {
        require(amount <= stock, "not in stock");
        _accumulate();
        stock -= amount;
    }

    /// The mean stock between two readings of `cumulative` is their difference over the seconds between.
    function _accumulate() private {
        unchecked {
            uint32 time = uint32(block.timestamp % 2 ** 32);
            uint32 elapsed = time - lastTime;
            cumulative += uint256(stock) * elapsed;
            lastTime = time;
            emit Updated(stock, elapsed);
        }
    }
}

/// The addition is checked; time stamps of 32 bits and the sums over time wrap on purpose in both twins.
/// @custom:safe
contract PriceWindowGood {
    uint112 public stock;
    uint32 private lastTime;
    uint256 public cumulative;

    event Updated(uint112 stock, uint32 elapsed);

    constructor() {
        lastTime = uint32(block.timestamp % 2 ** 32);
    }

    function add(uint112 amount) external {
        _accumulate();
        stock += amount;
    }

    function take(uint112 amount) external {
        require(amount <= stock, "not in stock");
        _accumulate();
        stock -= amount;
    }

    /// The mean stock between two readings of `cumulative` is their difference over the seconds between.
    function _accumulate() private {
        unchecked {
            uint32 time = uint32(block.timestamp % 2 ** 32);
            uint32 elapsed = time - lastTime;
            cumulative += uint256(stock) * elapsed;
            lastTime = time;
            emit Updated(stock, elapsed);
        }
    }
}
