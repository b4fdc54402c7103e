// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {IndexFund} from "../src/IndexFund.sol";
import {RewardStreams} from "../src/indexfund/RewardStreams.sol";

contract IndexFundUnitTest is Test {
    MintableToken weth;
    MintableToken usdc;
    MintableToken reward;
    IndexFund fund;
    address ann = makeAddr("ann");
    address bob = makeAddr("bob");
    address fees = makeAddr("fees");

    function setUp() public {
        vm.warp(1_700_000_000);
        weth = new MintableToken("Wrapped Ether", "WETH", 18);
        usdc = new MintableToken("USD Coin", "USDC", 6);
        reward = new MintableToken("Reward", "RWD", 18);
        address[] memory list = new address[](2);
        (list[0], list[1]) = (address(weth), address(usdc));
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (10e18, 20_000e6);
        weth.mint(address(this), 10e18);
        usdc.mint(address(this), 20_000e6);
        address target = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        weth.approve(target, 10e18);
        usdc.approve(target, 20_000e6);
        fund = new IndexFund(list, amounts, 100e18, fees, 10_000e18, 0.01e18);
        fund.grantRoles(address(this), fund.MANAGER() | fund.PAUSER());
        address[2] memory who = [ann, bob];
        for (uint256 i; i < 2; ++i) {
            weth.mint(who[i], 1000e18);
            usdc.mint(who[i], 2_000_000e6);
            vm.startPrank(who[i]);
            weth.approve(address(fund), type(uint256).max);
            usdc.approve(address(fund), type(uint256).max);
            vm.stopPrank();
        }
        reward.mint(address(this), 1_000_000e18);
        reward.approve(address(fund), type(uint256).max);
        fund.addReward(address(reward));
    }

    function mintAs(address who, uint256 shares) internal {
        vm.prank(who);
        fund.mint(shares, who);
    }

    function test_mint_and_redeem_in_kind() public {
        mintAs(ann, 50e18);
        assertEq(fund.holdings(0), 15e18);
        assertEq(usdc.balanceOf(ann), 1_990_000e6);
        vm.prank(ann);
        fund.redeem(50e18, ann);
        assertEq(weth.balanceOf(ann), 1000e18 - 0.005e18);
        assertEq(usdc.balanceOf(ann), 2_000_000e6 - 10e6);
    }

    function test_cap_and_pause() public {
        vm.expectRevert(IndexFund.CapExceeded.selector);
        mintAs(ann, 10_000e18);
        fund.pause(1 days);
        vm.expectRevert(IndexFund.Paused.selector);
        mintAs(ann, 1e18);
    }

    function test_fee_of_a_year() public {
        vm.warp(block.timestamp + 365 days);
        fund.accrueFee();
        assertApproxEqRel(fund.balanceOf(fees) * 100, fund.totalSupply(), 1e9);
    }

    function test_fee_notice() public {
        fund.announceFee(0.02e18);
        vm.warp(block.timestamp + 6 days);
        fund.accrueFee();
        assertEq(fund.feeRate(), 0.01e18);
        vm.warp(block.timestamp + 1 days);
        fund.accrueFee();
        assertEq(fund.feeRate(), 0.02e18);
        vm.expectRevert(IndexFund.FeeTooHigh.selector);
        fund.announceFee(0.04e18);
    }

    function test_auction_is_filled_at_the_falling_price() public {
        vm.warp(block.timestamp + 3 days);
        fund.startAuction(0, 1, 2e18, 2200e6, 1800e6);
        vm.warp(block.timestamp + 1 days);
        assertEq(fund.auctionPrice(), 2000e6);
        vm.prank(bob);
        fund.bid(1e18, 2000e6);
        assertEq(fund.holdings(0), 9e18);
        assertEq(fund.holdings(1), 22_000e6);
        vm.warp(block.timestamp + 1 days + 1);
        fund.endAuction();
        assertFalse(fund.auctionOpen());
        vm.expectRevert(IndexFund.TooEarly.selector);
        fund.startAuction(0, 1, 1e18, 2200e6, 1800e6);
    }

    function test_rewards_follow_the_shares() public {
        mintAs(ann, 100e18);
        fund.notifyReward(address(reward), 1000e18);
        vm.warp(block.timestamp + 7 days);
        vm.prank(ann);
        fund.transfer(bob, 100e18);
        assertApproxEqAbs(fund.earned(address(reward), ann), 500e18, 1e6);
        assertEq(fund.earned(address(reward), bob), 0);
        vm.prank(ann);
        fund.claim(address(reward));
        assertApproxEqAbs(reward.balanceOf(ann), 500e18, 1e6);
    }

    function test_running_stream_is_not_removed() public {
        fund.notifyReward(address(reward), 1000e18);
        vm.warp(block.timestamp + 8 days);
        vm.expectRevert(RewardStreams.StreamRunning.selector);
        fund.removeReward(address(reward));
        vm.warp(block.timestamp + 14 days);
        fund.removeReward(address(reward));
        assertEq(reward.balanceOf(fees), 1000e18);
    }
}
