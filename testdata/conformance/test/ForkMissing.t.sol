// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";

/// With more than one fork, a call of an account without code that stops and is followed by a failure explains the failure.
contract ForkMissingTest is Node {
    function setUp() public {
        vm.createSelectFork(node(), 1);
        vm.createSelectFork(node(), 2);
    }

    function fail(string memory reason) external pure {
        revert(reason);
    }

    function look() external view returns (uint256) {
        return Ledger(NOBODY).total();
    }

    function explanation() private pure returns (bytes memory) {
        return abi.encodeWithSignature(
            "CheatcodeError(string)",
            "Contract 0x00000000000000000000000000000000DeAd0000 does not exist and is not marked as persistent, see `vm.makePersistent()`"
        );
    }

    function test_missing_call() public {
        (bool done, bytes memory result) = NOBODY.call("");
        vm.assertTrue(done);
        vm.assertEq(result, "");
    }

    function test_missing_catchExplained() public {
        try this.look() returns (uint256) {
            revert("it is there");
        } catch (bytes memory reason) {
            vm.assertEq(reason, explanation());
        }
    }

    function test_missing_explainsNextFailure() public {
        poke(NOBODY);
        try this.fail("first") {}
        catch (bytes memory reason) {
            vm.assertEq(reason, explanation());
        }
        try this.fail("second") {}
        catch Error(string memory reason) {
            vm.assertEq(reason, "second");
        }
    }

    function test_missing_expectRevert() public {
        vm.expectRevert();
        this.look();
    }

    function test_missing_expectRevertOfNext() public {
        poke(NOBODY);
        vm.expectRevert(bytes("first"));
        this.fail("first");
    }
}

/// Explained failures.
contract ForkMissingErrors is Node {
    function setUp() public {
        vm.createSelectFork(node(), uint256(0));
        vm.createSelectFork(node(), 2);
    }

    function fine() external {}

    function test_missing_onOtherFork() public {
        vm.selectFork(0);
        LEDGER.total();
    }

    function test_missing_createdOnOtherFork() public {
        Ledger own = new Ledger();
        vm.selectFork(0);
        own.total();
    }

    function test_missing_everywhere() public view {
        Ledger(NOBODY).total();
    }

    function test_missing_persistent() public {
        vm.makePersistent(NOBODY);
        Ledger(NOBODY).total();
    }

    function test_missing_label() public {
        vm.label(NOBODY, "nobody");
        Ledger(NOBODY).total();
    }

    function test_missing_labelOnOtherFork() public {
        vm.label(address(LEDGER), "ledger");
        vm.selectFork(0);
        LEDGER.total();
    }

    function test_missing_withCodeCheck() public {
        Ledger(NOBODY).add(1); // the compiler's check of the code's size fails, there is no call
    }

    function test_missing_thenRevert() public {
        poke(NOBODY);
        vm.getNonce(NOBODY);
        revert("not shown");
    }

    function test_missing_thenAssert() public {
        poke(NOBODY);
        vm.assertEq(uint256(1), 2);
    }

    function test_missing_staticcall() public {
        (bool done,) = NOBODY.staticcall("");
        vm.assertFalse(done);
    }

    function test_missing_thenBadCheatcode() public {
        poke(NOBODY);
        vm.selectFork(9);
    }

    function test_missing_thenGoodCall() public {
        poke(NOBODY);
        this.fine();
        revert("shown after a good call");
    }

    function test_missing_thenExpectRevert() public {
        poke(NOBODY);
        vm.expectRevert(bytes("other"));
        LEDGER.add(0);
    }

    function test_missing_transfer() public {
        payable(RICH).transfer(1);
        revert("not shown");
    }

    function test_missing_delegatecall() public {
        (bool done,) = NOBODY.delegatecall("");
        vm.assertTrue(done);
        revert("shown after a delegatecall");
    }

    function test_missing_precompile() public {
        poke(address(4));
        revert("shown after a precompile");
    }

    function test_missing_mocked() public {
        vm.mockCall(NOBODY, abi.encodeCall(LEDGER.total, ()), abi.encode(5));
        vm.assertEq(Ledger(NOBODY).total(), 5);
        revert("shown after a mocked call");
    }

    function test_missing_realRevert() public {
        LEDGER.add(0);
    }
}

/// With one fork nothing is explained.
contract ForkMissingOnlyOneErrors is Node {
    function test_missing_oneFork() public {
        vm.createSelectFork(node());
        Ledger(NOBODY).total();
    }

    function test_missing_noFork() public {
        vm.createFork(node());
        vm.createFork(node());
        LEDGER.total();
    }
}
