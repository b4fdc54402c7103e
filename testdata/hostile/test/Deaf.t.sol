// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Hostile, Power, vm} from "./Vm.sol";

/// Something to find beside a call that does not answer.
contract Counter {
    uint256 public count;

    function add(uint256 amount) external {
        if (amount == 77) count++;
    }

    function stall() external view {
        Power.raise(60_000);
    }
}

/// A target that does not answer.
contract DeafTargetTest {
    Counter counter = new Counter();

    function invariant_holds() external view {
        require(counter.count() < 3, "counted");
    }
}

/// A `setUp` that does not answer.
contract DeafSetUpTest is Hostile {
    function setUp() external view {
        Power.raise(60_000);
    }

    function attack() external {}
}

/// A question of the tool itself that is not answered.
contract EndlessGetterTest is Hostile {
    function excludeContracts() external pure returns (address[] memory) {
        while (true) {}
    }

    function attack() external {}
}

/// Large logs, in the only call of a run.
contract LogFloodTest is Hostile {
    function attack() external {
        while (true) {
            assembly {
                log0(0, 1000000)
            }
        }
    }
}

/// A program that does not end, if tests may run any.
contract LongProgramTest is Hostile {
    function attack() external {
        string[] memory command = new string[](2);
        (command[0], command[1]) = ("sleep", "1000");
        vm.ffi(command);
    }
}
