// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {LiquidStaking, LiquidStakingBug} from "../src/LiquidStaking.sol";
import {LiquidStakingHandler, StakedAsset} from "./LiquidStakingHandler.sol";

abstract contract LiquidStakingProperties is Test {
    LiquidStaking public staking;
    StakedAsset public asset;
    LiquidStakingHandler public handler;
    address public admin = address(0xAD);
    address public treasury = address(0x7EA);

    function _deploy(ERC20 asset_, address owner_, address treasury_) internal virtual returns (LiquidStaking);

    function setUp() public {
        vm.warp(1_750_000_000);
        asset = new StakedAsset();
        staking = _deploy(asset, admin, treasury);
        uint256 roles = staking.ORACLE_ROLE() | staking.FINALIZER_ROLE() | staking.MANAGER_ROLE();
        for (uint256 i; i < 3; ++i) {
            address operator = address(uint160(0x0FE0 + i));
            vm.prank(operator);
            asset.approve(address(staking), type(uint256).max);
            vm.prank(admin);
            staking.addValidator(operator);
        }
        // The first deposit stays, so that the supply is never zero.
        asset.mint(admin, 1e18);
        vm.startPrank(admin);
        staking.grantRoles(admin, roles);
        asset.approve(address(staking), 1e18);
        staking.deposit(1e18, admin);
        vm.stopPrank();
        address[] memory actors = new address[](4);
        for (uint256 i; i < 4; ++i) {
            actors[i] = address(uint160(0x5001 + i));
        }
        handler = new LiquidStakingHandler(staking, asset, admin, actors);
        targetContract(address(handler));
    }

    /// The contract holds the buffer and what is set aside; operators hold the stake.
    function invariant_assetsHeld() public view {
        assertGe(asset.balanceOf(address(staking)), staking.buffer() + staking.locked(), "held");
        uint256 sum;
        for (uint256 i; i < staking.validatorCount(); ++i) {
            LiquidStaking.Validator memory validator = staking.validators(i);
            assertGe(asset.balanceOf(validator.operator), validator.balance, "operator");
            sum += validator.balance;
        }
        assertEq(sum, staking.totalStaked(), "staked");
    }

    /// What is set aside pays every finalised request.
    function invariant_lockedCoversClaims() public view {
        uint256 sum;
        uint256 last = staking.lastFinalizedId();
        for (uint256 id = 1; id <= last; ++id) {
            sum += staking.claimable(id);
        }
        assertGe(staking.locked(), sum, "locked");
    }

    /// Each owner's queued shares are those of its requests in the queue.
    function invariant_queuedShares() public view {
        uint256 last = staking.lastRequestId();
        uint256 count = handler.actorCount();
        for (uint256 i; i < count; ++i) {
            address actor = handler.actors(i);
            uint256 sum;
            for (uint256 id = 1; id <= last; ++id) {
                LiquidStaking.Request memory request = staking.requests(id);
                if (request.owner == actor && request.status == LiquidStaking.Status.Queued) sum += request.shares;
            }
            assertEq(staking.queuedShares(actor), sum, "queued");
        }
    }

    /// The queue is finalised in order: nothing at or below the last finalised request is still queued.
    function invariant_finalizedInOrder() public view {
        uint256 last = staking.lastFinalizedId();
        for (uint256 id = 1; id <= last; ++id) {
            assertTrue(staking.requests(id).status != LiquidStaking.Status.Queued, "left behind");
        }
    }

    /// A request never pays more than its shares were worth when they entered the queue.
    function invariant_queueEarnsNothing() public view {
        uint256 last = staking.lastFinalizedId();
        for (uint256 id = 1; id <= last; ++id) {
            uint256 pays = staking.claimable(id) + handler.paid(id);
            // A wei for the rounding of each reduction.
            assertLe(pays, handler.valueAtRequest(id) + 1e3, "earned");
        }
    }

    /// Shares are held by the actors, the treasury, the first depositor and the queue.
    function invariant_shareSupply() public view {
        assertEq(staking.balanceOf(address(staking)), staking.totalQueuedShares(), "queue");
        uint256 sum = staking.balanceOf(address(staking)) + staking.balanceOf(treasury) + staking.balanceOf(admin);
        uint256 count = handler.actorCount();
        for (uint256 i; i < count; ++i) {
            sum += staking.balanceOf(handler.actors(i));
        }
        assertEq(sum, staking.totalSupply(), "supply");
    }

    function invariant_rateFallsOnlyBySlash() public view {
        assertFalse(handler.rateFell(), "rate");
    }

    /// Fees are taken of the highest net profit so far.
    function invariant_feeBase() public view {
        assertEq(staking.totalFeeBase(), handler.bestProfit(), "fee base");
    }
}

/// @custom:expect invariant_assetsHeld PASS
/// @custom:expect invariant_lockedCoversClaims PASS
/// @custom:expect invariant_queuedShares PASS
/// @custom:expect invariant_finalizedInOrder PASS
/// @custom:expect invariant_queueEarnsNothing PASS
/// @custom:expect invariant_shareSupply PASS
/// @custom:expect invariant_rateFallsOnlyBySlash PASS
/// @custom:expect invariant_feeBase PASS
contract LiquidStakingTest is LiquidStakingProperties {
    function _deploy(ERC20 asset_, address owner_, address treasury_) internal override returns (LiquidStaking) {
        return new LiquidStaking(asset_, owner_, treasury_, 1000);
    }
}

/// @custom:bug calls=11
/// @custom:expect invariant_assetsHeld PASS
/// @custom:expect invariant_lockedCoversClaims FAIL
/// @custom:expect invariant_queuedShares FAIL
/// @custom:expect invariant_finalizedInOrder FAIL
/// @custom:expect invariant_queueEarnsNothing PASS
/// @custom:expect invariant_shareSupply PASS
/// @custom:expect invariant_rateFallsOnlyBySlash PASS
/// @custom:expect invariant_feeBase PASS
contract LiquidStakingBugTest is LiquidStakingProperties {
    function _deploy(ERC20 asset_, address owner_, address treasury_) internal override returns (LiquidStaking) {
        return new LiquidStakingBug(asset_, owner_, treasury_, 1000);
    }
}
