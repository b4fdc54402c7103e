// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {AuctionHouse} from "../src/AuctionHouse.sol";
import {TestToken} from "../src/common/TestToken.sol";

/// @notice Beside the direct calls: time, donations, and calls that pick a counterparty among the actors.
contract AuctionHouseHandler is Test {
    AuctionHouse public immutable house;
    TestToken public immutable saleToken;
    TestToken public immutable payToken;
    address[] public actors;

    constructor(AuctionHouse house_, TestToken saleToken_, TestToken payToken_, address[] memory actors_) {
        house = house_;
        saleToken = saleToken_;
        payToken = payToken_;
        actors = actors_;
    }

    function warp(uint32 delta) external {
        vm.warp(block.timestamp + bound(delta, 30 minutes, 3 days));
    }

    function donate(uint256 amount, bool inLots) external {
        if (inLots) saleToken.mint(address(house), bound(amount, 0, 5e17));
        else payToken.mint(address(house), bound(amount, 0, 1e4));
    }

    function buyFrom(uint8 sellerSeed, uint16 lots) external {
        vm.prank(msg.sender);
        house.buy(actors[sellerSeed % actors.length], lots, type(uint40).max);
    }

    function settleEnded(uint8 sellerSeed) external {
        house.settle(actors[sellerSeed % actors.length]);
    }

    function movePosition(uint8 sellerSeed, uint8 toSeed, uint16 lots) external {
        address seller = actors[sellerSeed % actors.length];
        (, uint32 held,,) = house.positions(seller, msg.sender);
        vm.prank(msg.sender);
        house.transferPosition(seller, actors[toSeed % actors.length], uint16(bound(lots, 0, held)));
    }
}
