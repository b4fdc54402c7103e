// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";

/// What `test_bug_shown` of a twin with a bug needs. A property is broken when its function reverts by an assertion;
/// any other revert does not count, so that the test cannot pass by accident.
abstract contract BugShown is Test {
    bytes4 private constant CHEATCODE_ERROR = bytes4(keccak256("CheatcodeError(string)"));
    bytes4 private constant PANIC = bytes4(keccak256("Panic(uint256)"));

    /// `property` is an invariant of this contract.
    function assertBroken(function() external property) internal {
        assertAsserts(abi.encodeWithSelector(property.selector));
    }

    /// `data` is a call of this contract, for properties that are assertions inside of a handler.
    function assertAsserts(bytes memory data) internal {
        (bool held, bytes memory reason) = address(this).call(data);
        assertFalse(held, "the property holds");
        assertTrue(_isAssertion(reason), "the property reverted, but not by an assertion");
    }

    /// `reason` is the return data of a call that reverted: `vm.assert*` or `assert`.
    function _isAssertion(bytes memory reason) private pure returns (bool) {
        bytes memory assertPanic = abi.encodeWithSelector(PANIC, uint256(1));
        return bytes4(reason) == CHEATCODE_ERROR || keccak256(reason) == keccak256(assertPanic);
    }
}
