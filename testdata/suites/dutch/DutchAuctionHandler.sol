// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {DutchAuction} from "./DutchAuction.sol";

contract DutchAuctionHandler is Actors {
    DutchAuction public immutable auction;

    uint256 public ghost_proceeds;
    /// The sum of the floors of all pieces sold.
    uint256 public ghost_floors;
    uint256 public ghost_salesBelowFloor;

    constructor(DutchAuction auction_) {
        auction = auction_;
        _addActors("collector", 3);
    }

    function open(uint256 top, uint256 floor) external {
        top = bound(top, 1 ether, 200 ether);
        floor = bound(floor, 0.1 ether, top * 9 / 10);
        vm.prank(auction.seller());
        auction.open(top, floor);
    }

    function buy(uint256 actorSeed) external {
        vm.assume(auction.lotCount() != 0);
        uint256 id = auction.lotCount() - 1;
        uint256 sellerBefore = auction.seller().balance;
        (, uint256 floor,,) = auction.lots(id);
        hoax(actor(actorSeed), 200 ether);
        auction.buy{value: 200 ether}(id);
        uint256 price = auction.seller().balance - sellerBefore;
        ghost_proceeds += price;
        ghost_floors += floor;
        if (price < floor) ghost_salesBelowFloor++;
    }

    function reclaim(uint256 id) external {
        vm.assume(auction.lotCount() != 0);
        auction.reclaim(bound(id, 0, auction.lotCount() - 1));
    }

    function wait(uint256 time) external {
        skip(bound(time, 1, 30 days));
    }
}
