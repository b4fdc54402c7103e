// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

error Plain();
error Detail(uint256 code, string text);

/// Fails in every way a contract can, and does not fail.
contract Thrower {
    uint256 public count;
    address public lastSender;

    function fine() external payable returns (uint256) {
        lastSender = msg.sender;
        return ++count;
    }

    function bare() external pure {
        revert();
    }

    function text(string calldata reason) external payable returns (string memory) {
        count++;
        revert(reason);
    }

    function plain() external pure returns (uint256[] memory) {
        revert Plain();
    }

    function detail(uint256 code) external pure {
        revert Detail(code, "why");
    }

    function divide(uint256 by) external pure returns (uint256) {
        return 1 / by;
    }

    function raw(bytes memory data) external pure {
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    function invalid() external pure {
        assembly {
            invalid()
        }
    }

    function onlyFor(address who) external view {
        require(msg.sender != who, "not you");
    }

    function through(Thrower other) external {
        other.text("from below");
    }

    function rethrown(Thrower other) external {
        try other.text("swallowed") {} catch {}
        revert("own");
    }
}

contract Bomb {
    constructor(bool armed) payable {
        require(!armed, "boom");
    }
}

contract Maker {
    function make(bool armed) external returns (Bomb) {
        return new Bomb(armed);
    }
}

/// expectRevert without a count: which calls satisfy it.
contract ExpectRevertTest is Conformance {
    Thrower thrower = new Thrower();
    Thrower other = new Thrower();

    function test_expectRevert_any() public {
        vm.expectRevert();
        thrower.bare();
        vm.expectRevert();
        thrower.text("x");
        vm.expectRevert();
        thrower.divide(0);
        vm.expectRevert();
        thrower.detail(1);
        vm.expectRevert();
        thrower.invalid();
        vm.expectRevert();
        thrower.fine{gas: 3000}();
        vm.assertEq(thrower.fine(), 1);
    }

    function test_expectRevert_reverter() public {
        vm.expectRevert(address(thrower));
        thrower.text("x");
        // The innermost contract that reverted is the reverter.
        vm.expectRevert(address(other));
        thrower.through(other);
        vm.expectRevert(address(other));
        thrower.rethrown(other);
    }

    function test_expectRevert_selectorAndReverter() public {
        vm.expectRevert(Plain.selector, address(thrower));
        thrower.plain();
    }

    function test_expectRevert_dataAndReverter() public {
        vm.expectRevert("from below", address(other));
        thrower.through(other);
        vm.expectRevert(bytes("own"), address(other));
        thrower.rethrown(other);
    }

    function test_expectRevert_precompile() public {
        vm.expectRevert();
        (bool ok,) = address(6).staticcall(abi.encode(1, 1, 1, 1));
        vm.assertTrue(ok);
    }

    function test_expectRevert_resultsAreZero() public {
        vm.expectRevert();
        vm.assertEq(thrower.divide(0), 0);
        vm.expectRevert();
        vm.assertEq(thrower.text("x"), "");
        vm.expectRevert();
        vm.assertEq(thrower.plain().length, 0);
        vm.expectRevert();
        (bool ok, bytes memory data) = address(thrower).call(abi.encodeCall(Thrower.bare, ()));
        vm.assertTrue(ok);
        vm.assertEq(data, new bytes(8192));
    }

    function test_expectRevert_undoesTheCallOnly() public {
        vm.deal(address(this), 2 ether);
        vm.expectRevert();
        thrower.text{value: 1 ether}("x");
        vm.assertEq(thrower.count(), 0);
        vm.assertEq(address(this).balance, 2 ether);
    }

    function test_expectRevert_create() public {
        uint64 nonce = vm.getNonce(address(this));
        vm.expectRevert(bytes("boom"));
        Bomb bomb = new Bomb(true);
        vm.assertEq(address(bomb), address(1));
        vm.expectRevert();
        bomb = new Bomb{salt: 0}(true);
        vm.assertEq(address(bomb), address(1));
        vm.assertEq(vm.getNonce(address(this)), nonce + 2);
        Maker maker = new Maker();
        vm.expectRevert(bytes("boom"), address(maker));
        maker.make(true);
    }

    function test_expectRevert_waitsOverCheatcodes() public {
        uint256 id = vm.snapshotState();
        vm.expectRevert(bytes("x"));
        vm.warp(99);
        vm.revertToState(id);
        vm.roll(7);
        thrower.text("x");
        vm.assertEq(block.number, 7);
    }

    function test_expectRevert_prank() public {
        vm.prank(address(1));
        vm.expectRevert("not you");
        thrower.onlyFor(address(1));
        vm.expectRevert("not you");
        vm.prank(address(2));
        thrower.onlyFor(address(2));
        vm.assertEq(thrower.fine(), 1);
        vm.assertEq(thrower.lastSender(), address(this));
    }

    function test_expectRevert_secondIsRefused() public {
        vm.expectRevert();
        (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature("expectRevert()"));
        vm.assertFalse(ok);
        vm.assertEq(
            data,
            abi.encodeWithSignature(
                "CheatcodeError(string)",
                "vm.expectRevert: you must call another function prior to expecting a second revert"
            )
        );
        thrower.bare();
    }

    function test_expectRevert_deeper() public {
        this.expectDeeper();
        vm.assertEq(thrower.fine(), 1);
    }

    function expectDeeper() external {
        vm.expectRevert(bytes("deep"));
        thrower.text("deep");
    }

    function test_expectRevert_rawCall() public {
        vm.expectRevert(bytes("x"));
        (bool ok,) = address(thrower).staticcall(abi.encodeCall(Thrower.raw, ("x")));
        vm.assertTrue(ok);
        vm.expectRevert();
        (ok,) = address(thrower).delegatecall(abi.encodeCall(Thrower.bare, ()));
        vm.assertTrue(ok);
    }
}

/// expectRevert without a count: which calls do not satisfy it.
contract ExpectRevertErrors is Conformance {
    Thrower thrower = new Thrower();
    Thrower other = new Thrower();

    function test_expectRevert_callSucceeds() public {
        vm.expectRevert();
        thrower.fine();
    }

    function test_expectRevert_noCall() public {
        vm.expectRevert();
    }

    function test_expectRevert_ownRevert() public {
        vm.expectRevert(bytes("own"));
        revert("own");
    }

    function test_expectRevert_ofCheatcode() public {
        vm.expectRevert();
        vm.addr(0);
    }

    // Without results to decode the check of the code's size fails in the test itself.
    function test_expectRevert_noCode() public {
        vm.expectRevert();
        Thrower(address(0x1234)).bare();
    }

    function test_expectRevert_noCodeWithResult() public {
        vm.expectRevert();
        Thrower(address(0x1234)).fine();
    }

    function test_expectRevert_createSucceeds() public {
        vm.expectRevert();
        new Bomb(false);
    }

    function test_expectRevert_createOtherText() public {
        vm.expectRevert(bytes("bang"));
        new Bomb(true);
    }

    function test_expectRevert_otherReverter() public {
        vm.expectRevert(address(thrower));
        thrower.through(other);
    }

    function test_expectRevert_selectorOtherReverter() public {
        vm.expectRevert(Plain.selector, address(other));
        thrower.plain();
    }

    function test_expectRevert_reverterOtherData() public {
        vm.expectRevert("from above", address(other));
        thrower.through(other);
    }
}
