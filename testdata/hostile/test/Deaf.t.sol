// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Hostile, vm} from "./Vm.sol";

/// A power of huge numbers, which takes minutes where the gas suffices for it (before Osaka), and nothing can interrupt it.
library Power {
    function raise(uint256 size) internal view {
        bytes memory input = abi.encodePacked(size, size, size, new bytes(3 * size));
        for (uint256 i = 96; i < input.length; i++) {
            input[i] = 0xff;
        }
        assembly {
            pop(staticcall(gas(), 5, add(input, 32), mload(input), 0, 0))
        }
    }
}

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

/// Unit tests, which are run as examples, and when they are asked for.
contract EndlessUnitTest is Hostile {
    function test_endless() external pure {
        while (true) {}
    }

    function test_deaf() external view {
        Power.raise(60_000);
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
