// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {IndexFund} from "../src/IndexFund.sol";

/// @notice Holders, bidders and the manager. Keeps its own schedule of the fee.
contract IndexFundHandler is CommonBase, StdUtils {
    IndexFund public immutable fund;
    address public immutable manager;
    MintableToken[] public assets;
    MintableToken[] public rewards;
    address[] public actors;

    uint256 public ghost_dilutions;
    uint256 public ghost_fee;
    uint256 public ghost_rate;
    uint256 public ghost_nextRate;
    uint256 public ghost_nextAt;
    uint256[4] internal fairValue = [uint256(2000e18), 60_000e28, 1e30, 15e18];

    constructor(
        IndexFund fund_,
        address manager_,
        MintableToken[] memory assets_,
        MintableToken[] memory rewards_,
        address[] memory actors_
    ) {
        fund = fund_;
        manager = manager_;
        assets = assets_;
        rewards = rewards_;
        actors = actors_;
        ghost_rate = fund_.feeRate();
    }

    // ---- holders

    function mint(uint256 who, uint256 shares) external {
        fund.accrueFee();
        shares = bound(shares, 1, 3000e18);
        uint256[4] memory before = _holdings();
        uint256 supply = fund.totalSupply();
        address actor = _actor(who);
        vm.prank(actor);
        fund.mint(shares, actor);
        _compare(before, supply);
    }

    function redeem(uint256 who, uint256 shares) external {
        fund.accrueFee();
        address actor = _actor(who);
        shares = bound(shares, 0, fund.balanceOf(actor));
        uint256[4] memory before = _holdings();
        uint256 supply = fund.totalSupply();
        vm.prank(actor);
        fund.redeem(shares, actor);
        _compare(before, supply);
    }

    function transfer(uint256 from, uint256 to, uint256 shares) external {
        address actor = _actor(from);
        shares = bound(shares, 0, fund.balanceOf(actor));
        vm.prank(actor);
        fund.transfer(_actor(to), shares);
    }

    function claim(uint256 who, uint256 token) external {
        vm.prank(_actor(who));
        fund.claim(address(_reward(token)));
    }

    function accrueFee() external {
        fund.accrueFee();
    }

    function bid(uint256 who, uint256 amount) external {
        (,, uint256 remaining,,,) = fund.auction();
        amount = bound(amount, 0, remaining);
        vm.prank(_actor(who));
        fund.bid(amount, type(uint256).max);
    }

    function endAuction() external {
        fund.endAuction();
    }

    /// @notice Tokens sent to the fund directly.
    function donate(uint256 who, uint256 asset, uint256 amount) external {
        MintableToken token = assets[asset % assets.length];
        address actor = _actor(who);
        amount = bound(amount, 0, token.balanceOf(actor) / 1000);
        vm.prank(actor);
        token.transfer(address(fund), amount);
    }

    // ---- manager

    function notifyReward(uint256 token, uint256 amount) external {
        MintableToken reward = _reward(token);
        uint256 unit = 10 ** reward.decimals();
        amount = bound(amount, unit, 50_000 * unit);
        vm.prank(manager);
        fund.notifyReward(address(reward), amount);
    }

    function addReward(uint256 token) external {
        vm.prank(manager);
        fund.addReward(address(_reward(token)));
    }

    function removeReward(uint256 token) external {
        vm.prank(manager);
        fund.removeReward(address(_reward(token)));
    }

    function announceFee(uint256 rate) external {
        rate = bound(rate, 0, fund.MAX_FEE());
        vm.prank(manager);
        fund.announceFee(rate);
        ghost_nextRate = rate;
        ghost_nextAt = block.timestamp + fund.FEE_NOTICE();
    }

    function startAuction(uint256 sell, uint256 buy, uint256 amount) external {
        sell %= 4;
        buy %= 4;
        amount = bound(amount, 1, fund.holdings(sell) * 3 / 10);
        uint256 fair = fairValue[sell] * 1e18 / fairValue[buy];
        vm.prank(manager);
        fund.startAuction(sell, buy, amount, fair * 11 / 10, fair * 9 / 10 + 1);
    }

    function pause(uint256 time) external {
        time = bound(time, 0, 12 hours);
        vm.prank(manager);
        fund.pause(time);
    }

    // ---- time

    function warp(uint256 time) external {
        uint256 from = block.timestamp;
        uint256 to = from + bound(time, 1 minutes, 5 days);
        if (ghost_nextAt != 0 && to >= ghost_nextAt) {
            ghost_fee += ghost_rate * (ghost_nextAt - from);
            from = ghost_nextAt;
            (ghost_rate, ghost_nextAt) = (ghost_nextRate, 0);
        }
        ghost_fee += ghost_rate * (to - from);
        vm.warp(to);
    }

    function _compare(uint256[4] memory before, uint256 supply) internal {
        for (uint256 i; i < 4; ++i) {
            if (fund.holdings(i) * supply < before[i] * fund.totalSupply()) ++ghost_dilutions;
        }
    }

    function _holdings() internal view returns (uint256[4] memory list) {
        for (uint256 i; i < 4; ++i) {
            list[i] = fund.holdings(i);
        }
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[seed % actors.length];
    }

    function _reward(uint256 seed) internal view returns (MintableToken) {
        return rewards[seed % rewards.length];
    }
}
