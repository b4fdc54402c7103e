// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Stable} from "../src/cdp/Stable.sol";
import {PriceFeed} from "../src/cdp/PriceFeed.sol";
import {Cdp} from "../src/Cdp.sol";

/// @notice Drives the positions, the pool, the price and the time with five actors.
contract CdpHandler is CommonBase, StdUtils {
    Cdp public immutable cdp;
    PriceFeed public immutable feed;
    Stable public immutable stable;
    MintableToken public immutable weth;
    address[] public actors;

    uint256 public ghost_liquidations;
    uint256 public ghost_redeemed;

    constructor(Cdp cdp_, PriceFeed feed_, MintableToken weth_, address[] memory actors_) {
        cdp = cdp_;
        feed = feed_;
        stable = cdp_.stable();
        weth = weth_;
        actors = actors_;
    }

    function open(uint256 who, uint256 coll, uint256 ratio, uint256 hint) external {
        address actor = _actor(who);
        coll = bound(coll, 2e18, 400e18);
        ratio = bound(ratio, 1.2e18, 3e18);
        uint256 amount = coll * feed.price() / ratio;
        vm.prank(actor);
        cdp.open(coll, amount, _actor(hint));
    }

    function addCollateral(uint256 who, uint256 coll, uint256 hint) external {
        coll = bound(coll, 1, 50e18);
        vm.prank(_actor(who));
        cdp.addCollateral(coll, _actor(hint));
    }

    function withdrawCollateral(uint256 who, uint256 coll, uint256 hint) external {
        address actor = _actor(who);
        uint256 have = cdp.collateralOf(actor);
        if (have == 0) return;
        coll = bound(coll, 1, have);
        vm.prank(actor);
        cdp.withdrawCollateral(coll, _actor(hint));
    }

    function borrow(uint256 who, uint256 amount, uint256 hint) external {
        amount = bound(amount, 1e18, 50_000e18);
        vm.prank(_actor(who));
        cdp.borrow(amount, _actor(hint));
    }

    function repay(uint256 who, uint256 amount, uint256 hint) external {
        address actor = _actor(who);
        uint256 have = stable.balanceOf(actor);
        if (have == 0) return;
        amount = bound(amount, 1, have);
        vm.prank(actor);
        cdp.repay(amount, _actor(hint));
    }

    function close(uint256 who) external {
        vm.prank(_actor(who));
        cdp.close();
    }

    function claimSurplus(uint256 who) external {
        vm.prank(_actor(who));
        cdp.claimSurplus();
    }

    function liquidate(uint256 who, uint256 by) external {
        vm.prank(_actor(by));
        cdp.liquidate(_actor(who));
        ++ghost_liquidations;
    }

    function redeem(uint256 who, uint256 amount) external {
        address actor = _actor(who);
        uint256 have = stable.balanceOf(actor);
        if (have == 0) return;
        amount = bound(amount, 1, have);
        vm.prank(actor);
        cdp.redeem(amount);
        ghost_redeemed += have - stable.balanceOf(actor);
    }

    function provide(uint256 who, uint256 amount) external {
        address actor = _actor(who);
        uint256 have = stable.balanceOf(actor);
        if (have == 0) return;
        amount = bound(amount, 1, have);
        vm.prank(actor);
        cdp.provide(amount);
    }

    function requestWithdraw(uint256 who, uint256 amount) external {
        address actor = _actor(who);
        uint256 have = cdp.compounded(actor);
        if (have == 0) return;
        amount = bound(amount, 1, have);
        vm.prank(actor);
        cdp.requestWithdraw(amount);
    }

    function withdraw(uint256 who) external {
        vm.prank(_actor(who));
        cdp.withdraw();
    }

    function claimGain(uint256 who) external {
        vm.prank(_actor(who));
        cdp.claimGain();
    }

    function sendStable(uint256 from, uint256 to, uint256 amount) external {
        address actor = _actor(from);
        amount = bound(amount, 0, stable.balanceOf(actor));
        vm.prank(actor);
        stable.transfer(_actor(to), amount);
    }

    function movePrice(uint256 percent) external {
        percent = bound(percent, 70, 130);
        uint256 price = bound(feed.price() * percent / 100, 800e18, 4000e18);
        feed.setPrice(price);
    }

    function warp(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1 minutes, 2 days));
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[seed % actors.length];
    }
}
