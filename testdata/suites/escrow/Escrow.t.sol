// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// Its own target, with bare `assert`s inside of its functions. Forge sees these and blames the invariant that runs, so
// that it fails `invariant_noop` of the twin with the bug; what is expected here is that the function that asserts is the
// property that is broken.
//
// The bug: deposits of a token with a fee on transfers are credited in full.
// Calls: 2 (set the fee, deposit). Width: a fee of at most one percent of one of many amounts, so nearly always.

import {BugShown} from "../common/BugShown.sol";
import {Escrow, EscrowBug, FeeToken} from "./Escrow.sol";

abstract contract EscrowHarness is BugShown {
    FeeToken internal token;
    Escrow internal escrow;
    address[] internal people;

    function _deploy() internal virtual returns (Escrow);

    function setUp() public {
        people = [makeAddr("buyer"), makeAddr("seller"), makeAddr("broker")];
        token = new FeeToken();
        escrow = _deploy();
        targetContract(address(this));
        bytes4[] memory excluded = new bytes4[](1);
        excluded[0] = this.resetFee.selector;
        excludeSelector(FuzzSelector(address(this), excluded));
    }

    function invariant_noop() external pure {}

    function token_setFee(uint256 feeBps) public {
        token.setFee(feeBps % 101);
    }

    /// Not a target: with it the fee would be gone half of the time.
    function resetFee() public {
        token.setFee(0);
    }

    function escrow_deposit(uint256 buyerSeed, uint256 sellerSeed, uint256 amount) public {
        address buyer = people[buyerSeed % people.length];
        address seller = people[sellerSeed % people.length];
        vm.assume(buyer != seller);
        amount = bound(amount, 1, 1e24);
        token.mint(buyer, amount);
        vm.startPrank(buyer);
        token.approve(address(escrow), amount);
        escrow.deposit(seller, amount);
        vm.stopPrank();
        assert(escrow.totalHeld() <= token.balanceOf(address(escrow)));
    }

    function escrow_release(uint256 id) public {
        vm.assume(escrow.dealCount() != 0);
        id = bound(id, 0, escrow.dealCount() - 1);
        (address buyer,,) = escrow.deals(id);
        vm.prank(buyer);
        escrow.release(id);
        assert(escrow.totalHeld() <= token.balanceOf(address(escrow)));
    }

    function escrow_refund(uint256 id) public {
        vm.assume(escrow.dealCount() != 0);
        id = bound(id, 0, escrow.dealCount() - 1);
        (, address seller,) = escrow.deals(id);
        vm.prank(seller);
        escrow.refund(id);
        assert(escrow.totalHeld() <= token.balanceOf(address(escrow)));
    }
}

/// @custom:expect invariant_noop PASS
/// @custom:expect escrow_deposit PASS
/// @custom:expect escrow_release PASS
/// @custom:expect escrow_refund PASS
contract EscrowTest is EscrowHarness {
    function _deploy() internal override returns (Escrow) {
        return new Escrow(token);
    }
}

/// @custom:bug calls=2
/// @custom:expect invariant_noop PASS
/// @custom:expect escrow_deposit FAIL
/// @custom:expect escrow_release PASS
/// @custom:expect escrow_refund PASS
contract EscrowBugTest is EscrowHarness {
    function _deploy() internal override returns (Escrow) {
        return new EscrowBug(token);
    }

    function test_bug_shown() public {
        token_setFee(100);
        assertAsserts(abi.encodeCall(this.escrow_deposit, (0, 1, 1 ether)));
    }
}
