// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Speaker, Ticked} from "./ExpectEmit.t.sol";

/// Calls and writes to memory for the contracts below.
abstract contract SetUpBase is Conformance {
    function touch() internal {
        (bool ok,) = address(0x1234).call("");
        vm.assertTrue(ok);
    }

    function writeFar() internal pure {
        assembly {
            mstore(0x4000, 1)
        }
    }
}

/// What a constructor and setUp leave behind holds in every test.
contract SetUpStateTest is SetUpBase {
    uint256 first;

    constructor() {
        vm.label(address(0xA11CE), "by the constructor");
    }

    function setUp() public {
        vm.label(address(0xB0B), "by setUp");
        vm.setSeed(4);
        first = vm.randomUint();
        vm.setSeed(4);
        vm.rememberKey(4);
    }

    function test_label_setUp() public {
        vm.assertEq(vm.getLabel(address(0xA11CE)), "by the constructor");
        vm.assertEq(vm.getLabel(address(0xB0B)), "by setUp");
    }

    function test_setSeed_setUp() public {
        vm.assertEq(vm.randomUint(), first);
    }

    function test_setSeed_setUpForEachTest() public {
        vm.assertEq(vm.randomUint(), first);
    }

    function test_rememberKey_setUp() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign("digest");
        vm.assertEq(ecrecover("digest", v, r, s), vm.addr(4));
    }
}

/// An expectation that setUp meets is met in the tests.
contract ExpectCallInSetUpTest is SetUpBase {
    function setUp() public {
        vm.expectCall(address(0x1234), "", 1);
        touch();
    }

    function test_expectCall_setUp() public {}
}

/// An expectation that setUp meets is checked after every test, with the calls of the test.
contract ExpectCallInSetUpErrors is SetUpBase {
    function setUp() public {
        vm.expectCall(address(0x1234), "", 1);
        touch();
    }

    function test_expectCall_setUpAndTest() public {
        touch();
    }
}

/// An expectation of the constructor is checked after the test.
contract ExpectCallInConstructorErrors is SetUpBase {
    constructor() {
        vm.expectCall(address(0x1234), "");
    }

    function test_expectCall_constructor() public {}
}

/// A call that setUp expects in vain.
contract ExpectCallFailsSetUpErrors is SetUpBase {
    function setUp() public {
        vm.expectCall(address(0x1234), "");
    }

    function test_expectCall_failsSetUp() public {
        touch();
    }
}

/// A log that setUp expects in vain.
contract ExpectEmitFailsSetUpErrors is SetUpBase {
    function setUp() public {
        vm.expectEmit();
        emit Ticked(1);
    }

    function test_expectEmit_failsSetUp() public {
        new Speaker().tick(1);
    }
}

/// A revert that setUp expects in vain.
contract ExpectRevertFailsSetUpErrors is SetUpBase {
    function setUp() public {
        vm.expectRevert();
    }

    function test_expectRevert_failsSetUp() public {}
}

/// A revert that the constructor expects in vain.
contract ExpectRevertFailsConstructorErrors is SetUpBase {
    constructor() {
        vm.expectRevert();
    }

    function test_expectRevert_failsConstructor() public {}
}

/// An assumption that fails in setUp.
contract AssumeFailsSetUpErrors is SetUpBase {
    function setUp() public {
        vm.assume(false);
    }

    function test_assume_failsSetUp() public {}
}

/// An assertion that fails in the constructor.
contract AssertFailsConstructorErrors is SetUpBase {
    constructor() {
        vm.assertTrue(false, "never built");
    }

    function test_assertTrue_failsConstructor() public {}
}

/// A test that the constructor skips.
contract SkipInConstructorSkips is SetUpBase {
    constructor() {
        vm.skip(true, "never built");
    }

    function test_skip_constructor() public {}
}

/// Ranges of memory that setUp allows are those of the tests.
contract ExpectSafeMemoryInSetUpErrors is SetUpBase {
    function setUp() public {
        vm.expectSafeMemory(0x80, 0x100);
        vm.expectSafeMemoryCall(0x80, 0x100);
    }

    function test_expectSafeMemory_setUp() public pure {
        writeFar();
    }

    function test_expectSafeMemoryCall_setUp() public view {
        this.writeFarInACall();
    }

    function writeFarInACall() external pure {
        writeFar();
    }
}
