// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ClearinghouseBugTester, ClearinghouseTester} from "./ClearinghouseTester.sol";

abstract contract ClearinghouseProperties is Test {
    ClearinghouseTester public harness;

    function setUp() public virtual {
        harness = _newTester();
        targetContract(address(harness));
    }

    function _newTester() internal virtual returns (ClearinghouseTester);

    function invariant_vaultTotals() public view {
        assertTrue(harness.invariant_vaultTotals(), "vaultTotals");
    }

    function invariant_vaultSolvency() public view {
        assertTrue(harness.invariant_vaultSolvency(), "vaultSolvency");
    }

    function invariant_heldAssets() public view {
        assertTrue(harness.invariant_heldAssets(), "heldAssets");
    }

    function invariant_ledgerMatchesTranches() public view {
        assertTrue(harness.invariant_ledgerMatchesTranches(), "ledgerMatchesTranches");
    }

    function invariant_supplyBacked() public view {
        assertTrue(harness.invariant_supplyBacked(), "supplyBacked");
    }

    function invariant_trancheIndex() public view {
        assertTrue(harness.invariant_trancheIndex(), "trancheIndex");
    }

    function invariant_indexGrows() public view {
        assertTrue(harness.invariant_indexGrows(), "indexGrows");
    }

    function invariant_stakingBacked() public view {
        assertTrue(harness.invariant_stakingBacked(), "stakingBacked");
    }

    function invariant_rewardsAccrued() public view {
        assertTrue(harness.invariant_rewardsAccrued(), "rewardsAccrued");
    }

    function invariant_feeShares() public view {
        assertTrue(harness.invariant_feeShares(), "feeShares");
    }

    function invariant_fundQueue() public view {
        assertTrue(harness.invariant_fundQueue(), "fundQueue");
    }

    function invariant_auctionCustody() public view {
        assertTrue(harness.invariant_auctionCustody(), "auctionCustody");
    }
}

/// @custom:expect invariant_vaultTotals PASS
/// @custom:expect invariant_vaultSolvency PASS
/// @custom:expect invariant_heldAssets PASS
/// @custom:expect invariant_ledgerMatchesTranches PASS
/// @custom:expect invariant_supplyBacked PASS
/// @custom:expect invariant_trancheIndex PASS
/// @custom:expect invariant_indexGrows PASS
/// @custom:expect invariant_stakingBacked PASS
/// @custom:expect invariant_rewardsAccrued PASS
/// @custom:expect invariant_feeShares PASS
/// @custom:expect invariant_fundQueue PASS
/// @custom:expect invariant_auctionCustody PASS
contract ClearinghouseTest is ClearinghouseProperties {
    function _newTester() internal override returns (ClearinghouseTester) {
        return new ClearinghouseTester(4);
    }
}

/// @custom:bug calls=8
/// @custom:expect invariant_vaultTotals FAIL
/// @custom:expect invariant_vaultSolvency PASS
/// @custom:expect invariant_heldAssets PASS
/// @custom:expect invariant_ledgerMatchesTranches PASS
/// @custom:expect invariant_supplyBacked PASS
/// @custom:expect invariant_trancheIndex FAIL
/// @custom:expect invariant_indexGrows PASS
/// @custom:expect invariant_stakingBacked PASS
/// @custom:expect invariant_rewardsAccrued FAIL
/// @custom:expect invariant_feeShares FAIL
/// @custom:expect invariant_fundQueue FAIL
/// @custom:expect invariant_auctionCustody PASS
/// @custom:expect staking_requestUnstake FAIL
/// @custom:expect governor_execute FAIL
/// @custom:expect lines_chargeLate FAIL
/// @custom:expect auction_bid FAIL
/// @custom:expect auction_writeOff FAIL
contract ClearinghouseBugTest is ClearinghouseProperties {
    function _newTester() internal override returns (ClearinghouseTester) {
        return new ClearinghouseBugTester(4);
    }
}
