// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {LiquidStaking} from "../src/LiquidStaking.sol";

contract StakedAsset is ERC20 {
    constructor() ERC20("Wrapped Ether", "WETH", 18) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

/// @notice Stakers, operators and the oracle. Operators hold what their validators have.
contract LiquidStakingHandler is CommonBase, StdUtils {
    LiquidStaking public staking;
    StakedAsset public asset;
    address public admin;
    address[] public actors;

    mapping(uint256 id => uint256) public valueAtRequest;
    mapping(uint256 id => uint256) public paid;
    bool public rateFell;
    uint256 public rewards;
    uint256 public losses;
    uint256 public bestProfit;

    constructor(LiquidStaking staking_, StakedAsset asset_, address admin_, address[] memory actors_) {
        staking = staking_;
        asset = asset_;
        admin = admin_;
        actors = actors_;
    }

    /// @dev Nothing but a slash may lower the rate.
    modifier keepsRate() {
        uint256 assetsBefore = staking.totalAssets();
        uint256 supplyBefore = staking.totalSupply();
        _;
        if (staking.totalAssets() * supplyBefore < assetsBefore * staking.totalSupply()) rateFell = true;
    }

    // ------------------------------------------------------------------ stakers

    function deposit(uint256 actorSeed, uint256 assets) external keepsRate {
        address actor = _actor(actorSeed);
        assets = bound(assets, 0.01e18, 1000e18);
        asset.mint(actor, assets);
        vm.startPrank(actor);
        asset.approve(address(staking), assets);
        staking.deposit(assets, actor);
        vm.stopPrank();
    }

    function transferShares(uint256 fromSeed, uint256 toSeed, uint256 shares) external keepsRate {
        address from = _actor(fromSeed);
        address to = _actor(toSeed);
        shares = bound(shares, 0, staking.balanceOf(from));
        vm.prank(from);
        staking.transfer(to, shares);
    }

    function requestWithdraw(uint256 actorSeed, uint256 shares) external keepsRate {
        address actor = _actor(actorSeed);
        uint256 balance = staking.balanceOf(actor);
        if (balance < staking.MIN_REQUEST()) return;
        shares = bound(shares, staking.MIN_REQUEST(), balance);
        uint256 value = staking.convertToAssets(shares);
        vm.prank(actor);
        uint256 id = staking.requestWithdraw(shares);
        valueAtRequest[id] = value;
    }

    function reduceRequest(uint256 idSeed, uint256 shares) external keepsRate {
        (uint256 id, LiquidStaking.Request memory request) = _request(idSeed);
        if (request.shares < 2) return;
        shares = bound(shares, 1, request.shares - 1);
        vm.prank(request.owner);
        staking.reduceRequest(id, shares);
        valueAtRequest[id] = valueAtRequest[id] * (request.shares - shares) / request.shares;
    }

    function cancelRequest(uint256 idSeed) external keepsRate {
        (uint256 id, LiquidStaking.Request memory request) = _request(idSeed);
        vm.prank(request.owner);
        staking.cancelRequest(id);
    }

    function transferRequest(uint256 idSeed, uint256 toSeed) external keepsRate {
        (uint256 id, LiquidStaking.Request memory request) = _request(idSeed);
        address to = _actor(toSeed);
        vm.prank(request.owner);
        staking.transferRequest(id, to);
    }

    /// @dev Clients take the batch from an index that may be a step off.
    function claim(uint256 idSeed, uint256 batchSeed) external keepsRate {
        (uint256 id, LiquidStaking.Request memory request) = _request(idSeed);
        uint256 batch = staking.findBatch(id);
        uint256 last = staking.lastBatchId();
        batch = bound(batchSeed, batch < 2 ? 1 : batch - 1, batch >= last ? last : batch + 1);
        vm.prank(request.owner);
        paid[id] = staking.claim(id, batch);
    }

    // ------------------------------------------------------------------ operators and the oracle

    function finalize(uint256 idSeed) external keepsRate {
        uint256 first = staking.lastFinalizedId() + 1;
        uint256 last = staking.lastRequestId();
        if (first > last) return;
        uint256 upTo = bound(idSeed, first, last);
        vm.prank(admin);
        staking.finalize(upTo);
    }

    function stake(uint256 validatorSeed, uint256 amount) external keepsRate {
        uint256 id = _validator(validatorSeed);
        amount = bound(amount, 0, staking.buffer());
        vm.prank(admin);
        staking.stake(id, amount);
    }

    function recall(uint256 validatorSeed, uint256 amount) external keepsRate {
        uint256 id = _validator(validatorSeed);
        amount = bound(amount, 0, staking.validators(id).balance);
        vm.prank(admin);
        staking.recall(id, amount);
    }

    function reportRewards(uint256 validatorSeed, uint256 amount) external keepsRate {
        uint256 id = _validator(validatorSeed);
        LiquidStaking.Validator memory validator = staking.validators(id);
        amount = bound(amount, 0, uint256(validator.balance) / 1000);
        vm.prank(admin);
        staking.report(id, validator.balance + amount);
        asset.mint(validator.operator, amount);
        rewards += amount;
        if (rewards > losses && rewards - losses > bestProfit) bestProfit = rewards - losses;
    }

    function reportSlash(uint256 validatorSeed, uint256 amount) external {
        uint256 id = _validator(validatorSeed);
        LiquidStaking.Validator memory validator = staking.validators(id);
        amount = bound(amount, 0, uint256(validator.balance) / 50);
        vm.prank(admin);
        staking.report(id, validator.balance - amount);
        asset.burn(validator.operator, amount);
        losses += amount;
    }

    function setFee(uint256 bps) external keepsRate {
        bps = bound(bps, 0, 2000);
        vm.prank(admin);
        staking.setFee(bps);
    }

    function warp(uint256 numHours) external {
        vm.warp(block.timestamp + bound(numHours, 1, 72) * 1 hours);
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }

    function _request(uint256 seed) internal view returns (uint256 id, LiquidStaking.Request memory request) {
        uint256 last = staking.lastRequestId();
        id = last == 0 ? 0 : bound(seed, 1, last);
        request = staking.requests(id);
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[bound(seed, 0, actors.length - 1)];
    }

    function _validator(uint256 seed) internal view returns (uint256) {
        return bound(seed, 0, staking.validatorCount() - 1);
    }
}
