// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {OrderBook} from "./OrderBook.sol";

contract OrderBookBug is OrderBook {
    constructor(ERC20 base_, ERC20 quote_, Fees memory fees_, address admin) OrderBook(base_, quote_, fees_, admin) {}

    function _rolled(Stats memory s, uint64 epoch) internal pure override returns (Stats memory) {
        if (s.epoch == epoch) return s;
        return Stats(epoch, 0, s.current);
    }

    function _reservedRate(Order storage order) internal view override returns (uint32) {
        return makerRate(order.owner);
    }

    function _unlinkLevel(uint8 side, uint64 price) internal override {
        Level storage level = levels[side][price];
        (uint64 prev, uint64 next) = (level.prev, level.next);
        if (prev == 0) {
            best[side] = next;
            if (next != 0) levels[side][next].prev = 0;
        } else {
            levels[side][prev].next = next;
        }
        delete levels[side][price];
        levelCount[side] -= 1;
    }
}
