// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {Perpetuals, IPerpetualsOracle} from "../src/Perpetuals.sol";

contract PerpetualsToken is ERC20("USD Coin", "USDC", 6) {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

contract PerpetualsOracle is IPerpetualsOracle {
    mapping(uint256 => uint256) public priceOf;

    function setPrice(uint256 market, uint256 price) external {
        priceOf[market] = price;
    }
}

contract PerpetualsHandler is Test {
    Perpetuals public immutable perps;
    PerpetualsOracle public immutable oracle;
    PerpetualsToken public immutable usdc;
    address public immutable admin;
    address[4] public actors;
    uint256[2] public basePrices;
    uint256 public immutable start;

    bool public tradedBelowMargin;
    uint256 public liquidations;

    constructor(Perpetuals perps_, PerpetualsOracle oracle_, PerpetualsToken usdc_, address admin_) {
        perps = perps_;
        oracle = oracle_;
        usdc = usdc_;
        admin = admin_;
        start = block.timestamp;
        basePrices = [oracle.priceOf(0), oracle.priceOf(1)];
        actors = [makeAddr("lp"), makeAddr("trader1"), makeAddr("trader2"), makeAddr("trader3")];
        for (uint256 i; i < 4; ++i) {
            vm.prank(actors[i]);
            usdc.approve(address(perps), type(uint256).max);
        }
    }

    function addLiquidity(uint256 actorSeed, uint256 amount) external {
        address actor = actors[actorSeed % 4];
        amount = bound(amount, 1_000e6, 5_000_000e6);
        usdc.mint(actor, amount);
        vm.prank(actor);
        perps.addLiquidity(amount);
    }

    function requestWithdraw(uint256 actorSeed, uint256 shares) external {
        address actor = actors[actorSeed % 4];
        uint256 balance = perps.balanceOf(actor);
        if (balance == 0) return;
        vm.prank(actor);
        perps.requestWithdraw(bound(shares, 1, balance));
    }

    function cancelWithdraw(uint256 actorSeed) external {
        vm.prank(actors[actorSeed % 4]);
        perps.cancelWithdraw();
    }

    function removeLiquidity(uint256 actorSeed) external {
        vm.prank(actors[actorSeed % 4]);
        perps.removeLiquidity();
    }

    function transferShares(uint256 actorSeed, uint256 toSeed, uint256 shares) external {
        address actor = actors[actorSeed % 4];
        uint256 balance = perps.balanceOf(actor);
        vm.prank(actor);
        perps.transfer(actors[toSeed % 4], bound(shares, 0, balance));
    }

    function depositMargin(uint256 actorSeed, uint256 market, uint256 amount) external {
        address actor = actors[actorSeed % 4];
        amount = bound(amount, 10e6, 200_000e6);
        usdc.mint(actor, amount);
        vm.prank(actor);
        perps.depositMargin(market % 2, amount);
    }

    function withdrawMargin(uint256 actorSeed, uint256 market, uint256 amount) external {
        address actor = actors[actorSeed % 4];
        uint256 margin = perps.positionOf(market % 2, actor).margin / 1e12;
        if (margin == 0) return;
        vm.prank(actor);
        perps.withdrawMargin(market % 2, bound(amount, 1, margin));
        _checkMargin(market % 2, actor);
    }

    function trade(uint256 actorSeed, uint256 market, int256 delta) external {
        address actor = actors[actorSeed % 4];
        market %= 2;
        uint256 margin = perps.positionOf(market, actor).margin;
        int256 most = int256(margin * 10 * 1e18 / oracle.priceOf(market));
        delta = bound(delta, -most, most);
        vm.prank(actor);
        perps.trade(market, delta, delta > 0 ? type(uint256).max : 0);
        if (delta > 0 == perps.positionOf(market, actor).size > 0) _checkMargin(market, actor);
    }

    function closePosition(uint256 actorSeed, uint256 market) external {
        address actor = actors[actorSeed % 4];
        market %= 2;
        int256 size = perps.positionOf(market, actor).size;
        vm.prank(actor);
        perps.closePosition(market, size < 0 ? type(uint256).max : 0);
    }

    function liquidate(uint256 actorSeed, uint256 accountSeed, uint256 market) external {
        vm.prank(actors[actorSeed % 4]);
        perps.liquidate(market % 2, actors[accountSeed % 4]);
        liquidations++;
    }

    function accrueFunding(uint256 market) external {
        perps.accrueFunding(market % 2);
    }

    function movePrice(uint256 market, uint256 percent) external {
        market %= 2;
        uint256 price = oracle.priceOf(market) * bound(percent, 75, 130) / 100;
        oracle.setPrice(market, bound(price, basePrices[market] / 4, basePrices[market] * 4));
    }

    function warp(uint256 secs) external {
        vm.warp(block.timestamp + bound(secs, 10 minutes, 4 days));
    }

    function setMaxFundingRate(uint256 market, uint256 rate) external {
        vm.prank(admin);
        perps.setMaxFundingRate(market % 2, bound(rate, 0, 0.2e18));
    }

    function collectFees() external {
        vm.prank(admin);
        perps.collectFees(admin);
    }

    function donate(uint256 amount) external {
        usdc.mint(address(perps), bound(amount, 1, 1_000e6));
    }

    function _checkMargin(uint256 market, address actor) internal {
        Perpetuals.Position memory p = perps.positionOf(market, actor);
        uint256 size = p.size < 0 ? uint256(-p.size) : uint256(p.size);
        if (p.margin < size * oracle.priceOf(market) / 1e18 / 10) tradedBelowMargin = true;
    }
}
