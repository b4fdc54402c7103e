// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {LiquidationAuctions} from "../../src/clearinghouse/LiquidationAuctions.sol";
import {Properties} from "../Properties.sol";

abstract contract AuctionTargets is Properties {
    /// @dev Dollars raised by auction.
    mapping(uint256 => uint256) internal ghostRaised;

    /// @dev An open auction: the first at or after the seed.
    function _open(uint256 seed) internal view returns (bool found, uint256 id) {
        uint256 count = auctions.auctionCount();
        for (uint256 i; i < count; ++i) {
            id = (seed % count + i) % count;
            if (auctions.auctionOf(id).open) return (true, id);
        }
        return (false, 0);
    }

    function auction_start(uint256 borrowerSeed, uint256 assetSeed) public {
        address borrower = _borrower(borrowerSeed);
        uint8[] memory held = vault.assetsOf(borrower);
        if (held.length == 0) return;
        uint8 asset = held[assetSeed % held.length];
        uint256 custody = vault.balanceOf(address(auctions), asset);
        __before(borrower);
        uint256 id = auctions.start(borrower, asset);
        __after(borrower);
        LiquidationAuctions.Auction memory a = auctions.auctionOf(id);
        lte(a.lot, _before.collateral[asset], "start: lot");
        lte(a.target, _after.debt, "start: target");
        eq(vault.balanceOf(address(auctions), asset), custody + a.lot, "start: custody");
    }

    function auction_bid(uint256 bidderSeed, uint256 auctionSeed, uint256 lotWanted) public {
        address bidder = _actor(bidderSeed);
        (bool found, uint256 id) = _open(auctionSeed);
        if (!found) return;
        LiquidationAuctions.Auction memory a = auctions.auctionOf(id);
        lotWanted = between(lotWanted, 1, a.lotLeft);
        __before(bidder);
        vm.prank(bidder);
        (uint256 taken, uint256 paid) = auctions.bid(id, lotWanted, type(uint256).max);
        __after(bidder);
        ghostRaised[id] += paid;
        lte(taken, lotWanted, "bid: taken");
        eq(_after.dollars + paid, _before.dollars, "bid: dollars");
        lte(ghostRaised[id], a.target, "bid: raised more than the target");
    }

    function auction_bid_raw(uint256 bidderSeed, uint256 id, uint256 lotWanted, uint256 maxPay)
        public
        tracked(_actor(bidderSeed))
    {
        vm.prank(_actor(bidderSeed));
        (, uint256 paid) = auctions.bid(id, lotWanted, maxPay);
        ghostRaised[id] += paid;
        lte(paid, maxPay, "bid: above the maximum");
    }

    function auction_bidAll(uint256 bidderSeed, uint256 auctionSeed) public {
        address bidder = _actor(bidderSeed);
        (bool found, uint256 id) = _open(auctionSeed);
        if (!found) return;
        uint8 asset = auctions.auctionOf(id).asset;
        __before(bidder);
        vm.prank(bidder);
        (uint256 taken, uint256 paid) = auctions.bid(id, type(uint128).max, type(uint256).max);
        __after(bidder);
        ghostRaised[id] += paid;
        eq(_after.collateral[asset], _before.collateral[asset] + taken, "bidAll: collateral");
    }

    function auction_redo(uint256 auctionSeed) public {
        (bool found, uint256 id) = _open(auctionSeed);
        if (!found) return;
        uint256 left = auctions.auctionOf(id).lotLeft;
        __before(treasury);
        auctions.redo(id);
        __after(treasury);
        eq(auctions.auctionOf(id).lotLeft, left, "redo: lot");
        t(!auctions.isExpired(id), "redo: expired");
    }

    function auction_cancel(uint256 auctionSeed) public tracked(treasury) {
        (bool found, uint256 id) = _open(auctionSeed);
        if (!found) return;
        auctions.cancel(id);
        t(!auctions.auctionOf(id).open, "cancel: open");
    }

    function auction_writeOff(uint256 borrowerSeed) public {
        address borrower = _borrower(borrowerSeed);
        __before(borrower);
        (uint256 debt, uint256 covered) = auctions.writeOff(borrower);
        __after(borrower);
        lte(covered, debt, "writeOff: covered");
        eq(_after.debt, 0, "writeOff: debt left");
    }

    function prop_auctionPrice(uint256 auctionSeed) public {
        (bool found, uint256 id) = _open(auctionSeed);
        if (!found) return;
        LiquidationAuctions.Auction memory a = auctions.auctionOf(id);
        uint256 price = auctions.currentPrice(id);
        lte(price, a.startPrice, "auction price: above the start");
        gte(price * 2, a.startPrice, "auction price: below half");
    }
}
