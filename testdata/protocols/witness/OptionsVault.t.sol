// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {OptionsVaultProperties, OptionsVaultTest, OptionsVaultBugTest} from "../test/OptionsVault.t.sol";
import {OptionsVaultHandler} from "../test/OptionsVaultHandler.sol";

contract OptionsVaultWitness is Test {
    function _fails(OptionsVaultProperties suite, bytes4 invariant) internal returns (bool) {
        (bool ok,) = address(suite).call(abi.encodePacked(invariant));
        return !ok;
    }

    function _both(function(OptionsVaultProperties, bool) internal run) internal {
        OptionsVaultProperties correct = new OptionsVaultTest();
        correct.setUp();
        run(correct, false);
        OptionsVaultProperties buggy = new OptionsVaultBugTest();
        buggy.setUp();
        run(buggy, true);
    }

    // Medium, 5 calls. Missed checkpoint: a share transfer does not sync a receiver with an empty wallet, who then
    // earns premiums from before the transfer. Width: any amounts; premiums of the round before the transfer; the
    // receiver has not been synced since.
    function test_OptionsVault_receiverNotSynced() public {
        _both(_receiverNotSynced);
    }

    function _receiverNotSynced(OptionsVaultProperties suite, bool expected) internal {
        OptionsVaultHandler h = suite.handler();
        h.deposit(0, 10e8);
        h.roll();
        h.buyOptions(0, 5e8);
        h.claimShares(0);
        suite.invariant_premiumsBacked();
        h.transferShares(0, 1, 4e8);
        assertEq(_fails(suite, suite.invariant_premiumsBacked.selector), expected, "premiumsBacked");
        assertFalse(_fails(suite, suite.invariant_optionsBacked.selector), "optionsBacked");
        assertFalse(_fails(suite, suite.invariant_withdrawalsBacked.selector), "withdrawalsBacked");
    }

    // Deep, 8 calls. Double count after a transfer: options given to a buyer who has not
    // collected an earlier round revive its old options in the running round. Width: any amounts; two buyers, the
    // receiver idle since an earlier round.
    function test_OptionsVault_ticketRevived() public {
        _both(_ticketRevived);
    }

    function _ticketRevived(OptionsVaultProperties suite, bool expected) internal {
        OptionsVaultHandler h = suite.handler();
        h.deposit(0, 10e8);
        h.roll();
        h.buyOptions(0, 5e8);
        h.warp(4 days);
        h.roll();
        h.buyOptions(1, 3e8);
        suite.invariant_optionsBacked();
        h.transferOptions(1, 0, 1e8);
        assertEq(_fails(suite, suite.invariant_optionsBacked.selector), expected, "optionsBacked");
        assertFalse(_fails(suite, suite.invariant_premiumsBacked.selector), "premiumsBacked");
        assertFalse(_fails(suite, suite.invariant_withdrawalsBacked.selector), "withdrawalsBacked");
    }

    // Deep, 10 calls. Stale index: a withdrawal is priced with the last closed round,
    // not with the one it was queued in. Shows when it is not collected for two rounds and the second one loses.
    // Width: any amounts (loss and queue above dust); price more than 10 % up within the second round (one move of
    // at most 20 %), some options sold, and no action of that user in between.
    function test_OptionsVault_withdrawAtWrongRound() public {
        _both(_withdrawAtWrongRound);
    }

    function _withdrawAtWrongRound(OptionsVaultProperties suite, bool expected) internal {
        OptionsVaultHandler h = suite.handler();
        h.deposit(0, 10e8);
        h.roll();
        h.queueWithdraw(0, 4e8);
        h.warp(4 days);
        h.roll();
        h.buyOptions(0, 5e8);
        h.movePrice(1_800, true);
        h.warp(4 days);
        h.warp(4 days);
        suite.invariant_withdrawalsBacked();
        h.roll();
        assertEq(_fails(suite, suite.invariant_withdrawalsBacked.selector), expected, "withdrawalsBacked");
        assertFalse(_fails(suite, suite.invariant_premiumsBacked.selector), "premiumsBacked");
        assertFalse(_fails(suite, suite.invariant_optionsBacked.selector), "optionsBacked");
    }
}
