// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Detail, Plain, Thrower} from "./ExpectRevert.t.sol";

/// expectRevert and expectPartialRevert: which data are the expected ones.
contract ExpectRevertDataTest is Conformance {
    Thrower thrower = new Thrower();
    Thrower other = new Thrower();

    function test_expectRevert_selector() public {
        vm.expectRevert(Plain.selector);
        thrower.plain();
        vm.expectRevert(bytes4("abcd"));
        thrower.raw("abcd");
        vm.expectRevert(bytes4("abcd"));
        thrower.text("abcd");
    }

    function test_expectRevert_data() public {
        vm.expectRevert("no luck");
        thrower.text("no luck");
        vm.expectRevert(abi.encodeWithSelector(Detail.selector, 7, "why"));
        thrower.detail(7);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x12));
        thrower.divide(0);
        vm.expectRevert(bytes(hex"00ff"));
        thrower.raw(hex"00ff");
    }

    function test_expectRevert_emptyData() public {
        vm.expectRevert(bytes(""));
        thrower.bare();
        vm.expectRevert(bytes(""));
        thrower.text("");
        vm.expectRevert(bytes(""));
        thrower.invalid();
    }

    function test_expectRevert_textIsUnwrapped() public {
        vm.expectRevert("failed");
        thrower.raw(abi.encodeWithSignature("CheatcodeError(string)", "failed"));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "whole"));
        thrower.text("whole");
        vm.expectRevert("plain text");
        thrower.raw("plain text");
    }

    // What reads the same is the same, even where the bytes differ.
    function test_expectRevert_decodedAlike() public {
        vm.expectRevert("failed");
        thrower.raw(abi.encode("failed"));
        vm.expectRevert(abi.encodeWithSelector(Plain.selector, 1));
        thrower.plain();
        vm.expectRevert(bytes(hex"ff00ff"));
        thrower.raw(hex"ee00");
    }

    function test_expectPartialRevert_selector() public {
        vm.expectPartialRevert(Detail.selector);
        thrower.detail(1);
        vm.expectPartialRevert(Plain.selector);
        thrower.plain();
        vm.expectPartialRevert(bytes4(keccak256("Error(string)")));
        thrower.text("anything");
    }

    function test_expectPartialRevert_selectorAndReverter() public {
        vm.expectPartialRevert(Detail.selector, address(thrower));
        thrower.detail(1);
        vm.expectPartialRevert(bytes4(keccak256("Error(string)")), address(other));
        thrower.through(other);
    }
}

/// expectRevert and expectPartialRevert: which data are not the expected ones.
contract ExpectRevertDataErrors is Conformance {
    Thrower thrower = new Thrower();
    Thrower other = new Thrower();

    function test_expectRevert_otherText() public {
        vm.expectRevert("expected");
        thrower.text("actual");
    }

    function test_expectRevert_textForCustomError() public {
        vm.expectRevert("expected");
        thrower.detail(5);
    }

    function test_expectRevert_customErrorForText() public {
        vm.expectRevert(abi.encodeWithSelector(Detail.selector, 5, "why"));
        thrower.text("x");
    }

    function test_expectRevert_otherArguments() public {
        vm.expectRevert(abi.encodeWithSelector(Detail.selector, 5, "why"));
        thrower.detail(6);
    }

    function test_expectRevert_selectorOfErrorWithArguments() public {
        vm.expectRevert(Detail.selector);
        thrower.detail(6);
    }

    function test_expectRevert_otherPanic() public {
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        thrower.divide(0);
    }

    function test_expectRevert_dataForBare() public {
        vm.expectRevert("expected");
        thrower.bare();
    }

    function test_expectRevert_dataForHalt() public {
        vm.expectRevert("expected");
        thrower.invalid();
    }

    function test_expectRevert_emptyForText() public {
        vm.expectRevert(bytes(""));
        thrower.text("x");
    }

    function test_expectRevert_otherSelector() public {
        vm.expectRevert(Plain.selector);
        thrower.raw(hex"fe345678");
    }

    function test_expectRevert_unknownErrors() public {
        vm.expectRevert(abi.encodePacked(bytes4(0xfe000001), "head"));
        thrower.raw(abi.encodePacked(bytes4(0xfe000002), "tail"));
    }

    function test_expectRevert_notText() public {
        vm.expectRevert(abi.encodeWithSignature("Error(string)", unicode"ä"));
        thrower.raw(abi.encodeWithSignature("Error(string)", hex"ff"));
    }

    function test_expectRevert_tooShortForASelector() public {
        vm.expectRevert(bytes4(hex"ff000000"));
        thrower.raw(hex"ff");
    }

    function test_expectRevert_unknownPanic() public {
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x99));
        thrower.raw(abi.encodeWithSignature("Panic(uint256)", 0x98));
    }

    function test_expectPartialRevert_callSucceeds() public {
        vm.expectPartialRevert(Detail.selector);
        thrower.fine();
    }

    function test_expectPartialRevert_otherSelector() public {
        vm.expectPartialRevert(Plain.selector);
        thrower.detail(3);
    }

    function test_expectPartialRevert_tooShort() public {
        vm.expectPartialRevert("abcd");
        thrower.raw("abc");
    }

    function test_expectPartialRevert_bare() public {
        vm.expectPartialRevert(Plain.selector);
        thrower.bare();
    }

    function test_expectPartialRevert_textIsNotUnwrapped() public {
        vm.expectPartialRevert("abcd");
        thrower.text("abcde");
    }

    function test_expectPartialRevert_otherReverter() public {
        vm.expectPartialRevert(Detail.selector, address(other));
        thrower.detail(3);
    }
}
