// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Skips for its caller.
contract Skipper is Conformance {
    function skip(bool condition) external {
        vm.skip(condition);
    }
}

/// skip where the condition is false.
contract SkipTest is Conformance {
    function test_skip_false() public {
        vm.skip(false);
        vm.skip(false, "never");
        new Skipper().skip(false);
    }

    function test_skip_caught() public {
        (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature("skip(bool,string)", true, "why"));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::SKIPwhy");
    }
}

/// skip where the condition is true.
contract SkipSkips is Conformance {
    function test_skip_plain() public {
        vm.skip(true);
    }

    function test_skip_reason() public {
        vm.skip(true, "not today");
    }

    function test_skip_emptyReason() public {
        vm.skip(true, "");
    }

    function test_skip_afterOthers() public {
        vm.skip(false, "no");
        vm.skip(true, unicode"später: [0x00]");
        vm.assertTrue(false);
    }

    function test_skip_afterACall() public {
        new Skipper().skip(false);
        vm.prank(address(1));
        vm.skip(true);
    }

    function test_skip_unmetExpectation() public {
        vm.expectCall(address(1), "");
        vm.skip(true);
    }
}

/// skip for all tests of a contract, from its setUp.
contract SkipInSetUpSkips is Conformance {
    function setUp() public {
        vm.skip(true, "all of them");
    }

    function test_skip_first() public {
        vm.assertTrue(false);
    }

    function test_skip_second() public {}
}

/// skip where it is not allowed.
contract SkipErrors is Conformance {
    function test_skip_deeper() public {
        new Skipper().skip(true);
    }

    function test_skip_deeperInItself() public {
        this.skipReason();
    }

    function skipReason() external {
        vm.skip(true, "too deep");
    }

    function test_skip_expectedRevert() public {
        vm.expectRevert();
        vm.skip(true);
    }
}
