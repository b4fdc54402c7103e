// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The bug: a transfer of the whole balance to oneself lowers the number of holders.
// Calls: 2 (mint, transfer). Width: sender and receiver are the same of four actors, and the amount is the whole
// balance, which the upper end of `bound` gives for free.

import {BugShown} from "../common/BugShown.sol";
import {CommunityToken, CommunityTokenBug} from "./CommunityToken.sol";
import {CommunityTokenHandler} from "./CommunityTokenHandler.sol";

abstract contract CommunityTokenProperties is BugShown {
    CommunityToken internal token;
    CommunityTokenHandler internal handler;

    function _deploy() internal virtual returns (CommunityToken);

    function setUp() public {
        token = _deploy();
        handler = new CommunityTokenHandler(token);
        token.transferOwnership(address(handler));
        targetContract(address(handler));
    }

    function invariant_supplyIsMintedMinusBurned() external view {
        assertEq(token.totalSupply(), handler.ghost_minted() - handler.ghost_burned());
    }

    function invariant_supplyIsSumOfBalances() external view {
        uint256 sum;
        for (uint256 i; i < handler.actorCount(); ++i) {
            sum += token.balanceOf(handler.actor(i));
        }
        assertEq(token.totalSupply(), sum);
    }

    function invariant_holdersAreCounted() external view {
        uint256 count;
        for (uint256 i; i < handler.actorCount(); ++i) {
            if (token.balanceOf(handler.actor(i)) != 0) count++;
        }
        assertEq(token.holders(), count, "holders");
    }

    function invariant_eachPermitUsesOneNonce() external view {
        uint256 nonces;
        for (uint256 i; i < handler.actorCount(); ++i) {
            nonces += token.nonces(handler.actor(i));
        }
        assertEq(nonces, handler.ghost_permits());
    }
}

/// @custom:expect invariant_supplyIsMintedMinusBurned PASS
/// @custom:expect invariant_supplyIsSumOfBalances PASS
/// @custom:expect invariant_holdersAreCounted PASS
/// @custom:expect invariant_eachPermitUsesOneNonce PASS
contract CommunityTokenTest is CommunityTokenProperties {
    function _deploy() internal override returns (CommunityToken) {
        return new CommunityToken();
    }
}

/// @custom:bug calls=2
/// @custom:expect invariant_supplyIsMintedMinusBurned PASS
/// @custom:expect invariant_supplyIsSumOfBalances PASS
/// @custom:expect invariant_holdersAreCounted FAIL
/// @custom:expect invariant_eachPermitUsesOneNonce PASS
contract CommunityTokenBugTest is CommunityTokenProperties {
    function _deploy() internal override returns (CommunityToken) {
        return new CommunityTokenBug();
    }

    function test_bug_shown() public {
        handler.mint(0, 5 ether);
        this.invariant_holdersAreCounted();
        handler.transfer(0, 0, 5 ether);
        assertBroken(this.invariant_holdersAreCounted);
    }
}
