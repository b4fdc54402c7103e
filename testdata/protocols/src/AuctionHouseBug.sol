// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AuctionHouse} from "./AuctionHouse.sol";

contract AuctionHouseBug is AuctionHouse {
    constructor(address saleToken_, address payToken_, uint16 feeBps_, address owner_)
        AuctionHouse(saleToken_, payToken_, feeBps_, owner_)
    {}

    function _carryOver(address seller, uint32 unsold, bool wasLive) internal override {
        if (!wasLive) inventory[seller] -= unsold;
    }

    function _feeBase(Auction storage a, uint256 net) internal view override returns (uint256) {
        return a.sold == a.lots ? net : net - a.advanced;
    }

    function _indexFor(address seller, uint32) internal view override returns (uint128) {
        return rebateIndex[seller];
    }
}
