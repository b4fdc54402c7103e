// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Reverts with what it is told to, or lets another one do so.
contract Refuser {
    error Refused();
    error Numbered(uint256 number);

    uint256 public accepted;

    function accept() external {
        accepted++;
    }

    function refuse() external pure {
        revert Refused();
    }

    function number(uint256 value) external pure {
        revert Numbered(value);
    }

    function text(string calldata reason) external pure {
        revert(reason);
    }

    function through(Refuser other, string calldata reason) external pure {
        other.text(reason);
    }

    function acceptAndRefuse(Refuser other) external {
        accepted++;
        try other.refuse() {} catch {}
    }
}

/// expectRevert with a count, zero included.
contract ExpectRevertCountTest is Conformance {
    Refuser refuser = new Refuser();
    Refuser other = new Refuser();

    function test_expectRevert_count() public {
        vm.expectRevert(uint64(3));
        refuser.refuse();
        refuser.text("a");
        refuser.number(1);
        refuser.accept();
        vm.assertEq(refuser.accepted(), 1);
    }

    function test_expectRevert_selectorCount() public {
        vm.expectRevert(Refuser.Refused.selector, 2);
        refuser.refuse();
        other.refuse();
    }

    function test_expectRevert_dataCount() public {
        vm.expectRevert("usual", 2);
        refuser.text("usual");
        refuser.through(other, "usual");
    }

    function test_expectRevert_reverterCount() public {
        vm.expectRevert(address(refuser), 2);
        refuser.text("a");
        refuser.refuse();
        // With a count above one the outermost contract is the reverter.
        vm.expectRevert(address(refuser), 2);
        refuser.through(other, "a");
        refuser.through(other, "b");
        vm.expectRevert(address(other), 1);
        refuser.through(other, "a");
    }

    function test_expectRevert_selectorReverterCount() public {
        vm.expectRevert(Refuser.Refused.selector, address(refuser), 2);
        refuser.refuse();
        refuser.refuse();
    }

    function test_expectRevert_dataReverterCount() public {
        vm.expectRevert("usual", address(refuser), 2);
        refuser.text("usual");
        refuser.through(other, "usual");
    }

    function test_expectRevert_countZero() public {
        vm.expectRevert(uint64(0));
        refuser.accept();
        vm.expectRevert(Refuser.Refused.selector, 0);
        refuser.accept();
        vm.expectRevert("never", 0);
        refuser.accept();
        vm.expectRevert(address(refuser), 0);
        refuser.accept();
        vm.expectRevert(Refuser.Refused.selector, address(refuser), 0);
        refuser.accept();
        vm.expectRevert("never", address(refuser), 0);
        refuser.accept();
    }

    function test_expectRevert_countZeroIsForOneCall() public {
        vm.expectRevert(uint64(0));
        refuser.accept();
        (bool ok,) = address(refuser).call(abi.encodeCall(Refuser.refuse, ()));
        vm.assertFalse(ok);
    }

    function test_expectRevert_countZeroHidesResults() public {
        refuser.accept();
        vm.expectRevert(uint64(0));
        vm.assertEq(refuser.accepted(), 0);
        vm.assertEq(refuser.accepted(), 1);
    }

    function test_expectRevert_countZeroInnerRevert() public {
        vm.expectRevert(Refuser.Refused.selector, address(other), 0);
        refuser.acceptAndRefuse(other);
        vm.assertEq(refuser.accepted(), 1);
    }
}

/// expectRevert with a count that is not kept to.
contract ExpectRevertCountErrors is Conformance {
    Refuser refuser = new Refuser();
    Refuser other = new Refuser();

    function test_expectRevert_tooFew() public {
        vm.expectRevert(uint64(2));
        refuser.refuse();
    }

    function test_expectRevert_successBetween() public {
        vm.expectRevert(uint64(2));
        refuser.refuse();
        refuser.accept();
    }

    function test_expectRevert_tooMany() public {
        vm.expectRevert(uint64(2));
        refuser.refuse();
        refuser.refuse();
        refuser.refuse();
    }

    function test_expectRevert_secondDiffers() public {
        vm.expectRevert("usual", 2);
        refuser.text("usual");
        refuser.text("different");
    }

    function test_expectRevert_selectorCount() public {
        vm.expectRevert(Refuser.Refused.selector, 2);
        refuser.refuse();
        refuser.number(3);
    }

    function test_expectRevert_reverterCount() public {
        vm.expectRevert(address(other), 2);
        other.refuse();
        refuser.refuse();
    }

    function test_expectRevert_selectorReverterCount() public {
        vm.expectRevert(Refuser.Refused.selector, address(other), 2);
        refuser.refuse();
    }

    function test_expectRevert_dataReverterCount() public {
        vm.expectRevert("usual", address(other), 2);
        refuser.through(other, "usual");
    }

    function test_expectRevert_zeroWithoutCall() public {
        vm.expectRevert(uint64(0));
    }

    function test_expectRevert_zero() public {
        vm.expectRevert(uint64(0));
        refuser.refuse();
    }

    function test_expectRevert_zeroSelector() public {
        vm.expectRevert(Refuser.Refused.selector, 0);
        refuser.refuse();
    }

    function test_expectRevert_zeroOtherSelector() public {
        vm.expectRevert(Refuser.Refused.selector, 0);
        refuser.number(1);
    }

    function test_expectRevert_zeroData() public {
        vm.expectRevert("usual", 0);
        refuser.text("usual");
    }

    function test_expectRevert_zeroOtherData() public {
        vm.expectRevert("usual", 0);
        refuser.text("different");
    }

    function test_expectRevert_zeroReverter() public {
        vm.expectRevert(address(refuser), 0);
        refuser.text("usual");
    }

    function test_expectRevert_zeroOtherReverter() public {
        vm.expectRevert(address(other), 0);
        refuser.text("usual");
    }

    function test_expectRevert_zeroSelectorReverter() public {
        vm.expectRevert(Refuser.Refused.selector, address(refuser), 0);
        refuser.refuse();
    }

    function test_expectRevert_zeroDataReverter() public {
        vm.expectRevert("usual", address(refuser), 0);
        refuser.text("usual");
    }

    function test_expectRevert_zeroDataOtherReverter() public {
        vm.expectRevert("usual", address(other), 0);
        refuser.text("usual");
    }

    function test_expectRevert_zeroOtherDataReverter() public {
        vm.expectRevert("usual", address(refuser), 0);
        refuser.text("different");
    }
}
