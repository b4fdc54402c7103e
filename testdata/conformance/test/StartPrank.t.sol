// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Pranks, PrankWitness} from "./Prank.t.sol";
import {Conformance} from "../src/Conformance.sol";

/// Pranks that last, their end, and who reads them.
contract StartPrankTest is Pranks {
    function checkCallers(uint8 mode, address caller, address origin) private {
        (uint8 m, address c, address o) = vm.readCallers();
        vm.assertEq(m, mode);
        vm.assertEq(c, caller);
        vm.assertEq(o, origin);
    }

    function test_startPrank_delegate() public {
        vm.startPrank(address(other), true);
        for (uint256 i; i < 2; ++i) {
            (address here,, address origin, address next) = delegated();
            vm.assertEq(here, address(other));
            vm.assertEq(origin, tx.origin);
            vm.assertEq(next, address(other));
        }
        vm.stopPrank();
        (address own,,,) = delegated();
        vm.assertEq(own, address(this));
    }

    function test_startPrank_delegateOrigin() public {
        vm.startPrank(address(other), BOB, true);
        (,, address origin,) = delegated();
        vm.assertEq(origin, BOB);
        check(address(other), BOB);
    }

    function test_startPrank_lasts() public {
        vm.startPrank(ALICE);
        check(ALICE, tx.origin);
        vm.assertEq(new PrankWitness().creator(), ALICE);
        (address caller,) = witness.through(other);
        vm.assertEq(caller, address(witness));
        try witness.fail() {} catch {}
        check(ALICE, tx.origin);
        vm.stopPrank();
        check(address(this), tx.origin);
    }

    function test_startPrank_origin() public {
        address origin = tx.origin;
        vm.startPrank(ALICE, BOB);
        check(ALICE, BOB);
        check(ALICE, BOB);
        vm.assertEq(tx.origin, origin);
        vm.startPrank(BOB);
        check(BOB, origin);
        vm.stopPrank();
        check(address(this), origin);
    }

    /// The test's own sender stays.
    function test_startPrank_ownSender() public {
        address own = msg.sender;
        vm.startPrank(ALICE, BOB);
        check(ALICE, BOB);
        vm.assertEq(msg.sender, own);
        vm.assertEq(tx.origin, own);
    }

    function test_stopPrank_unused() public {
        vm.stopPrank();
        vm.prank(ALICE);
        vm.stopPrank();
        check(address(this), tx.origin);
        vm.prank(BOB);
        check(BOB, tx.origin);
    }

    function stopDeeper() external {
        vm.stopPrank();
    }

    function test_stopPrank_deeper() public {
        vm.startPrank(ALICE);
        this.stopDeeper();
        check(ALICE, tx.origin);
    }

    function test_readCallers_modes() public {
        checkCallers(0, tx.origin, tx.origin);
        vm.prank(ALICE);
        checkCallers(3, ALICE, tx.origin);
        check(ALICE, tx.origin);
        checkCallers(0, tx.origin, tx.origin);
        vm.prank(ALICE, BOB);
        checkCallers(3, ALICE, BOB);
        check(ALICE, BOB);
        vm.startPrank(BOB);
        checkCallers(4, BOB, tx.origin);
        check(BOB, tx.origin);
        vm.startPrank(BOB, ALICE);
        checkCallers(4, BOB, ALICE);
        vm.stopPrank();
        checkCallers(0, tx.origin, tx.origin);
    }

    function test_readCallers_broadcast() public {
        vm.broadcast(ALICE);
        checkCallers(1, ALICE, ALICE);
        payable(BOB).transfer(0);
        checkCallers(0, tx.origin, tx.origin);
        vm.startBroadcast(BOB);
        checkCallers(2, BOB, BOB);
        vm.stopBroadcast();
        checkCallers(0, tx.origin, tx.origin);
    }

    function checkDeeper(uint8 mode, address caller, address origin) external {
        checkCallers(mode, caller, origin);
    }

    function test_readCallers_deeper() public {
        this.checkDeeper(0, tx.origin, tx.origin);
        address origin = tx.origin;
        vm.startPrank(ALICE);
        this.checkDeeper(4, ALICE, origin);
        vm.startPrank(ALICE, BOB);
        this.checkDeeper(4, ALICE, BOB);
    }
}

/// A prank started in `setUp` goes on in the test.
contract PrankSetUpTest is Conformance {
    PrankWitness private witness;

    function setUp() public {
        witness = new PrankWitness();
        vm.startPrank(address(0xa11ce), address(0xb0b));
    }

    function test_startPrank_fromSetUp() public {
        (address caller, address origin) = witness.who();
        vm.assertEq(caller, address(0xa11ce));
        vm.assertEq(origin, address(0xb0b));
        vm.stopPrank();
        (caller,) = witness.who();
        vm.assertEq(caller, address(this));
    }
}

/// Lasting pranks that may not follow another.
contract StartPrankErrors is Conformance {
    function test_startPrank_twice() public {
        vm.startPrank(address(1), address(3));
        vm.startPrank(address(2), address(3));
    }

    function test_startPrank_afterPrank() public {
        vm.prank(address(1), address(3));
        vm.startPrank(address(2));
    }

    function test_prank_afterUnusedStartPrank() public {
        vm.startPrank(address(1));
        vm.prank(address(2), address(3));
    }

    function test_prank_overOngoing() public {
        PrankWitness witness = new PrankWitness();
        vm.startPrank(address(1));
        witness.who();
        vm.prank(address(2));
    }

    function test_startPrank_delegateNoCode() public {
        vm.startPrank(address(0xe0a), true);
    }

    function test_startPrank_delegateOriginNoCode() public {
        vm.startPrank(address(0xe0a), address(1), true);
    }

    function test_startPrank_inBroadcast() public {
        vm.startBroadcast();
        vm.startPrank(address(2));
    }

    function test_startBroadcast_inPrank() public {
        vm.startPrank(address(2));
        vm.startBroadcast();
    }
}
