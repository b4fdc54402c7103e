// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IPriceFeed} from "./Interfaces.sol";
import {Units} from "./Units.sol";

/// @notice Dollar prices (WAD for one whole token), moved by reporters within limits.
contract PriceFeed is IPriceFeed, AccessControl {
    bytes32 public constant REPORTER = keccak256("REPORTER");

    uint256 public constant MAX_MOVE = 2000;
    uint256 public constant MIN_INTERVAL = 1 hours;
    uint256 public constant MAX_AGE = 45 days;

    struct Quote {
        uint256 price;
        uint256 floor;
        uint256 ceiling;
        uint64 changedAt;
        uint64 seenAt;
    }

    Quote[] internal _quotes;

    event PriceSet(uint8 indexed asset, uint256 price);
    event PricePoked(uint8 indexed asset);

    constructor(address admin) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(REPORTER, admin);
    }

    function addAsset(uint256 initial, uint256 floor, uint256 ceiling) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(_quotes.length < 16, "feed: full");
        require(floor > 0 && floor <= initial && initial <= ceiling, "feed: limits");
        _quotes.push(Quote(initial, floor, ceiling, uint64(block.timestamp), uint64(block.timestamp)));
    }

    function setPrice(uint8 asset, uint256 newPrice) external onlyRole(REPORTER) {
        require(asset < _quotes.length, "feed: asset");
        Quote storage q = _quotes[asset];
        require(newPrice >= q.floor, "feed: floor");
        require(newPrice <= q.ceiling, "feed: ceiling");
        require(block.timestamp >= q.changedAt + MIN_INTERVAL, "feed: interval");
        uint256 move = newPrice > q.price ? newPrice - q.price : q.price - newPrice;
        require(move * Units.BPS <= q.price * MAX_MOVE, "feed: move");
        q.price = newPrice;
        q.changedAt = uint64(block.timestamp);
        q.seenAt = uint64(block.timestamp);
        emit PriceSet(asset, newPrice);
    }

    function poke(uint8 asset) external onlyRole(REPORTER) {
        require(asset < _quotes.length, "feed: asset");
        _quotes[asset].seenAt = uint64(block.timestamp);
        emit PricePoked(asset);
    }

    function price(uint8 asset) external view returns (uint256) {
        require(asset < _quotes.length, "feed: asset");
        Quote storage q = _quotes[asset];
        require(block.timestamp <= q.seenAt + MAX_AGE, "feed: stale");
        return q.price;
    }

    function quoteOf(uint8 asset) external view returns (Quote memory) {
        return _quotes[asset];
    }

    function assetCount() external view returns (uint256) {
        return _quotes.length;
    }
}
