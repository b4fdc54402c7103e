// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Treasury} from "../src/delegation/Treasury.sol";
import {VotesLedger} from "../src/delegation/VotesLedger.sol";
import {Delegation} from "../src/Delegation.sol";
import {DelegationBug} from "../src/DelegationBug.sol";
import {DelegationHandler} from "./DelegationHandler.sol";

abstract contract DelegationProperties is Test {
    MintableToken public gov;
    MintableToken public usdc;
    MintableToken public wbtc;
    Delegation public dao;
    Treasury public treasury;
    DelegationHandler public helper;
    address[] public actors;

    function deploy(IERC20 gov_, IERC20[] memory assets, uint256[] memory limits, address guardian)
        internal
        virtual
        returns (Delegation);

    function setUp() public {
        vm.warp(1_700_000_000);
        gov = new MintableToken("Governance", "GOV", 18);
        usdc = new MintableToken("USD Coin", "USDC", 6);
        wbtc = new MintableToken("Wrapped BTC", "WBTC", 8);
        MintableToken[] memory tokens = new MintableToken[](3);
        (tokens[0], tokens[1], tokens[2]) = (usdc, wbtc, gov);
        IERC20[] memory assets = new IERC20[](3);
        for (uint256 i; i < 3; ++i) {
            assets[i] = IERC20(address(tokens[i]));
        }
        uint256[] memory limits = new uint256[](3);
        (limits[0], limits[1], limits[2]) = (1_000_000e6, 25e8, 500_000e18);

        actors.push(makeAddr("ada"));
        actors.push(makeAddr("ben"));
        actors.push(makeAddr("cleo"));
        actors.push(makeAddr("dan"));
        actors.push(makeAddr("guardian"));
        dao = deploy(IERC20(address(gov)), assets, limits, actors[4]);
        treasury = dao.treasury();
        helper = new DelegationHandler(dao, tokens, actors);

        usdc.mint(address(treasury), 3_000_000e6);
        wbtc.mint(address(treasury), 60e8);
        gov.mint(address(treasury), 1_000_000e18);
        usdc.mint(address(helper), 1_000_000e6);
        wbtc.mint(address(helper), 20e8);
        gov.mint(address(helper), 200_000e18);

        uint256[5] memory stakes = [uint256(1_200_000e18), 900_000e18, 600_000e18, 250_000e18, 50_000e18];
        for (uint256 i; i < actors.length; ++i) {
            gov.mint(actors[i], stakes[i] * 3 / 2);
            vm.startPrank(actors[i]);
            gov.approve(address(dao), type(uint256).max);
            dao.wrap(stakes[i]);
            vm.stopPrank();
            targetSender(actors[i]);
        }
        vm.warp(block.timestamp + 1 days);
        targetContract(address(dao));
        targetContract(address(helper));
    }

    /// Wrapped tokens and pending exits are covered.
    function invariant_underlying_backs_supply() public view {
        assertGe(gov.balanceOf(address(dao)), dao.totalSupply() + dao.totalExiting());
    }

    /// The votes of a delegate are the balances of those who delegate to it.
    function invariant_votes_match_balances() public view {
        for (uint256 i; i < actors.length; ++i) {
            address to = dao.delegates(actors[i]);
            if (to == address(0)) continue;
            uint256 sum;
            for (uint256 j; j < actors.length; ++j) {
                if (dao.delegates(actors[j]) == to) sum += dao.balanceOf(actors[j]);
            }
            assertEq(dao.getVotes(to), sum);
        }
    }

    /// The exits of all accounts add up to the total.
    function invariant_exits_add_up() public view {
        uint256 sum;
        for (uint256 i; i < actors.length; ++i) {
            VotesLedger.Exit[] memory list = dao.exitsOf(actors[i]);
            for (uint256 j; j < list.length; ++j) {
                sum += list[j].amount;
            }
        }
        assertEq(sum, dao.totalExiting());
    }

    /// No snapshot has more votes than tokens.
    function invariant_snapshots_within_supply() public view {
        for (uint256 id = 1; id <= dao.proposalCount(); ++id) {
            uint256 snapshot = dao.proposal(id).snapshot;
            if (snapshot >= block.timestamp) continue;
            uint256 sum;
            for (uint256 i; i < actors.length; ++i) {
                sum += dao.getPastVotes(actors[i], snapshot);
            }
            assertLe(sum, dao.getPastTotalSupply(snapshot));
        }
    }

    /// A delegate and the holders who override it vote no more than the delegate had.
    function invariant_ballots_within_votes() public view {
        for (uint256 id = 1; id <= dao.proposalCount(); ++id) {
            uint256 snapshot = dao.proposal(id).snapshot;
            if (snapshot >= block.timestamp) continue;
            for (uint256 i; i < actors.length; ++i) {
                uint256 sum = dao.ballotOf(id, actors[i]).weight;
                for (uint256 j; j < actors.length; ++j) {
                    if (dao.getPastDelegate(actors[j], snapshot) == actors[i]) {
                        sum += dao.overrideOf(id, actors[j]).weight;
                    }
                }
                assertLe(sum, dao.getPastVotes(actors[i], snapshot));
            }
        }
    }

    /// The tally is the sum of the ballots.
    function invariant_tally_is_sum_of_ballots() public view {
        for (uint256 id = 1; id <= dao.proposalCount(); ++id) {
            uint256[3] memory t = dao.tally(id);
            uint256 sum;
            for (uint256 i; i < actors.length; ++i) {
                sum += dao.ballotOf(id, actors[i]).weight + dao.overrideOf(id, actors[i]).weight;
            }
            assertEq(t[0] + t[1] + t[2], sum);
        }
    }

    /// Reservations are those of spendings that are queued or wait to be swept.
    function invariant_reservations_match_queue() public view {
        uint256[3] memory sums;
        for (uint256 id = 1; id <= dao.proposalCount(); ++id) {
            Delegation.Proposal memory p = dao.proposal(id);
            if (p.kind != Delegation.Kind.Spend || p.eta == 0) continue;
            if (!p.executed && !p.canceled && !p.swept) sums[p.assetId] += p.value;
        }
        for (uint256 i; i < 3; ++i) {
            assertEq(treasury.reserved(i), sums[i]);
        }
    }

    /// The treasury holds what it has promised, and spends no more than the limit in a week.
    function invariant_treasury_limits() public view {
        for (uint256 i; i < 3; ++i) {
            assertGe(treasury.assets(i).balanceOf(address(treasury)), treasury.reserved(i));
            assertLe(treasury.spentIn(i, treasury.currentEpoch()), treasury.weeklyLimit(i));
        }
    }
}

