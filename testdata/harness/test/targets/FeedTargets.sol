// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {PriceFeed} from "../../src/clearinghouse/PriceFeed.sol";
import {Properties} from "../Properties.sol";

abstract contract FeedTargets is Properties {
    function _set(uint8 asset, uint256 price) internal {
        PriceFeed.Quote memory q = feed.quoteOf(asset);
        price = between(price, q.floor, q.ceiling);
        feed.setPrice(asset, price);
        eq(feed.price(asset), price, "feed: price");
    }

    function feed_set(uint256 assetSeed, uint256 price) public tracked(treasury) {
        uint8 asset = _asset(assetSeed);
        uint256 last = feed.quoteOf(asset).price;
        _set(asset, between(price, last * 8001 / 10_000, last * 11_999 / 10_000));
    }

    function feed_set_raw(uint8 asset, uint256 price) public tracked(treasury) {
        feed.setPrice(asset, price);
    }

    function feed_drop(uint256 assetSeed, uint256 bps) public tracked(treasury) {
        uint8 asset = _asset(assetSeed);
        uint256 last = feed.quoteOf(asset).price;
        _set(asset, last - last * between(bps, 100, 1999) / 10_000);
    }

    function feed_poke(uint256 assetSeed) public tracked(treasury) {
        feed.poke(_asset(assetSeed));
    }

    function feed_pokeAll() public tracked(treasury) {
        for (uint8 asset; asset < ASSETS; ++asset) {
            feed.poke(asset);
        }
    }
}
