// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {Pair, PairToken} from "./Pair.sol";

contract PairHandler is Actors {
    Pair public immutable pair;
    PairToken public immutable token0;
    PairToken public immutable token1;
    address public immutable treasury = makeAddr("treasury");
    address private immutable governor;

    /// Whether the fee was on at the last change of liquidity. Only growth after such a change may be charged.
    bool public ghost_feeWasOn;
    /// Shares that the protocol got though the fee was off at the last change of liquidity.
    uint256 public ghost_undueFee;

    constructor(Pair pair_, PairToken token0_, PairToken token1_) {
        (pair, token0, token1, governor) = (pair_, token0_, token1_, msg.sender);
        _addActors("trader", 3);
        for (uint256 i; i < actors.length; ++i) {
            vm.startPrank(actors[i]);
            token0.approve(address(pair), type(uint256).max);
            token1.approve(address(pair), type(uint256).max);
            vm.stopPrank();
        }
    }

    modifier liquidityEvent() {
        uint256 before = pair.balanceOf(treasury);
        _;
        if (!ghost_feeWasOn) ghost_undueFee += pair.balanceOf(treasury) - before;
        ghost_feeWasOn = pair.feeTo() != address(0);
    }

    function addLiquidity(uint256 actorSeed, uint256 amount0, uint256 amount1) external liquidityEvent {
        amount0 = bound(amount0, 1e6, 1e24);
        amount1 = bound(amount1, 1e6, 1e24);
        address provider = actor(actorSeed);
        token0.mint(provider, amount0);
        token1.mint(provider, amount1);
        vm.prank(provider);
        pair.addLiquidity(amount0, amount1, provider);
    }

    function removeLiquidity(uint256 actorSeed, uint256 shares) external liquidityEvent {
        address provider = actor(actorSeed);
        shares = bound(shares, 0, pair.balanceOf(provider));
        vm.prank(provider);
        pair.removeLiquidity(shares, provider);
    }

    function swap(uint256 actorSeed, bool zeroForOne, uint256 amountIn) external {
        address trader = actor(actorSeed);
        amountIn = bound(amountIn, 0, 1e24);
        (zeroForOne ? token0 : token1).mint(trader, amountIn);
        vm.prank(trader);
        pair.swap(zeroForOne, amountIn, trader);
    }

    function setFee(bool on) external {
        vm.prank(governor);
        pair.setFeeTo(on ? treasury : address(0));
    }
}
