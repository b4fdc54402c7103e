// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// A harness in the style of Chimera: the test contract is its own target, the properties are assertions with a message
// inside of its functions, and the one invariant says nothing. Forge 1.7 does not see assertions with a message in a
// called function, so it passes both twins; what is expected of the functions is expected of assertion properties.
//
// The bug: a grant that is handed over starts again.
// Calls: 5 (create, wait, release, hand over, release). Width: wide, only the order matters.
// The twin with the bug also has the usual canary, an assertion that fails at once and must not end the search.

import {Vesting, VestingBug, VestingToken} from "./Vesting.sol";
import {VestingTargets} from "./VestingTargets.sol";

abstract contract VestingHarness is VestingTargets {
    function _deploy() internal virtual returns (Vesting);

    function setUp() public {
        people = [makeAddr("ann"), makeAddr("ben"), makeAddr("cleo")];
        token = new VestingToken();
        vesting = _deploy();
        token.approve(address(vesting), type(uint256).max);
        targetContract(address(this));
    }

    function invariant_noop() external pure {}
}

/// @custom:expect invariant_noop PASS
/// @custom:expect vesting_create PASS
/// @custom:expect vesting_release PASS
/// @custom:expect vesting_handOver PASS
contract VestingTest is VestingHarness {
    function _deploy() internal override returns (Vesting) {
        return new Vesting(token);
    }
}

/// @custom:bug calls=5
/// @custom:expect invariant_noop PASS
/// @custom:expect canary_isSearched FAIL
/// @custom:expect vesting_create PASS
/// @custom:expect vesting_release FAIL
/// @custom:expect vesting_handOver PASS
contract VestingBugTest is VestingHarness {
    uint256 private lastSong;

    function _deploy() internal override returns (Vesting) {
        return new VestingBug(token);
    }

    function canary_isSearched(uint256 song) public {
        lastSong = song;
        t(false, "canary");
    }

    function test_bug_shown() public {
        vesting_create(0, 1e18, 0, 100 days);
        time_pass(50 days);
        vesting_release(0);
        vesting_handOver(0, 1);
        assertAsserts(abi.encodeCall(this.vesting_release, (0)));
    }
}
