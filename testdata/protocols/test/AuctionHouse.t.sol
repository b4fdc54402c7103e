// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {AuctionHouse} from "../src/AuctionHouse.sol";
import {AuctionHouseBug} from "../src/AuctionHouseBug.sol";
import {TestToken} from "../src/common/TestToken.sol";
import {AuctionHouseHandler} from "./AuctionHouseHandler.sol";

abstract contract AuctionHouseProperties is Test {
    TestToken public saleToken;
    TestToken public payToken;
    AuctionHouse public house;
    AuctionHouseHandler public handler;
    address public owner = address(0xB0);
    address[] public actors;

    function _deploy() internal virtual returns (AuctionHouse);

    function setUp() public virtual {
        vm.warp(1_720_000_000);
        saleToken = new TestToken("Harvest Unit", "HRV", 18);
        payToken = new TestToken("USD Coin", "USDC", 6);
        house = _deploy();
        for (uint160 i = 1; i <= 4; ++i) {
            address actor = address(0xB000 + i);
            actors.push(actor);
            saleToken.mint(actor, 1e8 * 1e18);
            payToken.mint(actor, 1e24);
            vm.startPrank(actor);
            saleToken.approve(address(house), type(uint256).max);
            payToken.approve(address(house), type(uint256).max);
            vm.stopPrank();
            targetSender(actor);
        }
        targetSender(owner);
        handler = new AuctionHouseHandler(house, saleToken, payToken, actors);
        targetContract(address(house));
        targetContract(address(handler));
    }

    /// Money held covers fees, proceeds, rebates and the money of running rounds.
    function invariant_paymentSolvency() public view {
        uint256 owed = house.feesAccrued();
        for (uint256 i; i < actors.length; ++i) {
            AuctionHouse.Auction memory a = house.auctionOf(actors[i]);
            owed += house.proceeds(actors[i]) + house.rebateReserve(actors[i]);
            if (a.live) owed += uint256(a.gross) - a.granted - a.advanced;
        }
        assertGe(payToken.balanceOf(address(house)), owed, "payment token");
    }

    /// Sale tokens held cover all inventories and the unsold lots of running rounds.
    function invariant_lotsBacked() public view {
        uint256 lots;
        for (uint256 i; i < actors.length; ++i) {
            AuctionHouse.Auction memory a = house.auctionOf(actors[i]);
            lots += house.inventory(actors[i]);
            if (a.live) lots += a.lots - a.sold;
        }
        assertGe(saleToken.balanceOf(address(house)), lots * house.LOT(), "sale token");
    }

    /// The reserve of each seller covers the rebates of all of its buyers.
    function invariant_rebatesBacked() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint256 pending;
            for (uint256 j; j < actors.length; ++j) {
                pending += house.pendingRebate(actors[i], actors[j]);
            }
            assertLe(pending, house.rebateReserve(actors[i]), "rebates");
        }
    }

    /// Prices stay between start and floor, and the clearing price is never below the price of now in a live round.
    function invariant_pricesInRange() public view {
        for (uint256 i; i < actors.length; ++i) {
            AuctionHouse.Auction memory a = house.auctionOf(actors[i]);
            if (a.round == 0) continue;
            uint40 price = house.currentPrice(actors[i]);
            assertLe(price, a.startPrice, "above start");
            assertGe(price, a.floorPrice, "below floor");
            assertGe(a.clearing, a.live ? price : a.floorPrice, "clearing");
            assertLe(a.sold, a.lots, "oversold");
        }
    }

    /// Positions in the current round are lots sold in it.
    function invariant_positionsMatchSold() public view {
        for (uint256 i; i < actors.length; ++i) {
            AuctionHouse.Auction memory a = house.auctionOf(actors[i]);
            uint256 lots;
            for (uint256 j; j < actors.length; ++j) {
                (uint32 round, uint32 held,,) = house.positions(actors[i], actors[j]);
                if (round == a.round) lots += held;
            }
            assertLe(lots, a.sold, "positions");
        }
    }

    /// The fees of a round are at most the fee rate on what the seller earned.
    function invariant_feesWithinRate() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint32 round = house.auctionOf(actors[i]).round;
            for (uint32 r = round; r > 0 && r + 8 > round; --r) {
                (uint128 gross, uint128 granted, uint128 fee,, uint16 feeBps) = house.results(actors[i], r);
                assertLe(fee, (uint256(gross) - granted) * feeBps / house.BPS(), "fee");
            }
        }
    }

    /// The money of a closed round went to the seller, to its buyers, or into fees.
    function invariant_roundsConserved() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint32 round = house.auctionOf(actors[i]).round;
            for (uint32 r = round; r > 0 && r + 8 > round; --r) {
                (uint128 gross, uint128 granted, uint128 fee, uint128 toSeller,) = house.results(actors[i], r);
                assertEq(gross, uint256(granted) + fee + toSeller, "round");
            }
        }
    }
}

/// @custom:expect invariant_paymentSolvency PASS
/// @custom:expect invariant_lotsBacked PASS
/// @custom:expect invariant_rebatesBacked PASS
/// @custom:expect invariant_pricesInRange PASS
/// @custom:expect invariant_positionsMatchSold PASS
/// @custom:expect invariant_feesWithinRate PASS
/// @custom:expect invariant_roundsConserved PASS
contract AuctionHouseTest is AuctionHouseProperties {
    function _deploy() internal override returns (AuctionHouse) {
        return new AuctionHouse(address(saleToken), address(payToken), 200, owner);
    }
}

/// @custom:bug calls=8
/// @custom:expect invariant_paymentSolvency PASS
/// @custom:expect invariant_lotsBacked FAIL
/// @custom:expect invariant_rebatesBacked FAIL
/// @custom:expect invariant_pricesInRange PASS
/// @custom:expect invariant_positionsMatchSold PASS
/// @custom:expect invariant_feesWithinRate FAIL
/// @custom:expect invariant_roundsConserved PASS
contract AuctionHouseBugTest is AuctionHouseProperties {
    function _deploy() internal override returns (AuctionHouse) {
        return new AuctionHouseBug(address(saleToken), address(payToken), 200, owner);
    }
}
