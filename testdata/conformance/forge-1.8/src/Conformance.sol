// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "./Vm.sol";

/// What every test of a cheatcode has.
abstract contract Conformance {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// Calls a cheatcode that has to fail for this reason.
    function fails(bytes memory call, string memory reason) internal {
        (bool done, bytes memory data) = address(vm).call(call);
        vm.assertFalse(done, "no error");
        vm.assertEq(this.message(data), reason);
    }

    /// The text of a cheatcode's error.
    function message(bytes calldata data) external pure returns (string memory) {
        require(bytes4(data) == bytes4(keccak256("CheatcodeError(string)")));
        return abi.decode(data[4:], (string));
    }
}
