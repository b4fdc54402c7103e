// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Shared} from "./Shared.sol";

interface Vm {
    function getCode(string calldata artifact) external view returns (bytes memory);
}

/// Compiled by the newer compiler; it creates a contract of the older one from its artifact.
contract New {
    Vm internal constant VM = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    Shared internal target = new Shared();
    address internal old;

    function setUp() external {
        bytes memory code = VM.getCode("OldTarget");
        address made;
        assembly {
            made := create(0, add(code, 32), mload(code))
        }
        old = made;
    }

    function invariant_new() external view {
        require(old.code.length > 0, "no old target");
    }
}
