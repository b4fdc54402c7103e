// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Stable} from "../src/cdp/Stable.sol";
import {PriceFeed} from "../src/cdp/PriceFeed.sol";
import {Cdp} from "../src/Cdp.sol";
import {CdpBug} from "../src/CdpBug.sol";
import {CdpHandler} from "./CdpHandler.sol";

abstract contract CdpProperties is Test {
    uint256 internal constant RAY = 1e27;
    uint256 internal constant DUST = 1e6;

    MintableToken public weth;
    PriceFeed public feed;
    Cdp public cdp;
    Stable public stable;
    CdpHandler public handler;
    address[] public actors;

    function deploy(address collateral, PriceFeed feed_, address feeReceiver) internal virtual returns (Cdp);

    function setUp() public {
        vm.warp(1_700_000_000);
        weth = new MintableToken("Wrapped Ether", "WETH", 18);
        feed = new PriceFeed(2000e18);
        cdp = deploy(address(weth), feed, makeAddr("fees"));
        stable = cdp.stable();
        actors.push(makeAddr("ada"));
        actors.push(makeAddr("ben"));
        actors.push(makeAddr("cleo"));
        actors.push(makeAddr("dan"));
        actors.push(makeAddr("eve"));
        for (uint256 i; i < actors.length; ++i) {
            weth.mint(actors[i], 20_000e18);
            vm.startPrank(actors[i]);
            weth.approve(address(cdp), type(uint256).max);
            stable.approve(address(cdp), type(uint256).max);
            vm.stopPrank();
        }
        handler = new CdpHandler(cdp, feed, weth, actors);
        feed.transferOwnership(address(handler));
        targetContract(address(handler));
    }

    /// Every stablecoin is somebody's debt.
    function invariant_supply_is_debt() public view {
        assertEq(stable.totalSupply(), cdp.totalDebt());
    }

    /// The debts of the positions add up to the total, but for dust.
    function invariant_debts_add_up() public view {
        uint256 sum;
        for (uint256 i; i < actors.length; ++i) {
            sum += cdp.debtOf(actors[i]);
        }
        assertLe(sum, cdp.totalDebt());
        assertLe(cdp.totalDebt(), sum + DUST);
    }

    /// The collateral of the positions adds up to the total, but for dust.
    function invariant_collateral_adds_up() public view {
        uint256 sum = positionsCollateral();
        assertLe(sum, cdp.totalCollateral());
        assertLe(cdp.totalCollateral(), sum + DUST * (1 + cdp.collIndex() / RAY));
    }

    /// Positions, surpluses and gains of the pool are covered.
    function invariant_collateral_backed() public view {
        assertGe(weth.balanceOf(address(cdp)), positionsCollateral() + cdp.totalSurplus() + cdp.poolCollateral());
    }

    /// The list is linked both ways and sorted by ratio.
    function invariant_list_sorted() public view {
        uint256 count;
        uint256 last = type(uint256).max;
        address above;
        for (address owner = cdp.head(); owner != address(0); owner = cdp.nextOf(owner)) {
            assertEq(cdp.prevOf(owner), above);
            assertTrue(cdp.inList(owner));
            (uint256 shares,,) = cdp.positions(owner);
            uint256 key = shares * RAY / cdp.debtOf(owner);
            if (last != type(uint256).max) assertLe(key, last + last / 1e9);
            (last, above) = (key, owner);
            ++count;
        }
        assertEq(cdp.tail(), above);
        assertEq(cdp.listSize(), count);
    }

    /// Depositors can claim no more than the pool has.
    function invariant_pool_covers_deposits() public view {
        uint256 sum;
        for (uint256 i; i < actors.length; ++i) {
            sum += cdp.compounded(actors[i]);
        }
        assertLe(sum, cdp.totalDeposits());
        assertGe(stable.balanceOf(address(cdp)), cdp.totalDeposits());
    }

    /// Listed positions have at least the minimal debt, the others none.
    function invariant_position_sizes() public view {
        for (uint256 i; i < actors.length; ++i) {
            uint256 debt = cdp.debtOf(actors[i]);
            if (cdp.inList(actors[i])) assertGe(debt, cdp.MIN_DEBT());
            else assertEq(debt + cdp.collateralOf(actors[i]), 0);
        }
    }

    /// The base rate only falls with time.
    function invariant_base_rate() public view {
        assertLe(cdp.currentRate(), cdp.baseRate());
        assertLe(cdp.baseRate(), 0.5e18);
        assertLe(cdp.rateUpdatedAt(), block.timestamp);
    }

    function positionsCollateral() internal view returns (uint256 sum) {
        for (uint256 i; i < actors.length; ++i) {
            sum += cdp.collateralOf(actors[i]);
        }
    }
}

/// @custom:expect invariant_supply_is_debt PASS
/// @custom:expect invariant_debts_add_up PASS
/// @custom:expect invariant_collateral_adds_up PASS
/// @custom:expect invariant_collateral_backed PASS
/// @custom:expect invariant_list_sorted PASS
/// @custom:expect invariant_pool_covers_deposits PASS
/// @custom:expect invariant_position_sizes PASS
/// @custom:expect invariant_base_rate PASS
contract CdpTest is CdpProperties {
    function deploy(address collateral, PriceFeed feed_, address feeReceiver) internal override returns (Cdp) {
        return new Cdp(collateral, feed_, feeReceiver, 20_000_000e18);
    }
}

/// @custom:bug calls=9
/// @custom:expect invariant_supply_is_debt PASS
/// @custom:expect invariant_debts_add_up PASS
/// @custom:expect invariant_collateral_adds_up FAIL
/// @custom:expect invariant_collateral_backed PASS
/// @custom:expect invariant_list_sorted FAIL
/// @custom:expect invariant_pool_covers_deposits FAIL
/// @custom:expect invariant_position_sizes PASS
/// @custom:expect invariant_base_rate PASS
contract CdpBugTest is CdpProperties {
    function deploy(address collateral, PriceFeed feed_, address feeReceiver) internal override returns (Cdp) {
        return new CdpBug(collateral, feed_, feeReceiver, 20_000_000e18);
    }
}
