// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Reverts, or does not.
contract Moody {
    error Moody_Bad(uint256 degree);

    uint256 public good;

    function fine() external returns (uint256) {
        return ++good;
    }

    function bad(uint256 degree) external pure {
        revert Moody_Bad(degree);
    }

    function text(string calldata reason) external pure {
        revert(reason);
    }

    function bare() external pure {
        revert();
    }

    function through(Moody other) external pure {
        other.text("from below");
    }

    function caught(Moody other) external returns (uint256) {
        try other.text("swallowed") {} catch {}
        return ++good;
    }
}

abstract contract AssumeBase is Conformance {
    Moody moody = new Moody();
    Moody other = new Moody();

    function potential(address reverter, bool partialMatch, bytes memory data)
        internal
        pure
        returns (Vm.PotentialRevert memory)
    {
        return Vm.PotentialRevert(reverter, partialMatch, data);
    }

    function badData(uint256 degree) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(Moody.Moody_Bad.selector, degree);
    }
}

/// assume and assumeNoRevert where the test goes on.
contract AssumeTest is AssumeBase {
    function test_assume_true() public {
        vm.assume(true);
        vm.assume(moody.fine() == 1);
    }

    function test_assume_rejectionInACall() public {
        (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature("assume(bool)", false));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::ASSUME");
    }

    function test_assumeNoRevert_success() public {
        vm.assumeNoRevert();
        vm.assertEq(moody.fine(), 1);
        vm.assumeNoRevert();
        vm.assertEq(moody.caught(other), 2);
    }

    function test_assumeNoRevert_withoutCall() public {
        vm.assumeNoRevert();
    }

    // Each is for one call.
    function test_assumeNoRevert_isUsedUp() public {
        vm.assumeNoRevert();
        moody.fine();
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (1)));
        vm.assertFalse(ok);
        vm.assertEq(data, badData(1));
    }

    function test_assumeNoRevert_rejection() public {
        vm.assumeNoRevert();
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (1)));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::ASSUME");
    }

    function test_assumeNoRevert_onePotential() public {
        vm.assumeNoRevert(potential(address(0), false, badData(1)));
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (1)));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::ASSUME");
        vm.assumeNoRevert(potential(address(0), true, abi.encodePacked(Moody.Moody_Bad.selector)));
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (2)));
        vm.assertEq(data, "FOUNDRY::ASSUME");
        vm.assumeNoRevert(potential(address(moody), false, "text"));
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.text, ("text")));
        vm.assertEq(data, "FOUNDRY::ASSUME");
        vm.assumeNoRevert(potential(address(other), false, "from below"));
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.through, (other)));
        vm.assertEq(data, "FOUNDRY::ASSUME");
    }

    // What is not one of the potential reverts stays what it is.
    function test_assumeNoRevert_anotherRevert() public {
        vm.assumeNoRevert(potential(address(0), false, badData(1)));
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (2)));
        vm.assertFalse(ok);
        vm.assertEq(data, badData(2));
        vm.assumeNoRevert(potential(address(other), false, badData(1)));
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (1)));
        vm.assertEq(data, badData(1));
        vm.assumeNoRevert(potential(address(0), false, abi.encodePacked(Moody.Moody_Bad.selector)));
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.bad, (1)));
        vm.assertEq(data, badData(1));
    }

    function test_assumeNoRevert_severalPotentials() public {
        Vm.PotentialRevert[] memory potentials = new Vm.PotentialRevert[](2);
        potentials[0] = potential(address(0), false, badData(1));
        potentials[1] = potential(address(moody), false, "text");
        vm.assumeNoRevert(potentials);
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.text, ("text")));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::ASSUME");
        vm.assumeNoRevert(potentials);
        (ok, data) = address(moody).staticcall(abi.encodeCall(Moody.text, ("more")));
        vm.assertEq(data, abi.encodeWithSignature("Error(string)", "more"));
        vm.assumeNoRevert(potentials);
        vm.assertEq(moody.fine(), 1);
    }

    function test_assumeNoRevert_noPotential() public {
        vm.assumeNoRevert(new Vm.PotentialRevert[](0));
        (bool ok, bytes memory data) = address(moody).staticcall(abi.encodeCall(Moody.bare, ()));
        vm.assertFalse(ok);
        vm.assertEq(data, "FOUNDRY::ASSUME");
    }

    function test_assumeNoRevert_waitsOverCheatcodes() public {
        vm.assumeNoRevert();
        vm.warp(3);
        vm.assertEq(moody.fine(), 1);
    }

    function test_assumeNoRevert_expectRevert() public {
        vm.expectRevert("text!");
        vm.assumeNoRevert(potential(address(0), false, badData(1)));
        moody.text("text!");
    }
}

/// assume and assumeNoRevert where the test ends.
contract AssumeErrors is AssumeBase {
    function test_assume_false() public {
        vm.assume(false);
    }

    function test_assumeNoRevert_generic() public {
        vm.assumeNoRevert();
        moody.bad(1);
    }

    function test_assumeNoRevert_potential() public {
        vm.assumeNoRevert(potential(address(0), false, badData(1)));
        moody.bad(1);
    }

    function test_assumeNoRevert_anotherRevert() public {
        vm.assumeNoRevert(potential(address(0), false, badData(1)));
        moody.bad(2);
    }

    function test_assumeNoRevert_otherReverter() public {
        vm.assumeNoRevert(potential(address(other), false, "x"));
        moody.text("x");
    }

    function test_assumeNoRevert_list() public {
        Vm.PotentialRevert[] memory potentials = new Vm.PotentialRevert[](1);
        potentials[0] = potential(address(0), true, badData(1));
        vm.assumeNoRevert(potentials);
        moody.bad(7);
    }

    function test_assumeNoRevert_twice() public {
        vm.assumeNoRevert();
        vm.assumeNoRevert();
    }

    function test_assumeNoRevert_potentialTwice() public {
        vm.assumeNoRevert(potential(address(0), true, badData(1)));
        vm.assumeNoRevert(potential(address(0), true, badData(2)));
    }

    function test_assumeNoRevert_listTwice() public {
        vm.assumeNoRevert(new Vm.PotentialRevert[](0));
        vm.assumeNoRevert(new Vm.PotentialRevert[](0));
    }

    function test_assumeNoRevert_ownRevert() public {
        vm.assumeNoRevert();
        revert("own");
    }
}
