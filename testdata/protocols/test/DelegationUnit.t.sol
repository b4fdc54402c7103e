// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Treasury} from "../src/delegation/Treasury.sol";
import {VotesLedger} from "../src/delegation/VotesLedger.sol";
import {Delegation} from "../src/Delegation.sol";

contract DelegationUnitTest is Test {
    MintableToken gov;
    MintableToken usdc;
    Delegation dao;
    Treasury treasury;
    address ann = makeAddr("ann");
    address bob = makeAddr("bob");
    address guardian = makeAddr("guardian");

    function setUp() public {
        vm.warp(1_700_000_000);
        gov = new MintableToken("Governance", "GOV", 18);
        usdc = new MintableToken("USD Coin", "USDC", 6);
        IERC20[] memory assets = new IERC20[](2);
        (assets[0], assets[1]) = (IERC20(address(usdc)), IERC20(address(gov)));
        uint256[] memory limits = new uint256[](2);
        (limits[0], limits[1]) = (500_000e6, 100_000e18);
        dao = new Delegation(IERC20(address(gov)), assets, limits, guardian);
        treasury = dao.treasury();
        usdc.mint(address(treasury), 1_000_000e6);
        address[2] memory who = [ann, bob];
        for (uint256 i; i < 2; ++i) {
            gov.mint(who[i], 1_000_000e18);
            vm.startPrank(who[i]);
            gov.approve(address(dao), type(uint256).max);
            dao.wrap(500_000e18);
            dao.delegate(who[i]);
            vm.stopPrank();
        }
        vm.warp(1_700_000_000 + 1 hours);
    }

    function test_transfer_moves_votes() public {
        vm.prank(ann);
        dao.transfer(bob, 100_000e18);
        assertEq(dao.getVotes(ann), 400_000e18);
        assertEq(dao.getVotes(bob), 600_000e18);
        assertEq(dao.getPastVotes(ann, 1_700_000_000), 500_000e18);
    }

    function test_spend_from_proposal_to_payment() public {
        vm.prank(ann);
        uint256 id = dao.proposeSpend(0, bob, 300_000e6);
        vm.warp(1_700_000_000 + 2 days);
        vm.prank(ann);
        dao.castVote(id, 1);
        vm.warp(1_700_000_000 + 7 days);
        dao.queue(id);
        assertEq(treasury.reserved(0), 300_000e6);
        vm.expectRevert(Delegation.TooEarly.selector);
        dao.execute(id);
        vm.warp(1_700_000_000 + 10 days);
        dao.execute(id);
        assertEq(usdc.balanceOf(bob), 300_000e6);
        assertEq(treasury.reserved(0), 0);
    }

    function test_holder_overrides_delegate_before_it_votes() public {
        vm.prank(bob);
        dao.delegate(ann);
        vm.warp(1_700_000_000 + 2 hours);
        vm.prank(ann);
        uint256 id = dao.proposeQuorum(2000);
        vm.warp(1_700_000_000 + 2 days);
        vm.prank(bob);
        dao.castOverride(id, 0);
        vm.prank(ann);
        dao.castVote(id, 1);
        uint256[3] memory t = dao.tally(id);
        assertEq(t[0], 500_000e18);
        assertEq(t[1], 500_000e18);
    }

    function test_guardian_cancels_queued_spending() public {
        vm.prank(ann);
        uint256 id = dao.proposeSpend(0, ann, 500_000e6);
        vm.warp(1_700_000_000 + 2 days);
        vm.prank(ann);
        dao.castVote(id, 1);
        vm.warp(1_700_000_000 + 7 days);
        dao.queue(id);
        vm.prank(guardian);
        dao.cancel(id);
        assertEq(treasury.available(0), 1_000_000e6);
        assertEq(uint256(dao.state(id)), uint256(Delegation.State.Canceled));
    }

    function test_exit_after_cooldown() public {
        vm.startPrank(ann);
        dao.requestExit(200_000e18);
        vm.expectRevert(VotesLedger.Locked.selector);
        dao.completeExit(0);
        vm.warp(block.timestamp + 10 days);
        dao.completeExit(0);
        assertEq(gov.balanceOf(ann), 700_000e18);
        assertEq(dao.getVotes(ann), 300_000e18);
    }

    function test_defeated_without_quorum() public {
        vm.prank(ann);
        uint256 id = dao.proposeThreshold(10e18);
        vm.warp(1_700_000_000 + 8 days);
        assertEq(uint256(dao.state(id)), uint256(Delegation.State.Defeated));
        vm.expectRevert(abi.encodeWithSelector(Delegation.BadState.selector, Delegation.State.Defeated));
        dao.queue(id);
    }

    function test_expired_spending_is_swept_once() public {
        vm.prank(ann);
        uint256 id = dao.proposeSpend(0, bob, 300_000e6);
        vm.warp(1_700_000_000 + 2 days);
        vm.prank(ann);
        dao.castVote(id, 1);
        vm.warp(1_700_000_000 + 7 days);
        dao.queue(id);
        vm.warp(1_700_000_000 + 17 days);
        dao.sweepExpired(id);
        assertEq(treasury.reserved(0), 0);
        vm.expectRevert(abi.encodeWithSelector(Delegation.BadState.selector, Delegation.State.Expired));
        dao.sweepExpired(id);
        vm.prank(ann);
        vm.expectRevert(abi.encodeWithSelector(Delegation.BadState.selector, Delegation.State.Expired));
        dao.cancel(id);
    }
}
