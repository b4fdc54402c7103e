// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {Streams} from "../src/Streams.sol";
import {StreamToken} from "./StreamsHandler.sol";

contract StreamsUnitTest is Test {
    Streams streams;
    StreamToken token;
    address owner = address(0x0770);
    address alice = address(0xA11CE);
    address bob = address(0xB0B);
    address carol = address(0xCA401);

    function setUp() public {
        token = new StreamToken();
        streams = new Streams(token, owner, 100);
        token.mint(alice, 1_000_000e18);
        vm.startPrank(alice);
        token.approve(address(streams), type(uint256).max);
        streams.addReceiver(bob, 100e18);
        streams.topUp(alice, 1000e18);
        vm.stopPrank();
    }

    function test_paysFinishedCyclesOnly() public {
        skip(1 weeks);
        assertEq(streams.collect(bob, 10), 0);
        skip(2 weeks);
        assertEq(streams.collect(bob, 10), 200e18);
        assertEq(streams.fees(), 2e18);
    }

    function test_stopsWhenTheBalanceIsSpent() public {
        skip(30 weeks);
        assertEq(streams.collect(bob, 52), 1000e18);
        assertEq(streams.unspent(alice), 0);
    }

    function test_splitAndClaim() public {
        vm.prank(bob);
        streams.setSplit(carol, 2500);
        skip(2 weeks);
        streams.collect(bob, 1);
        streams.collect(bob, 1);
        streams.split(bob);
        streams.split(carol);
        vm.prank(bob);
        assertEq(streams.claim(bob), 74.25e18);
        vm.prank(carol);
        assertEq(streams.claim(carol), 24.75e18);
    }

    function test_withdrawLeavesTheRestOfTheStream() public {
        vm.prank(alice);
        assertEq(streams.withdraw(600e18), 600e18);
        skip(10 weeks);
        assertEq(streams.collect(bob, 52), 400e18);
    }

    function test_placeInAStreamMoves() public {
        vm.prank(bob);
        streams.offer(alice, carol);
        vm.prank(carol);
        streams.accept(alice, bob);
        skip(20 weeks);
        assertEq(streams.collect(bob, 52), 0);
        assertEq(streams.collect(carol, 52), 1000e18);
    }

    function test_closeBeforeTheFirstCycleRefundsAll() public {
        vm.prank(alice);
        assertEq(streams.close(), 1000e18);
        assertEq(token.balanceOf(alice), 1_000_000e18);
    }

    function test_rejectsBadCalls() public {
        vm.prank(alice);
        vm.expectRevert(Streams.AlreadyReceiver.selector);
        streams.addReceiver(bob, 1);
        vm.prank(carol);
        vm.expectRevert(Streams.NotOffered.selector);
        streams.accept(alice, bob);
        vm.prank(owner);
        streams.setPaused(true);
        vm.prank(alice);
        vm.expectRevert(Streams.IsPaused.selector);
        streams.topUp(alice, 1e18);
    }
}
