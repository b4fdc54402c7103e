// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {EnglishAuction} from "./EnglishAuction.sol";

/// A bidder that is a contract and tries, whenever it is paid, to hand its credit over as well.
contract Accomplice {
    EnglishAuction private immutable auction;
    address private immutable friend;

    constructor(EnglishAuction auction_, address friend_) {
        (auction, friend) = (auction_, friend_);
    }

    receive() external payable {
        try auction.handOver(friend) {} catch {}
    }
}

contract EnglishAuctionHandler is Actors {
    EnglishAuction public immutable auction;

    uint256 public ghost_in;
    uint256 public ghost_out;

    constructor(EnglishAuction auction_) {
        auction = auction_;
        _addActors("bidder", 3);
        actors.push(address(new Accomplice(auction, actors[0])));
    }

    /// The bidder is given what the bid costs. Bids rise by at most a tenth of an ether.
    function bid(uint256 actorSeed, uint256 raise) external by(actorSeed) {
        uint256 amount = auction.highestBid() + bound(raise, 1, 0.1 ether);
        if (block.timestamp >= auction.endsAt()) return;
        deal(actor(actorSeed), amount);
        auction.bid{value: amount}();
        ghost_in += amount;
    }

    function withdraw(uint256 actorSeed) external by(actorSeed) {
        uint256 before = address(auction).balance;
        if (auction.creditOf(actor(actorSeed)) > before) return;
        auction.withdraw();
        ghost_out += before - address(auction).balance;
    }

    function handOver(uint256 actorSeed, uint256 toSeed) external by(actorSeed) {
        auction.handOver(actor(toSeed));
    }

    function settle() external {
        uint256 before = address(auction).balance;
        auction.settle();
        ghost_out += before - address(auction).balance;
    }

    function wait(uint256 time) external {
        skip(bound(time, 1, 1 days));
    }
}
