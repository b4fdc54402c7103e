// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Hostile, vm} from "./Vm.sol";

/// Loops in a target until the gas is spent.
contract EndlessTargetTest is Hostile {
    function attack() external {
        while (true) {}
    }
}

/// Loops in an invariant.
contract EndlessInvariantTest is Hostile {
    uint256 public calls;

    function attack() external {
        calls++;
    }

    function invariant_holds() external view override {
        while (calls > 2) {}
    }
}

/// Loops in `setUp`.
contract EndlessSetUpTest is Hostile {
    function setUp() external pure {
        while (true) {}
    }

    function attack() external {}
}

/// Loops in the constructor.
contract EndlessConstructorTest is Hostile {
    constructor() {
        while (true) {}
    }

    function attack() external {}
}

/// Loops in a fuzz test.
contract EndlessFuzzTest {
    function testFuzz_loop(uint256 x) external pure {
        while (x > 3) {}
    }
}

/// Loops after each run.
contract EndlessAfterInvariantTest is Hostile {
    function attack() external {}

    function afterInvariant() external pure {
        while (true) {}
    }
}

/// Loops while no gas is counted.
contract UnmeteredLoopTest is Hostile {
    function attack() external {
        vm.pauseGasMetering();
        while (true) {}
    }
}

/// Calls without a jump, and copies all of its memory, while no gas is counted.
contract UnmeteredWorkTest is Hostile {
    function copies() external {
        vm.pauseGasMetering();
        assembly {
            for {} 1 {} { mcopy(0, 1, 100000000) }
        }
    }

    function calls() external {
        vm.pauseGasMetering();
        assembly {
            for {} 1 {} { pop(staticcall(gas(), 2, 0, 1000000, 0, 32)) }
        }
    }

    function creations() external {
        vm.pauseGasMetering();
        while (true) new Empty();
    }
}

contract Empty {}

/// Never ends its invariant, and no gas is counted.
contract UnmeteredInvariantTest is Hostile {
    uint256 public calls;

    function attack() external {
        calls++;
    }

    function invariant_holds() external override {
        if (calls < 3) return;
        vm.pauseGasMetering();
        while (true) {}
    }
}

/// Calls itself as deep as the stack of calls goes.
contract DeepCallsTest is Hostile {
    function attack(uint256 x) external {
        (bool done,) = address(this).call(abi.encodeCall(this.attack, (x + 1)));
        done;
    }
}

/// Delegates to itself, twice at each level.
contract DeepDelegatesTest is Hostile {
    function attack() external {
        for (uint256 i = 0; i < 2; i++) {
            (bool done,) = address(this).delegatecall(abi.encodeCall(this.attack, ()));
            done;
        }
    }
}

/// Rejects every input for ever.
contract NothingAssumedTest is Hostile {
    function attack() external {
        vm.assume(false);
    }
}

/// Sleeps for a day.
contract SleepingTest is Hostile {
    function attack() external {
        vm.sleep(86_400_000);
    }
}

/// Sleeps for ever, a bit at a time.
contract NapsTest is Hostile {
    function attack() external {
        for (;;) vm.sleep(300);
    }
}

/// Has precompiles work as long as they can.
contract PrecompileTest is Hostile {
    function rounds() external {
        bytes memory input = new bytes(213);
        assembly {
            mstore(add(input, 32), shl(224, 0xffffffff))
            pop(staticcall(gas(), 9, add(input, 32), 213, 0, 0))
        }
    }

    function power() external {
        assembly {
            let at := mload(64)
            mstore(at, 4096)
            mstore(add(at, 32), 4096)
            mstore(add(at, 64), 4096)
            calldatacopy(add(at, 96), 0, 12288)
            mstore(add(at, 4192), not(0))
            mstore(add(at, 8288), not(0))
            pop(staticcall(gas(), 5, at, 12384, 0, 0))
        }
    }

    function hash() external {
        assembly {
            pop(staticcall(gas(), 2, 0, 100000000, 0, 32))
            pop(staticcall(gas(), 3, 0, 50000000, 0, 32))
        }
    }

    function pairing() external {
        assembly {
            pop(staticcall(gas(), 8, 0, 1920000, 0, 32))
        }
    }
}

/// Asks for a fee whose exponential has more digits than anything holds.
contract BlobFeeTest is Hostile {
    function attack() external {
        vm.blobBaseFee(type(uint64).max);
    }

    function raise(uint256 fee) external {
        vm.blobBaseFee(fee);
    }
}

/// Hashes and copies megabytes, with hardly a jump in between.
contract BulkTest is Hostile {
    function hash() external {
        assembly {
            mstore(0x1000000, 1)
            for {} gt(gas(), 10000000) {} { pop(keccak256(0, 0x1000000)) }
        }
    }

    function copy() external {
        assembly {
            mstore(0x1000000, 1)
            for {} gt(gas(), 10000000) {} { codecopy(0, 0, 0x1000000) }
        }
    }

    function call() external {
        assembly {
            mstore(0x1000000, 1)
            for {} gt(gas(), 10000000) {} { pop(staticcall(1000000, 99, 0, 0x1000000, 0, 0)) }
        }
    }
}
