// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ProofBridgeProperties, ProofBridgeTest, ProofBridgeBugTest} from "../test/ProofBridge.t.sol";
import {ProofBridgeHandler} from "../test/ProofBridgeHandler.sol";

contract ProofBridgeWitness is Test {
    function _suite(bool bug) internal returns (ProofBridgeProperties suite) {
        suite = bug ? ProofBridgeProperties(new ProofBridgeBugTest()) : new ProofBridgeTest();
        suite.setUp();
    }

    function _holds(ProofBridgeProperties suite, bytes4 selector) internal view returns (bool ok) {
        (ok,) = address(suite).staticcall(abi.encodeWithSelector(selector));
    }

    /// Kind: counter not updated in one path (a voided release keeps its reservation). 5 calls. Width: wide; message
    /// and root must match, and the void comes within the 12 hours of the root.
    function test_p_reservationOfVoidedRelease() public {
        for (uint256 i; i < 2; ++i) {
            ProofBridgeProperties suite = _suite(i == 1);
            ProofBridgeHandler h = suite.handler();
            h.lock(0, 0, 0, 1000e6, 1);
            h.relay(0);
            h.prove(0, 0, 0);
            h.challenge(1, 0);
            assertTrue(_holds(suite, suite.invariant_reservedIsPending.selector));
            h.voidRelease(0, 0);
            assertEq(_holds(suite, suite.invariant_reservedIsPending.selector), i == 0);
        }
    }

    /// Kind: double count (refund of the whole amount after a part was paid). 6 calls. Width: amount above what is left
    /// of the day's limit, about 1 in 6 for one message, more with several.
    function test_p_refundAfterPartialPayment() public {
        for (uint256 i; i < 2; ++i) {
            ProofBridgeProperties suite = _suite(i == 1);
            ProofBridgeHandler h = suite.handler();
            h.lock(0, 0, 0, 590_000e6, 1);
            h.relay(0);
            h.prove(0, 0, 0);
            h.warp(12);
            h.finalize(0, 0);
            assertTrue(_holds(suite, suite.invariant_backing.selector));
            h.veto(0, 0);
            assertEq(_holds(suite, suite.invariant_backing.selector), i == 0);
        }
    }

    /// Kind: removal that leaves a dangling entry (the tail of the queue after its only entry is vetoed; the next entry
    /// is linked to nothing). 9 calls. Width: two messages of one asset and side, the first above the limit (1 in 6),
    /// both paid on the same day with the veto between them.
    function test_p_danglingTail() public {
        for (uint256 i; i < 2; ++i) {
            ProofBridgeProperties suite = _suite(i == 1);
            ProofBridgeHandler h = suite.handler();
            h.lock(0, 0, 1, 24e8, 1);
            h.lock(1, 0, 1, 3e8, 2);
            h.relay(0);
            h.prove(0, 0, 0);
            h.prove(0, 1, 0);
            h.warp(12);
            h.finalize(0, 0);
            h.veto(0, 0);
            assertTrue(_holds(suite, suite.invariant_queueIsComplete.selector));
            h.finalize(0, 1);
            assertEq(_holds(suite, suite.invariant_queueIsComplete.selector), i == 0);
        }
    }
}
