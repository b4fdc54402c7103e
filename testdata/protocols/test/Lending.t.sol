// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Lending, LendingBug} from "../src/Lending.sol";
import {LendingHandler, LendingOracle, LendingToken} from "./LendingHandler.sol";

abstract contract LendingProperties is Test {
    Lending public pool;
    LendingOracle public oracle;
    LendingHandler public handler;
    LendingToken[3] public tokens;
    address public admin = makeAddr("admin");
    address public treasury = makeAddr("treasury");

    function _deploy() internal virtual returns (Lending);

    function setUp() public virtual {
        oracle = new LendingOracle();
        pool = _deploy();
        tokens[0] = new LendingToken("USDC", 6);
        tokens[1] = new LendingToken("WETH", 18);
        tokens[2] = new LendingToken("WBTC", 8);
        oracle.setPrice(address(tokens[0]), 1e18);
        oracle.setPrice(address(tokens[1]), 2_000e18);
        oracle.setPrice(address(tokens[2]), 40_000e18);
        _list(0, 8_000, 8_500, 500, 1_000, 0.9e27);
        _list(1, 7_500, 8_200, 600, 1_500, 0.8e27);
        _list(2, 7_000, 7_800, 800, 2_000, 0.7e27);
        handler = new LendingHandler(pool, oracle, tokens, admin);
        targetContract(address(handler));
    }

    function _list(uint256 t, uint256 ltv, uint256 threshold, uint256 bonus, uint256 factor, uint256 optimal) internal {
        uint8 decimals = tokens[t].decimals();
        uint256 cap = 100_000_000 * 10 ** decimals;
        vm.prank(admin);
        pool.listAsset(
            address(tokens[t]),
            decimals,
            Lending.Config(ltv, threshold, bonus, factor, cap, cap),
            Lending.RateModel(0.01e27, 0.06e27, 0.9e27, optimal)
        );
    }

    /// A reserve's cash, loans and recorded deficit cover what it owes.
    function invariant_solvency() public view {
        for (uint256 t; t < 3; ++t) {
            (uint256 backing, uint256 claims) = pool.totals(address(tokens[t]));
            assertGe(backing + 10, claims, "insolvent reserve");
        }
    }

    function invariant_cashIsHeld() public view {
        for (uint256 t; t < 3; ++t) {
            assertGe(tokens[t].balanceOf(address(pool)), pool.reserveOf(address(tokens[t])).cash, "cash");
        }
    }

    function invariant_supplySum() public view {
        for (uint256 t; t < 3; ++t) {
            uint256 sum;
            for (uint256 a; a < 4; ++a) {
                sum += pool.scaledSupplyOf(address(tokens[t]), handler.actors(a));
            }
            assertEq(sum, pool.reserveOf(address(tokens[t])).scaledSupply, "supply sum");
        }
    }

    function invariant_debtSum() public view {
        for (uint256 t; t < 3; ++t) {
            uint256 sum;
            for (uint256 a; a < 4; ++a) {
                sum += pool.scaledDebtOf(address(tokens[t]), handler.actors(a));
            }
            assertEq(sum, pool.reserveOf(address(tokens[t])).scaledDebt, "debt sum");
        }
    }

    function invariant_indexesGrow() public view {
        assertFalse(handler.indexFell(), "index fell");
        for (uint256 t; t < 3; ++t) {
            (uint256 s, uint256 d) = pool.currentIndexes(address(tokens[t]));
            assertGe(s, 1e27, "supply index");
            assertGe(d, 1e27, "debt index");
        }
    }

    /// Nobody owes anything without collateral behind it.
    function invariant_debtHasCollateral() public view {
        for (uint256 a; a < 4; ++a) {
            (,, uint256 debt) = pool.accountValues(handler.actors(a));
            if (debt != 0) assertTrue(pool.hasCollateral(handler.actors(a)), "bad debt");
        }
    }

    /// A borrower loses no more than what the liquidation reports as seized.
    function invariant_liquidationTakesWhatItSeizes() public view {
        assertFalse(handler.overSeized(), "over seized");
    }

    function invariant_usersLeaveThemselvesHealthy() public view {
        assertFalse(handler.leftUnhealthy(), "unhealthy");
    }
}

/// @custom:expect invariant_solvency PASS
/// @custom:expect invariant_cashIsHeld PASS
/// @custom:expect invariant_supplySum PASS
/// @custom:expect invariant_debtSum PASS
/// @custom:expect invariant_indexesGrow PASS
/// @custom:expect invariant_debtHasCollateral PASS
/// @custom:expect invariant_liquidationTakesWhatItSeizes PASS
/// @custom:expect invariant_usersLeaveThemselvesHealthy PASS
contract LendingTest is LendingProperties {
    function _deploy() internal override returns (Lending) {
        return new Lending(oracle, admin, treasury);
    }
}

/// @custom:bug calls=7
/// @custom:expect invariant_solvency FAIL
/// @custom:expect invariant_cashIsHeld PASS
/// @custom:expect invariant_supplySum PASS
/// @custom:expect invariant_debtSum PASS
/// @custom:expect invariant_indexesGrow PASS
/// @custom:expect invariant_debtHasCollateral FAIL
/// @custom:expect invariant_liquidationTakesWhatItSeizes FAIL
/// @custom:expect invariant_usersLeaveThemselvesHealthy PASS
contract LendingBugTest is LendingProperties {
    function _deploy() internal override returns (Lending) {
        return new LendingBug(oracle, admin, treasury);
    }
}
