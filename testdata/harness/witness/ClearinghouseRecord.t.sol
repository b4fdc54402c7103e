// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ClearinghouseProperties} from "../test/Clearinghouse.t.sol";
import {ClearinghouseBugTester, ClearinghouseTester} from "../test/ClearinghouseTester.sol";

/// @notice Suites that record broken assertions instead of panicking, to see which of them break.
interface IRecorder {
    function reasonCount() external view returns (uint256);
    function unexpected() external view returns (bool);
}

contract RecordTester is ClearinghouseTester {
    string[] public reasons;

    constructor(uint256 n) ClearinghouseTester(n) {}

    function t(bool ok, string memory reason) internal override {
        if (!ok) reasons.push(reason);
    }

    function unexpected() external view returns (bool) {
        return reasons.length > 0;
    }
}

contract RecordBugTester is ClearinghouseBugTester {
    string[] public reasons;
    bool[5] public seen;

    function known(uint256 i) public pure returns (string memory) {
        if (i == 0) return "requestUnstake: weight";
        if (i == 1) return "execute: step";
        if (i == 2) return "chargeLate: more than one fee";
        if (i == 3) return "bid: raised more than the target";
        return "writeOff: debt left";
    }

    constructor(uint256 n) ClearinghouseBugTester(n) {}

    function t(bool ok, string memory reason) internal override {
        if (ok) return;
        bytes32 k = keccak256(bytes(reason));
        for (uint256 i; i < 5; ++i) {
            if (k == keccak256(bytes(known(i)))) {
                seen[i] = true;
                return;
            }
        }
        reasons.push(reason);
    }

    function unexpected() external view returns (bool) {
        return reasons.length > 0;
    }
}

abstract contract Prologue is ClearinghouseProperties {
    /// @dev A lived-in state, so that a campaign sees auctions and late fees early.
    function _prologue() internal {
        uint256[3] memory amounts = [uint256(400e18), 20e8, 500_000e6];
        for (uint256 i; i < 3; ++i) {
            harness.vault_deposit(i, i, amounts[i]);
            harness.lines_draw(i, 10_000e18, 9);
            harness.lines_draw(i, 20_000e18, 5);
            harness.lines_drawMax(i, 12);
            harness.staking_stake(i, 1_000e18 * (i + 1));
            harness.fund_deposit(i, 10_000e18);
        }
        harness.staking_notify(10_000e18, 4);
        harness.feed_drop(0, 1900);
        harness.feed_drop(1, 900);
        harness.auction_start(0, 0);
        harness.auction_start(1, 0);
    }

    function _check() internal view {
        if (IRecorder(address(harness)).unexpected()) revert(RecordTester(address(harness)).reasons(0));
    }
}

contract ClearinghouseRecord is Prologue {
    function _newTester() internal override returns (ClearinghouseTester) {
        return new RecordTester(4);
    }

    function invariant_all() public view {
        _check();
        assertTrue(harness.invariant_vaultTotals(), "vaultTotals");
        assertTrue(harness.invariant_vaultSolvency(), "vaultSolvency");
        assertTrue(harness.invariant_heldAssets(), "heldAssets");
        assertTrue(harness.invariant_ledgerMatchesTranches(), "ledgerMatchesTranches");
        assertTrue(harness.invariant_supplyBacked(), "supplyBacked");
        assertTrue(harness.invariant_trancheIndex(), "trancheIndex");
        assertTrue(harness.invariant_indexGrows(), "indexGrows");
        assertTrue(harness.invariant_stakingBacked(), "stakingBacked");
        assertTrue(harness.invariant_rewardsAccrued(), "rewardsAccrued");
        assertTrue(harness.invariant_feeShares(), "feeShares");
        assertTrue(harness.invariant_fundQueue(), "fundQueue");
        assertTrue(harness.invariant_auctionCustody(), "auctionCustody");
    }
}

contract ClearinghouseBusyRecord is ClearinghouseRecord {
    function setUp() public override {
        super.setUp();
        _prologue();
    }
}

contract ClearinghouseBugRecord is Prologue {
    function _newTester() internal override returns (ClearinghouseTester) {
        return new RecordBugTester(4);
    }

    function invariant_all() public view {
        _check();
        assertTrue(harness.invariant_vaultSolvency(), "vaultSolvency");
        assertTrue(harness.invariant_heldAssets(), "heldAssets");
        assertTrue(harness.invariant_ledgerMatchesTranches(), "ledgerMatchesTranches");
        assertTrue(harness.invariant_supplyBacked(), "supplyBacked");
        assertTrue(harness.invariant_indexGrows(), "indexGrows");
        assertTrue(harness.invariant_stakingBacked(), "stakingBacked");
        assertTrue(harness.invariant_auctionCustody(), "auctionCustody");
    }
}

contract ClearinghouseBusyBugRecord is ClearinghouseBugRecord {
    function setUp() public override {
        super.setUp();
        _prologue();
    }
}

/// @notice When is each of the known assertions first broken?
contract ClearinghouseAssertRecord is ClearinghouseBugRecord {
    function _unseen(uint256 i) internal view {
        assertFalse(RecordBugTester(address(harness)).seen(i));
    }

    function invariant_seenStep() public view {
        _unseen(1);
    }

    function invariant_seenLate() public view {
        _unseen(2);
    }

    function invariant_seenTarget() public view {
        _unseen(3);
    }

    function invariant_seenWriteOff() public view {
        _unseen(4);
    }

    function invariant_seenWeight() public view {
        _unseen(0);
    }
}