/// @custom:expect invariant_underlying_backs_supply PASS
/// @custom:expect invariant_votes_match_balances PASS
/// @custom:expect invariant_exits_add_up PASS
/// @custom:expect invariant_snapshots_within_supply PASS
/// @custom:expect invariant_ballots_within_votes PASS
/// @custom:expect invariant_tally_is_sum_of_ballots PASS
/// @custom:expect invariant_reservations_match_queue PASS
/// @custom:expect invariant_treasury_limits PASS
contract DelegationTest is DelegationProperties {
    function deploy(IERC20 gov_, IERC20[] memory assets, uint256[] memory limits, address guardian)
        internal
        override
        returns (Delegation)
    {
        return new Delegation(gov_, assets, limits, guardian);
    }
}

/// @custom:bug calls=7
/// @custom:expect invariant_underlying_backs_supply PASS
/// @custom:expect invariant_votes_match_balances PASS
/// @custom:expect invariant_exits_add_up FAIL
/// @custom:expect invariant_snapshots_within_supply PASS
/// @custom:expect invariant_ballots_within_votes FAIL
/// @custom:expect invariant_tally_is_sum_of_ballots PASS
/// @custom:expect invariant_reservations_match_queue FAIL
/// @custom:expect invariant_treasury_limits PASS
contract DelegationBugTest is DelegationProperties {
    function deploy(IERC20 gov_, IERC20[] memory assets, uint256[] memory limits, address guardian)
        internal
        override
        returns (Delegation)
    {
        return new DelegationBug(gov_, assets, limits, guardian);
    }
}
