// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OptionsVault} from "../src/OptionsVault.sol";
import {PriceOracle} from "../src/options/PriceOracle.sol";
import {TestToken} from "../src/common/TestToken.sol";

contract OptionsVaultHandler is Test {
    OptionsVault public immutable vault;
    PriceOracle public immutable oracle;
    TestToken public immutable asset;
    TestToken public immutable cash;
    address public immutable keeper;
    address[] public users;
    address[] public buyers;

    constructor(
        OptionsVault vault_,
        TestToken asset_,
        TestToken cash_,
        address keeper_,
        address[] memory users_,
        address[] memory buyers_
    ) {
        vault = vault_;
        oracle = vault_.oracle();
        asset = asset_;
        cash = cash_;
        keeper = keeper_;
        users = users_;
        buyers = buyers_;
    }

    // ---------------------------------------------------------------- depositors

    function deposit(uint256 userSeed, uint256 amount) external {
        address user = _user(userSeed);
        amount = bound(amount, 1e6, 20e8);
        asset.mint(user, amount);
        vm.startPrank(user);
        asset.approve(address(vault), amount);
        vault.deposit(amount);
        vm.stopPrank();
    }

    function withdrawPending(uint256 userSeed, uint256 amount) external {
        address user = _user(userSeed);
        uint256 pending = vault.accountOf(user).pending;
        if (pending == 0) return;
        vm.prank(user);
        vault.withdrawPending(bound(amount, 1, pending));
    }

    function claimShares(uint256 userSeed) external {
        vm.prank(_user(userSeed));
        vault.claimShares();
    }

    function queueWithdraw(uint256 userSeed, uint256 shares) external {
        address user = _user(userSeed);
        uint256 held = vault.accountOf(user).unclaimed + vault.balanceOf(user);
        if (held == 0) return;
        vm.prank(user);
        vault.queueWithdraw(bound(shares, 1, held));
    }

    function cancelQueue(uint256 userSeed, uint256 shares) external {
        address user = _user(userSeed);
        uint256 queued = vault.accountOf(user).queued;
        if (queued == 0) return;
        vm.prank(user);
        vault.cancelQueue(bound(shares, 1, queued));
    }

    function completeWithdraw(uint256 userSeed) external {
        vm.prank(_user(userSeed));
        vault.completeWithdraw();
    }

    function claimPremium(uint256 userSeed) external {
        vm.prank(_user(userSeed));
        vault.claimPremium();
    }

    function transferShares(uint256 fromSeed, uint256 toSeed, uint256 shares) external {
        address from = _user(fromSeed);
        uint256 held = vault.balanceOf(from);
        vm.prank(from);
        vault.transfer(_user(toSeed), bound(shares, 0, held));
    }

    // ---------------------------------------------------------------- option buyers

    function buyOptions(uint256 buyerSeed, uint256 amount) external {
        OptionsVault.Round memory r = vault.getRound(vault.round());
        if (r.sold == r.capacity) return;
        address buyer = _buyer(buyerSeed);
        amount = bound(amount, 1, r.capacity - r.sold);
        uint256 premium = vault.premiumFor(amount);
        cash.mint(buyer, premium);
        vm.startPrank(buyer);
        cash.approve(address(vault), premium);
        vault.buyOptions(amount);
        vm.stopPrank();
    }

    function transferOptions(uint256 fromSeed, uint256 toSeed, uint256 amount) external {
        address from = _buyer(fromSeed);
        uint256 held = vault.ticketOf(from).amount;
        if (held == 0) return;
        vm.prank(from);
        vault.transferOptions(_buyer(toSeed), bound(amount, 1, held));
    }

    function claimPayout(uint256 buyerSeed) external {
        vm.prank(_buyer(buyerSeed));
        vault.claimPayout();
    }

    // ---------------------------------------------------------------- keeper, price and time

    function movePrice(uint256 moveBps, bool up) external {
        uint256 price = oracle.price();
        moveBps = bound(moveBps, 1, 2_000);
        uint256 next = up ? price + price * moveBps / 1e4 : price - price * moveBps / 1e4;
        if (next < 20_000e8 || next > 200_000e8) return;
        vm.prank(keeper);
        oracle.update(next);
    }

    function settle() external {
        vault.settle();
    }

    function roll() external {
        vm.prank(keeper);
        vault.roll();
    }

    function collectFees() external {
        vm.prank(keeper);
        vault.collectFees(keeper);
    }

    function warp(uint256 delta) external {
        vm.warp(block.timestamp + bound(delta, 1 hours, 4 days));
    }

    function _user(uint256 seed) internal view returns (address) {
        return users[seed % users.length];
    }

    function _buyer(uint256 seed) internal view returns (address) {
        return buyers[seed % buyers.length];
    }
}
