// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {Lending, ILendingOracle, IFlashBorrower} from "../src/Lending.sol";

contract LendingToken is ERC20 {
    constructor(string memory name_, uint8 decimals_) ERC20(name_, name_, decimals_) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

contract LendingOracle is ILendingOracle {
    mapping(address => uint256) public priceOf;

    function setPrice(address asset, uint256 price) external {
        priceOf[asset] = price;
    }
}

contract LendingFlashBorrower is IFlashBorrower {
    function onFlashLoan(address asset, uint256 amount, uint256 fee) external {
        LendingToken(asset).mint(address(this), fee);
        LendingToken(asset).approve(msg.sender, amount + fee);
    }
}

contract LendingHandler is Test {
    Lending public immutable pool;
    LendingOracle public immutable oracle;
    LendingFlashBorrower public immutable flashBorrower;
    address public immutable admin;
    LendingToken[3] public tokens;
    uint256[3] public basePrices;
    address[4] public actors;

    uint256[3] public lastSupplyIndex;
    uint256[3] public lastDebtIndex;
    bool public indexFell;
    bool public leftUnhealthy;
    bool public overSeized;
    uint256 public liquidations;

    constructor(Lending pool_, LendingOracle oracle_, LendingToken[3] memory tokens_, address admin_) {
        pool = pool_;
        oracle = oracle_;
        tokens = tokens_;
        admin = admin_;
        flashBorrower = new LendingFlashBorrower();
        actors = [makeAddr("alice"), makeAddr("bob"), makeAddr("carol"), makeAddr("dave")];
        for (uint256 t; t < 3; ++t) {
            basePrices[t] = oracle.priceOf(address(tokens[t]));
            lastSupplyIndex[t] = 1e27;
            lastDebtIndex[t] = 1e27;
            for (uint256 a; a < 4; ++a) {
                vm.prank(actors[a]);
                tokens[t].approve(address(pool), type(uint256).max);
            }
        }
    }

    modifier tracked() {
        _;
        for (uint256 t; t < 3; ++t) {
            (uint256 s, uint256 d) = pool.currentIndexes(address(tokens[t]));
            if (s < lastSupplyIndex[t] || d < lastDebtIndex[t]) indexFell = true;
            lastSupplyIndex[t] = s;
            lastDebtIndex[t] = d;
        }
    }

    function supply(uint256 actorSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        amount = bound(amount, 1, 1_000_000 * _dollar(token));
        token.mint(actor, amount);
        vm.prank(actor);
        pool.supply(address(token), amount, actor);
    }

    function withdraw(uint256 actorSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        uint256 balance = pool.supplyBalance(address(token), actor);
        if (balance == 0) return;
        vm.prank(actor);
        pool.withdraw(address(token), bound(amount, 1, balance), actor);
        _checkHealth(actor);
    }

    function borrow(uint256 actorSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        (uint256 limit,, uint256 debt) = pool.accountValues(actor);
        if (limit <= debt) return;
        uint256 room = (limit - debt) * 10 ** token.decimals() / oracle.priceOf(address(token));
        uint256 cash = pool.reserveOf(address(token)).cash;
        if (room > cash) room = cash;
        if (room == 0) return;
        vm.prank(actor);
        pool.borrow(address(token), bound(amount, 1, room), actor);
        _checkHealth(actor);
    }

    function repay(uint256 actorSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        uint256 debt = pool.debtBalance(address(token), actor);
        if (debt == 0) return;
        amount = bound(amount, 1, debt);
        token.mint(actor, amount);
        vm.prank(actor);
        pool.repay(address(token), amount, actor);
    }

    function repayWithSupply(uint256 actorSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        uint256 debt = pool.debtBalance(address(token), actor);
        if (debt == 0) return;
        vm.prank(actor);
        pool.repayWithSupply(address(token), bound(amount, 1, debt));
        _checkHealth(actor);
    }

    function transferSupply(uint256 actorSeed, uint256 toSeed, uint256 tokenSeed, uint256 amount) external tracked {
        (address actor, LendingToken token) = _pick(actorSeed, tokenSeed);
        uint256 balance = pool.supplyBalance(address(token), actor);
        if (balance == 0) return;
        vm.prank(actor);
        pool.transferSupply(address(token), actors[toSeed % 4], bound(amount, 1, balance));
        _checkHealth(actor);
    }

    function liquidate(uint256 actorSeed, uint256 userSeed, uint256 debtSeed, uint256 collateralSeed, uint256 amount)
        external
        tracked
    {
        (address actor, LendingToken debtToken) = _pick(actorSeed, debtSeed);
        address user = actors[userSeed % 4];
        address collateral = address(tokens[collateralSeed % 3]);
        uint256 debt = pool.debtBalance(address(debtToken), user);
        if (debt == 0) return;
        amount = bound(amount, 1, debt);
        debtToken.mint(actor, amount);
        uint256 shares = pool.scaledSupplyOf(collateral, user);
        (uint256 index,) = pool.currentIndexes(collateral);
        vm.prank(actor);
        (, uint256 seized) = pool.liquidate(user, address(debtToken), collateral, amount);
        shares -= pool.scaledSupplyOf(collateral, user);
        if (shares * index / 1e27 > seized + index / 1e27 + 2) overSeized = true;
        liquidations++;
    }

    function flashLoan(uint256 tokenSeed, uint256 amount) external tracked {
        LendingToken token = tokens[tokenSeed % 3];
        uint256 cash = pool.reserveOf(address(token)).cash;
        if (cash == 0) return;
        pool.flashLoan(address(token), bound(amount, 1, cash), flashBorrower);
    }

    function movePrice(uint256 tokenSeed, uint256 percent) external tracked {
        uint256 t = tokenSeed % 2 + 1;
        uint256 price = oracle.priceOf(address(tokens[t])) * bound(percent, 60, 150) / 100;
        oracle.setPrice(address(tokens[t]), bound(price, basePrices[t] / 5, basePrices[t] * 5));
    }

    function warp(uint256 secs) external tracked {
        vm.warp(block.timestamp + bound(secs, 1 hours, 30 days));
    }

    function claimTreasury(uint256 tokenSeed) external tracked {
        pool.claimTreasury(address(tokens[tokenSeed % 3]));
    }

    function coverDeficit(uint256 tokenSeed, uint256 amount) external tracked {
        LendingToken token = tokens[tokenSeed % 3];
        uint256 deficit = pool.reserveOf(address(token)).deficit;
        if (deficit == 0) return;
        amount = bound(amount, 1, deficit);
        token.mint(address(this), amount);
        token.approve(address(pool), amount);
        pool.coverDeficit(address(token), amount);
    }

    function setReserveFactor(uint256 tokenSeed, uint256 factor) external tracked {
        vm.prank(admin);
        pool.setReserveFactor(address(tokens[tokenSeed % 3]), bound(factor, 0, 5_000));
    }

    function donate(uint256 tokenSeed, uint256 amount) external tracked {
        LendingToken token = tokens[tokenSeed % 3];
        token.mint(address(pool), bound(amount, 1, 1_000 * _dollar(token)));
    }

    function _pick(uint256 actorSeed, uint256 tokenSeed) internal view returns (address, LendingToken) {
        return (actors[actorSeed % 4], tokens[tokenSeed % 3]);
    }

    function _dollar(LendingToken token) internal view returns (uint256) {
        return 10 ** token.decimals() * 1e18 / oracle.priceOf(address(token));
    }

    function _checkHealth(address actor) internal {
        if (pool.healthFactor(actor) < 1e18) leftUnhealthy = true;
    }
}
