// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {ProofBridge} from "../src/ProofBridge.sol";
import {ProofBridgeTest} from "./ProofBridge.t.sol";
import {ProofBridgeHandler, BridgeAsset} from "./ProofBridgeHandler.sol";

contract ProofBridgeUnitTest is Test {
    ProofBridge home;
    ProofBridge away;
    ProofBridgeHandler handler;
    BridgeAsset usdc;
    BridgeAsset minted;
    address alice = address(0xA11CE);

    function setUp() public {
        ProofBridgeTest suite = new ProofBridgeTest();
        suite.setUp();
        home = suite.home();
        away = suite.away();
        handler = suite.handler();
        usdc = BridgeAsset(home.assets(0).token);
        minted = BridgeAsset(away.assets(0).token);
    }

    function _lockAndProve(uint256 amount) internal returns (bytes32 id) {
        vm.prank(alice);
        home.lock(0, amount, alice);
        handler.relay(0);
        id = handler.idOf(0, 0);
        handler.prove(0, 0, 0);
    }

    function test_lockTakesTheFee() public {
        vm.prank(alice);
        home.lock(0, 1000e6, alice);
        assertEq(home.sent(0).amount, 999e6);
        assertEq(home.assets(0).fees, 1e6);
        assertEq(usdc.balanceOf(address(home)), 1000e6);
    }

    function test_releaseAfterTheChallengePeriod() public {
        bytes32 id = _lockAndProve(1000e6);
        vm.expectRevert(ProofBridge.StillChallengeable.selector);
        away.finalize(id);
        skip(12 hours);
        away.finalize(id);
        assertEq(minted.balanceOf(alice), 999e6);
        assertEq(minted.totalSupply(), 999e6);
    }

    function test_largeReleaseWaitsInTheQueue() public {
        bytes32 id = _lockAndProve(600_000e6);
        skip(12 hours);
        away.finalize(id);
        assertEq(minted.balanceOf(alice), 500_000e6);
        assertEq(away.processQueue(0, 5), 0);
        skip(1 days);
        away.processQueue(0, 5);
        assertEq(minted.balanceOf(alice), 599_400e6);
        (bytes32 head, bytes32 tail) = away.queueEnds(0);
        assertEq(head, 0);
        assertEq(tail, 0);
    }

    function test_vetoSendsARefund() public {
        bytes32 id = _lockAndProve(1000e6);
        vm.prank(handler.guardian());
        away.veto(id);
        assertTrue(away.sent(0).refund);
        assertEq(away.sent(0).recipient, alice);
        assertEq(away.sent(0).amount, 999e6);
    }

    function test_challengedRootProvesNothing() public {
        vm.prank(alice);
        home.lock(0, 1000e6, alice);
        handler.relay(0);
        handler.challenge(1, 0);
        vm.expectRevert(ProofBridge.RootNotLive.selector);
        handler.prove(0, 0, 0);
    }

    function test_badProofReverts() public {
        vm.prank(alice);
        home.lock(0, 1000e6, alice);
        handler.relay(0);
        ProofBridge.Message memory message = home.sent(0);
        message.amount += 1;
        bytes32[] memory proof = handler.proofOf(0, 0, 1);
        vm.expectRevert(ProofBridge.InvalidProof.selector);
        away.prove(message, 0, 0, proof);
    }

    function test_onlyTheRelayerPostsRoots() public {
        vm.expectRevert();
        home.postRoot(bytes32(uint256(1)), 1);
    }
}
