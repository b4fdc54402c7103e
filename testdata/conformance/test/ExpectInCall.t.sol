// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Speaker, Ticked} from "./ExpectEmit.t.sol";
import {Thrower} from "./ExpectRevert.t.sol";

/// Expects for its caller, and may revert after that.
contract Expecter is Conformance {
    function expectCall(address target, bool fail) external {
        vm.expectCall(target, "");
        require(!fail, "undone");
    }

    function expectEmit(bool fail) external {
        vm.expectEmit();
        emit Ticked(5);
        require(!fail, "undone");
    }

    function expectRevert() external {
        vm.expectRevert();
    }

    function expectCreate(address deployer, bool fail) external {
        vm.expectCreate(type(Speaker).runtimeCode, deployer);
        require(!fail, "undone");
    }

    function assumeNoRevert() external {
        vm.assumeNoRevert();
    }
}

/// Expectations that a call leaves to its caller, even if it is undone.
contract ExpectInCallTest is Conformance {
    Expecter expecter = new Expecter();
    Speaker speaker = new Speaker();

    function test_expectCall_inACall() public {
        expecter.expectCall(address(speaker), false);
        try expecter.expectCall(address(speaker), true) {} catch {}
        speaker.quiet();
        speaker.quiet();
    }

    function test_expectEmit_inACall() public {
        expecter.expectEmit(false);
        speaker.quiet();
        speaker.tick(5);
    }

    function test_expectEmit_inAnUndoneCall() public {
        try expecter.expectEmit(true) {} catch {}
        speaker.tick(5);
    }

    function test_expectCreate_inACall() public {
        expecter.expectCreate(address(this), false);
        try expecter.expectCreate(address(this), true) {} catch {}
        new Speaker();
        new Speaker();
    }

    function test_assumeNoRevert_inACall() public {
        expecter.assumeNoRevert();
        (bool ok, bytes memory data) = address(new Thrower()).staticcall(abi.encodeCall(Thrower.bare, ()));
        vm.assertFalse(ok);
        vm.assertEq(data, "");
    }
}

/// Expectations that a call leaves to its caller, who does not meet them.
contract ExpectInCallErrors is Conformance {
    Expecter expecter = new Expecter();

    function test_expectCall_inAnUndoneCall() public {
        try expecter.expectCall(address(0x1234), true) {} catch {}
    }

    function test_expectEmit_inACall() public {
        expecter.expectEmit(false);
    }

    function test_expectEmit_inAnUndoneCall() public {
        try expecter.expectEmit(true) {} catch {}
    }

    // The revert has to come before the call that expects it ends.
    function test_expectRevert_inACall() public {
        expecter.expectRevert();
        new Thrower().bare();
    }
}
