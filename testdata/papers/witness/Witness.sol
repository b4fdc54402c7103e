// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Calls that must end in an assertion. Any other revert does not count, so that no witness passes by accident.
abstract contract Witness {
    /// `data` is called on `target` and must fail by `assert` or INVALID.
    function assertFails(address target, bytes memory data) internal {
        assertFails(target, data, 0);
    }

    /// As above, with so many wei. INVALID burns all gas, so there is a limit.
    function assertFails(address target, bytes memory data, uint256 value) internal {
        (bool ok, bytes memory output) = target.call{value: value, gas: 10_000_000}(data);
        require(!ok, "it held");
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 1);
        require(output.length == 0 || keccak256(output) == keccak256(panic), "it failed, but not by an assertion");
    }

    /// `data` is called on `target` and must succeed.
    function succeed(address target, bytes memory data) internal returns (bytes memory) {
        (bool ok, bytes memory output) = target.call(data);
        require(ok, "a call of the witness reverted");
        return output;
    }
}
