// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// The people who act through a handler. A handler takes a seed from the fuzzer and folds it into one of them.
abstract contract Actors is CommonBase, StdCheats, StdUtils {
    address[] internal actors;

    /// Everything the function calls directly is called by the actor.
    modifier by(uint256 actorSeed) {
        vm.startPrank(actor(actorSeed));
        _;
        vm.stopPrank();
    }

    function actor(uint256 seed) public view returns (address) {
        return actors[seed % actors.length];
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }

    function _addActors(string memory role, uint256 count) internal {
        for (uint256 i; i < count; ++i) {
            actors.push(makeAddr(string.concat(role, vm.toString(i))));
        }
    }
}
