// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {Shared} from "./Shared.sol";

contract OldTarget is Shared {
    function difficulty() external view returns (uint256) {
        return block.difficulty;
    }
}

/// Compiled by the older compiler.
contract Old {
    OldTarget internal target = new OldTarget();

    function invariant_old() external view {
        require(!target.acted(), "old acted");
    }
}
