// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Tells who calls.
contract PrankWitness is Conformance {
    address public immutable creator = msg.sender;
    address public immutable creatorOrigin = tx.origin;
    address public sender;

    function who() external view returns (address, address) {
        return (msg.sender, tx.origin);
    }

    function pay() external payable returns (address) {
        return msg.sender;
    }

    /// Who calls `next` for this contract.
    function through(PrankWitness next) external view returns (address, address) {
        return next.who();
    }

    function prankInside(PrankWitness next, address someone) external returns (address before, address within) {
        before = msg.sender;
        vm.prank(someone);
        (within,) = next.who();
    }

    function prankOnly(address someone) external {
        vm.prank(someone);
    }

    function fail() external pure {
        revert();
    }

    function self() external returns (address, address, address) {
        sender = msg.sender;
        return (address(this), msg.sender, tx.origin);
    }
}

/// Two witnesses and what they see.
abstract contract Pranks is Conformance {
    address internal constant ALICE = address(0xa11ce);
    address internal constant BOB = address(0xb0b);
    address internal sender;
    PrankWitness internal witness;
    PrankWitness internal other;

    function setUp() public {
        witness = new PrankWitness();
        other = new PrankWitness();
    }

    function check(address caller, address origin) internal {
        (address c, address o) = witness.who();
        vm.assertEq(c, caller);
        vm.assertEq(o, origin);
    }

    /// What a delegate call to `witness` sees, and whom the call after it comes from.
    function delegated() internal returns (address here, address caller, address origin, address next) {
        (, bytes memory result) = address(witness).delegatecall(abi.encodeCall(witness.self, ()));
        (here, caller, origin) = abi.decode(result, (address, address, address));
        (next,) = witness.who();
    }
}

