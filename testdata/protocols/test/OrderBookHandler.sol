// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OrderBook} from "../src/OrderBook.sol";
import {TestToken} from "../src/common/TestToken.sol";

contract OrderBookHandler is Test {
    OrderBook public immutable book;
    TestToken public immutable base;
    TestToken public immutable quote;
    address public immutable admin;
    address[] public actors;

    mapping(uint256 => mapping(address => uint256)) public weeklyVolume;

    constructor(OrderBook book_, TestToken base_, TestToken quote_, address admin_, address[] memory actors_) {
        book = book_;
        base = base_;
        quote = quote_;
        admin = admin_;
        actors = actors_;
    }

    /// @dev Books the volume that a call adds to each actor under the current week.
    modifier tracksVolume() {
        uint256[] memory before = new uint256[](actors.length);
        for (uint256 i; i < before.length; ++i) {
            before[i] = book.lifetimeVolume(actors[i]);
        }
        _;
        uint256 week = block.timestamp / 1 weeks;
        for (uint256 i; i < before.length; ++i) {
            weeklyVolume[week][actors[i]] += book.lifetimeVolume(actors[i]) - before[i];
        }
    }

    function deposit(uint256 actorSeed, bool isBase, uint256 amount) external {
        address actor = _actor(actorSeed);
        TestToken token = isBase ? base : quote;
        amount = bound(amount, 0, isBase ? 100e18 : 200_000e6);
        token.mint(actor, amount);
        vm.startPrank(actor);
        token.approve(address(book), amount);
        if (isBase) book.depositBase(amount);
        else book.depositQuote(amount);
        vm.stopPrank();
    }

    function withdraw(uint256 actorSeed, bool isBase, uint256 amount) external {
        address actor = _actor(actorSeed);
        (uint128 freeBase,, uint128 freeQuote,) = book.accounts(actor);
        amount = bound(amount, 0, isBase ? freeBase / 2 : freeQuote / 2);
        vm.prank(actor);
        if (isBase) book.withdrawBase(amount);
        else book.withdrawQuote(amount);
    }

    function placeBid(uint256 actorSeed, uint256 priceSeed, uint256 lots, uint256 life) external tracksVolume {
        _place(actorSeed, 0, bound(priceSeed, 1_980, 2_008), lots, life, OrderBook.Kind.GoodTillCancelled);
    }

    function placeAsk(uint256 actorSeed, uint256 priceSeed, uint256 lots, uint256 life) external tracksVolume {
        _place(actorSeed, 1, bound(priceSeed, 1_992, 2_020), lots, life, OrderBook.Kind.GoodTillCancelled);
    }

    function postOnly(uint256 actorSeed, bool isBid, uint256 priceSeed, uint256 lots, uint256 life) external {
        _place(actorSeed, isBid ? 0 : 1, bound(priceSeed, 1_980, 2_020), lots, life, OrderBook.Kind.PostOnly);
    }

    function take(uint256 actorSeed, bool isBid, uint256 lots) external tracksVolume {
        _place(actorSeed, isBid ? 0 : 1, isBid ? 2_020 : 1_980, lots, 0, OrderBook.Kind.ImmediateOrCancel);
    }

    function cancel(uint256 actorSeed, uint256 orderSeed) external {
        (address owner, uint64 id) = _order(actorSeed, orderSeed);
        if (id == 0) return;
        vm.prank(owner);
        book.cancel(id);
    }

    function reduce(uint256 actorSeed, uint256 orderSeed, uint256 lots) external {
        (address owner, uint64 id) = _order(actorSeed, orderSeed);
        if (id == 0) return;
        uint128 remaining = book.getOrder(id).remaining;
        if (remaining <= 1e15) return;
        vm.prank(owner);
        book.reduce(id, uint128(bound(lots, 1, remaining / 1e15 - 1) * 1e15));
    }

    function cancelExpired(uint256 actorSeed, uint256 orderSeed, uint256 callerSeed) external {
        (, uint64 id) = _order(actorSeed, orderSeed);
        if (id == 0) return;
        uint40 expiry = book.getOrder(id).expiry;
        if (expiry == 0 || expiry > block.timestamp) return;
        vm.prank(_actor(callerSeed));
        book.cancel(id);
    }

    function setReferrer(uint256 actorSeed, uint256 referrerSeed) external {
        vm.prank(_actor(actorSeed));
        book.setReferrer(_actor(referrerSeed));
    }

    function scheduleFees(uint32 maker, uint32 taker) external {
        taker = uint32(bound(taker, 0, 5_000));
        maker = uint32(bound(maker, 0, taker < 2_000 ? taker : 2_000));
        vm.prank(admin);
        book.scheduleFees(maker, taker);
    }

    function applyFees() external {
        book.applyFees();
    }

    function collectFees() external {
        vm.prank(admin);
        book.collectFees(admin);
    }

    function warp(uint256 delta) external {
        vm.warp(block.timestamp + bound(delta, 10 minutes, 1 days));
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }

    function _place(
        uint256 actorSeed,
        uint8 side,
        uint256 price,
        uint256 lots,
        uint256 life,
        OrderBook.Kind kind
    ) internal {
        uint128 amount = uint128(bound(lots, 1, 40_000) * 1e15);
        uint40 expiry = life % 3 == 0 ? uint40(block.timestamp + bound(life, 1 hours, 10 days)) : 0;
        vm.prank(_actor(actorSeed));
        book.place(side, uint64(price * 1e6), amount, expiry, kind);
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[seed % actors.length];
    }

    function _order(uint256 actorSeed, uint256 orderSeed) internal view returns (address owner, uint64 id) {
        owner = _actor(actorSeed);
        uint64[] memory open = book.openOrders(owner);
        if (open.length > 0) id = open[orderSeed % open.length];
    }
}
