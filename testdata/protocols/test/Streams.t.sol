// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {Streams, StreamsBug} from "../src/Streams.sol";
import {StreamsHandler, StreamToken} from "./StreamsHandler.sol";

abstract contract StreamsProperties is Test {
    Streams public streams;
    StreamToken public token;
    StreamsHandler public handler;
    address public owner = address(0x0770);
    address[] internal _actors;

    function _deploy(ERC20 token_, address owner_) internal virtual returns (Streams);

    function setUp() public {
        vm.warp(1_750_000_000);
        token = new StreamToken();
        streams = _deploy(token, owner);
        _actors.push(address(0x1001));
        _actors.push(address(0x1002));
        _actors.push(address(0x1003));
        _actors.push(address(0x1004));
        for (uint256 i; i < _actors.length; ++i) {
            token.mint(_actors[i], 1e36);
            vm.prank(_actors[i]);
            token.approve(address(streams), type(uint256).max);
            targetSender(_actors[i]);
        }
        handler = new StreamsHandler(streams, owner, _actors);
        targetContract(address(streams));
        targetContract(address(handler));
    }

    function actors(uint256 i) external view returns (address) {
        return _actors[i];
    }

    /// The balance covers what senders can withdraw, what receivers are owed through the current cycle and what was
    /// collected and is not paid out.
    function invariant_solvency() public view {
        uint256 cycle = streams.currentCycle();
        int256 liabilities = int256(streams.totalCollected()) - int256(streams.totalClaimed());
        liabilities -= int256(streams.totalFees() - streams.fees());
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            address account = streams.knownAt(i);
            (, int256 owed) = streams.owedThrough(account, cycle);
            liabilities += owed + int256(streams.unspent(account));
        }
        assertGe(int256(token.balanceOf(address(streams))), liabilities, "solvency");
    }

    /// The schedule of an account in the next cycle is the sum of the live streams to it, and no stream outlives
    /// its funding.
    function invariant_schedules() public view {
        uint256 cycle = streams.currentCycle();
        uint256 last = cycle + 1;
        Streams.Sender[] memory all = new Streams.Sender[](_actors.length);
        for (uint256 i; i < all.length; ++i) {
            all[i] = streams.senders(_actors[i]);
            if (all[i].end > last) last = all[i].end;
        }
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            address account = streams.knownAt(i);
            (int256 rate,) = streams.owedThrough(account, cycle + 1);
            assertEq(rate, int256(_incoming(all, account, cycle + 1)), "next cycle");
            (rate,) = streams.owedThrough(account, last);
            assertEq(rate, int256(_incoming(all, account, last)), "end of funding");
        }
    }

    /// Collected amounts are claimed, claimable, waiting for a split or fees.
    function invariant_splitConservation() public view {
        uint256 sum = streams.totalClaimed() + streams.totalFees();
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            Streams.Account memory account = streams.accounts(streams.knownAt(i));
            sum += uint256(account.splittable) + account.claimable;
        }
        assertEq(sum, streams.totalCollected(), "collected");
    }

    /// The rates and the end of a sender follow from its receivers and its balance.
    function invariant_senders() public view {
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            Streams.Sender memory s = streams.senders(streams.knownAt(i));
            uint256 total;
            for (uint256 j; j < s.slots.length; ++j) {
                total += s.slots[j].rate;
                for (uint256 k; k < j; ++k) {
                    assertTrue(s.slots[j].to != s.slots[k].to, "duplicate");
                }
            }
            assertEq(s.totalRate, total, "rate");
            assertLe(s.slots.length, streams.MAX_SLOTS(), "slots");
            if (total == 0) assertEq(s.end, s.from, "idle");
            else assertLe(uint256(s.end - s.from) * total, s.balance, "funded");
        }
    }

    function invariant_splitWeights() public view {
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            Streams.Split[] memory list = streams.splits(streams.knownAt(i));
            uint256 total;
            for (uint256 j; j < list.length; ++j) {
                total += list[j].weight;
                assertGt(list[j].weight, 0, "empty split");
            }
            assertLe(total, streams.BPS(), "weights");
        }
    }

    function invariant_onlyFinishedCycles() public view {
        uint256 cycle = streams.currentCycle();
        uint256 count = streams.knownCount();
        for (uint256 i; i < count; ++i) {
            assertLe(streams.accounts(streams.knownAt(i)).next, cycle, "cycle");
        }
    }

    function invariant_feeBound() public view {
        assertLe(streams.totalFees() * streams.BPS(), streams.totalCollected() * streams.MAX_FEE(), "fees");
        assertLe(streams.fees(), streams.totalFees(), "swept");
    }

    function _incoming(Streams.Sender[] memory all, address account, uint256 cycle)
        internal
        pure
        returns (uint256 rate)
    {
        for (uint256 i; i < all.length; ++i) {
            if (all[i].end <= cycle) continue;
            for (uint256 j; j < all[i].slots.length; ++j) {
                if (all[i].slots[j].to == account) rate += all[i].slots[j].rate;
            }
        }
    }
}

/// @custom:expect invariant_solvency PASS
/// @custom:expect invariant_schedules PASS
/// @custom:expect invariant_splitConservation PASS
/// @custom:expect invariant_senders PASS
/// @custom:expect invariant_splitWeights PASS
/// @custom:expect invariant_onlyFinishedCycles PASS
/// @custom:expect invariant_feeBound PASS
contract StreamsTest is StreamsProperties {
    function _deploy(ERC20 token_, address owner_) internal override returns (Streams) {
        return new Streams(token_, owner_, 50);
    }
}

/// @custom:bug calls=7
/// @custom:expect invariant_solvency FAIL
/// @custom:expect invariant_schedules FAIL
/// @custom:expect invariant_splitConservation FAIL
/// @custom:expect invariant_senders PASS
/// @custom:expect invariant_splitWeights PASS
/// @custom:expect invariant_onlyFinishedCycles PASS
/// @custom:expect invariant_feeBound PASS
contract StreamsBugTest is StreamsProperties {
    function _deploy(ERC20 token_, address owner_) internal override returns (Streams) {
        return new StreamsBug(token_, owner_, 50);
    }
}