/// Senders and origins in disguise, for one call.
contract PrankTest is Pranks {
    function test_prank_once() public {
        vm.prank(ALICE);
        check(ALICE, tx.origin);
        check(address(this), tx.origin);
    }

    function test_prank_origin() public {
        address origin = tx.origin;
        vm.prank(ALICE, BOB);
        check(ALICE, BOB);
        check(address(this), origin);
        vm.assertEq(tx.origin, origin);
    }

    function test_prank_notDeeper() public {
        vm.prank(ALICE, BOB);
        (address caller, address origin) = witness.through(other);
        vm.assertEq(caller, address(witness));
        vm.assertEq(origin, BOB);
    }

    function test_prank_keptByCheatcodes() public {
        vm.prank(ALICE);
        vm.warp(5);
        vm.assertTrue(true);
        vm.load(address(witness), bytes32(0));
        check(ALICE, tx.origin);
    }

    function test_prank_create() public {
        vm.setNonce(ALICE, 4);
        vm.prank(ALICE, BOB);
        PrankWitness created = new PrankWitness();
        vm.assertEq(created.creator(), ALICE);
        vm.assertEq(created.creatorOrigin(), BOB);
        vm.assertEq(address(created), vm.computeCreateAddress(ALICE, 4));
        vm.assertEq(vm.getNonce(ALICE), 5);
        vm.assertEq(new PrankWitness().creator(), address(this));
    }

    function test_prank_create2() public {
        bytes32 hash = keccak256(type(PrankWitness).creationCode);
        vm.prank(ALICE);
        PrankWitness created = new PrankWitness{salt: 0}();
        vm.assertEq(created.creator(), ALICE);
        vm.assertEq(address(created), vm.computeCreate2Address(0, hash, ALICE));
    }

    function test_prank_value() public {
        vm.deal(ALICE, 5);
        uint256 balance = address(this).balance;
        vm.prank(ALICE);
        vm.assertEq(witness.pay{value: 3}(), ALICE);
        vm.assertEq(ALICE.balance, 2);
        vm.assertEq(address(this).balance, balance);
    }

    function test_prank_transfer() public {
        vm.deal(ALICE, 5);
        vm.prank(ALICE);
        payable(BOB).transfer(5);
        vm.assertEq(BOB.balance, 5);
        vm.assertEq(ALICE.balance, 0);
    }

    function test_prank_poor() public {
        vm.prank(ALICE);
        (bool done,) = address(witness).call{value: 1}(abi.encodeCall(witness.pay, ()));
        vm.assertFalse(done);
        check(address(this), tx.origin);
    }

    function test_prank_failedCall() public {
        vm.prank(ALICE);
        try witness.fail() {} catch {}
        check(address(this), tx.origin);
    }

    function test_prank_noCode() public {
        vm.prank(ALICE);
        (bool done,) = BOB.call("");
        vm.assertTrue(done);
        check(address(this), tx.origin);
    }

    function test_prank_precompile() public {
        vm.prank(ALICE);
        (bool done,) = address(2).call("");
        vm.assertTrue(done);
        check(address(this), tx.origin);
    }

    function callBack() external {
        sender = msg.sender;
    }

    function test_prank_self() public {
        vm.prank(ALICE);
        this.callBack();
        vm.assertEq(sender, ALICE);
    }

    /// A delegate call is not pranked but ends the prank.
    function test_prank_delegateCall() public {
        vm.prank(ALICE);
        (address here, address caller, address origin, address next) = delegated();
        vm.assertEq(here, address(this));
        vm.assertEq(caller, msg.sender);
        vm.assertEq(origin, tx.origin);
        vm.assertEq(next, address(this));
    }

    /// With `delegateCall` the code runs as the pranked contract, on its storage.
    function test_prank_delegate() public {
        vm.prank(address(other), true);
        (address here, address caller, address origin, address next) = delegated();
        vm.assertEq(here, address(other));
        vm.assertEq(caller, address(other));
        vm.assertEq(origin, tx.origin);
        vm.assertEq(next, address(this));
        vm.assertEq(other.sender(), address(other));
    }

    function test_prank_delegateOrigin() public {
        vm.prank(address(other), BOB, true);
        (address here, address caller, address origin, address next) = delegated();
        vm.assertEq(here, address(other));
        vm.assertEq(caller, address(other));
        vm.assertEq(origin, BOB);
        vm.assertEq(next, address(this));
    }

    /// Without code to delegate to `false` is a plain prank.
    function test_prank_notDelegate() public {
        vm.prank(ALICE, false);
        check(ALICE, tx.origin);
        vm.prank(ALICE, BOB, false);
        check(ALICE, BOB);
        vm.startPrank(ALICE, false);
        check(ALICE, tx.origin);
        vm.startPrank(ALICE, BOB, false);
        check(ALICE, BOB);
    }

    function test_prank_inside() public {
        vm.prank(ALICE);
        (address before, address within) = witness.prankInside(other, BOB);
        vm.assertEq(before, ALICE);
        vm.assertEq(within, BOB);
    }

    function callerOf(PrankWitness next, PrankWitness caller) private view returns (address seen) {
        (seen,) = caller.through(next);
    }

    /// A prank that a call leaves behind is for the next call of the same caller at the same depth.
    function test_prank_leftInside() public {
        witness.prankOnly(ALICE);
        check(address(this), tx.origin);
        vm.assertEq(callerOf(other, witness), ALICE);
        vm.assertEq(callerOf(other, witness), address(witness));
    }

    /// The call of another at that depth ends it.
    function test_prank_leftToAnother() public {
        witness.prankOnly(ALICE);
        vm.assertEq(callerOf(witness, other), address(other));
        vm.assertEq(callerOf(other, witness), address(witness));
    }

    function test_prank_leftInsideAndOwn() public {
        witness.prankOnly(ALICE);
        vm.prank(BOB);
        vm.assertEq(callerOf(other, witness), ALICE);
    }
}

/// Pranks that may not follow another or that fail.
contract PrankErrors is Conformance {
    PrankWitness private witness = new PrankWitness();

    function test_prank_twice() public {
        vm.prank(address(1));
        vm.prank(address(2));
    }

    function test_prank_twiceInCalls() public {
        witness.prankOnly(address(4));
        witness.prankOnly(address(4));
    }

    function test_prank_delegateNoCode() public {
        vm.prank(address(0xe0a), true);
    }

    function test_prank_delegateOriginNoCode() public {
        vm.prank(address(0xe0a), address(1), true);
    }

    function test_prank_inBroadcast() public {
        vm.startBroadcast();
        vm.prank(address(2));
    }

    function test_broadcast_inPrank() public {
        vm.prank(address(2));
        vm.broadcast();
    }

    function test_prank_poorCall() public {
        vm.prank(address(0xe0a));
        witness.pay{value: 1}();
    }

    function test_prank_poorTransfer() public {
        vm.prank(address(0xe0a));
        payable(address(0xe0b)).transfer(1);
    }
}
