// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: what a replaced owner confirmed still counts.
// Calls: 6 (submit a payment; submit, confirm and execute the replacement of its first confirmer; confirm the payment
// by another owner; execute it). Width: no narrow numbers, but a deep state: two transactions in flight, each call by
// the right one of six people.

import {BugShown} from "../common/BugShown.sol";
import {MultisigWallet, MultisigWalletBug} from "./MultisigWallet.sol";
import {MultisigWalletHandler} from "./MultisigWalletHandler.sol";

abstract contract MultisigWalletProperties is BugShown {
    uint256 internal constant FUNDS = 1000 ether;

    MultisigWallet internal wallet;
    MultisigWalletHandler internal handler;

    function _deploy(address[] memory owners, uint256 threshold) internal virtual returns (MultisigWallet);

    function setUp() public {
        address[] memory people = new address[](6);
        address[] memory owners = new address[](3);
        for (uint256 i; i < people.length; ++i) {
            people[i] = makeAddr(string.concat("person", vm.toString(i)));
            if (i < owners.length) owners[i] = people[i];
        }
        wallet = _deploy(owners, 2);
        vm.deal(address(wallet), FUNDS);
        handler = new MultisigWalletHandler(wallet, people);
        targetContract(address(handler));
    }

    function invariant_executionNeedsAQuorum() external view {
        assertEq(handler.ghost_executedWithoutQuorum(), 0);
    }

    function invariant_fundsAreAccountedFor() external view {
        assertEq(address(wallet).balance, FUNDS - handler.ghost_spent());
        assertEq(handler.shop().balance, handler.ghost_spent());
    }

    function invariant_ownersAreDistinct() external view {
        address[3] memory owners = [wallet.owners(0), wallet.owners(1), wallet.owners(2)];
        assertTrue(wallet.isOwner(owners[0]) && wallet.isOwner(owners[1]) && wallet.isOwner(owners[2]));
        assertTrue(owners[0] != owners[1] && owners[0] != owners[2] && owners[1] != owners[2]);
    }
}

/// @custom:expect invariant_executionNeedsAQuorum PASS
/// @custom:expect invariant_fundsAreAccountedFor PASS
/// @custom:expect invariant_ownersAreDistinct PASS
contract MultisigWalletTest is MultisigWalletProperties {
    function _deploy(address[] memory owners, uint256 threshold) internal override returns (MultisigWallet) {
        return new MultisigWallet(owners, threshold);
    }
}

/// @custom:bug calls=6
/// @custom:expect invariant_executionNeedsAQuorum FAIL
/// @custom:expect invariant_fundsAreAccountedFor PASS
/// @custom:expect invariant_ownersAreDistinct PASS
contract MultisigWalletBugTest is MultisigWalletProperties {
    function _deploy(address[] memory owners, uint256 threshold) internal override returns (MultisigWallet) {
        return new MultisigWalletBug(owners, threshold);
    }

    function test_bug_shown() public {
        handler.submitPayment(0, 1 ether);
        handler.submitReplacement(1, 0, 5);
        handler.confirm(2, 1);
        handler.execute(2, 1);
        handler.confirm(1, 0);
        this.invariant_executionNeedsAQuorum();
        handler.execute(1, 0);
        assertBroken(this.invariant_executionNeedsAQuorum);
    }
}
