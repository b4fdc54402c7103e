// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {MintableToken} from "../src/mocks/MintableToken.sol";
import {Delegation} from "../src/Delegation.sol";

/// @notice Time, income, and a few calls for the sender with arguments in range; the protocol is called directly too.
contract DelegationHandler is CommonBase, StdUtils {
    Delegation public immutable dao;
    MintableToken[] public tokens;
    address[] public actors;
    uint256 public donated;

    constructor(Delegation dao_, MintableToken[] memory tokens_, address[] memory actors_) {
        dao = dao_;
        actors = actors_;
        for (uint256 i; i < tokens_.length; ++i) {
            tokens.push(tokens_[i]);
        }
    }

    function warp(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1 hours, 4 days));
    }

    function sleep(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 5 days, 12 days));
    }

    /// @notice Income of the treasury; the handler was given tokens at the start.
    function donate(uint256 assetId, uint256 amount) external {
        MintableToken token = tokens[assetId % tokens.length];
        amount = bound(amount, 0, token.balanceOf(address(this)) / 10);
        token.transfer(address(dao.treasury()), amount);
        ++donated;
    }

    function delegateTo(uint256 to) external {
        address target = actors[to % actors.length];
        vm.prank(msg.sender);
        dao.delegate(target);
    }

    function proposeSpend(uint256 assetId, uint256 to, uint256 amount) external {
        assetId %= tokens.length;
        amount = bound(amount, 1, dao.treasury().weeklyLimit(assetId));
        vm.prank(msg.sender);
        dao.proposeSpend(uint8(assetId), actors[to % actors.length], amount);
    }

    /// @notice Votes on the proposal that `back` others followed.
    function vote(uint256 back, uint256 support) external {
        uint256 id = _recent(back);
        vm.prank(msg.sender);
        dao.castVote(id, uint8(support % 3));
    }

    function override_(uint256 back, uint256 support) external {
        uint256 id = _recent(back);
        vm.prank(msg.sender);
        dao.castOverride(id, uint8(support % 3));
    }

    function queue(uint256 back) external {
        dao.queue(_recent(back));
    }

    function execute(uint256 back) external {
        dao.execute(_recent(back));
    }

    function _recent(uint256 back) private view returns (uint256) {
        uint256 count = dao.proposalCount();
        require(count != 0, "no proposal");
        return count - back % (count < 3 ? count : 3);
    }
}
