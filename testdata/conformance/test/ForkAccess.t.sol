// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm} from "../src/Vm.sol";
import {Node} from "./Node.sol";

/// Calls cheatcodes.
contract Cheater {
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function warp(uint256 time) external {
        vm.warp(time);
    }

    function number() external returns (uint256) {
        return vm.getBlockNumber();
    }

    /// A copy of this contract.
    function copy() external returns (Cheater made) {
        bytes memory code = address(this).code;
        bytes memory init = abi.encodePacked(hex"61", uint16(code.length), hex"80600a3d393df3", code);
        assembly {
            made := create(0, add(init, 32), mload(init))
        }
    }
}

/// Calls a cheatcode in its constructor.
contract EagerCheater {
    constructor() {
        Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).warp(9);
    }
}

/// Who may call cheatcodes while a fork is active.
contract ForkAccessTest is Node {
    Cheater private constant etched = Cheater(NOBODY);

    function etch() internal {
        vm.etch(NOBODY, address(new Cheater()).code);
    }

    function test_access_withoutFork() public {
        etch();
        etched.warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_forkNotSelected() public {
        vm.createFork(node());
        etch();
        etched.warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_created() public {
        vm.createSelectFork(node());
        new Cheater().warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_createdBefore() public {
        Cheater cheater = new Cheater();
        vm.createSelectFork(node());
        cheater.warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_createdByCreated() public {
        vm.createSelectFork(node());
        new Cheater().copy().warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_createdInPrank() public {
        vm.createSelectFork(node());
        vm.prank(ALICE);
        new Cheater().warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_inConstructor() public {
        vm.createSelectFork(node());
        new EagerCheater();
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_access_delegatecall() public {
        vm.createSelectFork(node());
        etch();
        (bool done,) = NOBODY.delegatecall(abi.encodeCall(etched.warp, (9)));
        vm.assertTrue(done);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_allowCheatcodes_etched() public {
        vm.createSelectFork(node());
        etch();
        vm.allowCheatcodes(NOBODY);
        etched.warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
        vm.allowCheatcodes(NOBODY);
    }

    function test_allowCheatcodes_givesToCreated() public {
        vm.createSelectFork(node());
        etch();
        vm.allowCheatcodes(NOBODY);
        etched.copy().warp(9);
        vm.assertEq(vm.getBlockTimestamp(), 9);
    }

    function test_allowCheatcodes_beforeTheFork() public {
        vm.allowCheatcodes(NOBODY);
        vm.createSelectFork(node());
        etch();
        etched.warp(9);
        vm.createSelectFork(node());
        etch();
        etched.warp(10);
        vm.assertEq(vm.getBlockTimestamp(), 10);
    }

    function test_allowCheatcodes_refused() public {
        vm.createSelectFork(node());
        etch();
        (bool done, bytes memory reason) = NOBODY.call(abi.encodeCall(etched.warp, (9)));
        vm.assertFalse(done);
        vm.assertEq(
            reason,
            abi.encodeWithSignature(
                "CheatcodeError(string)",
                "cheatcodes are not enabled for 0x00000000000000000000000000000000DeAd0000; see `vm.allowCheatcodes(address)`"
            )
        );
        assertBlock(HEAD);
    }
}

/// Who may not.
contract ForkAccessErrors is Node {
    Cheater private constant etched = Cheater(NOBODY);

    function setUp() public {
        vm.etch(NOBODY, address(new Cheater()).code);
        vm.makePersistent(NOBODY);
    }

    function test_allowCheatcodes_etched() public {
        vm.createSelectFork(node());
        etched.warp(9);
    }

    function test_allowCheatcodes_read() public {
        vm.createSelectFork(node());
        etched.number();
    }

    function test_allowCheatcodes_createdByRefused() public {
        vm.createSelectFork(node());
        etched.copy().warp(9);
    }

    function test_allowCheatcodes_createdByRefusedBefore() public {
        Cheater made = etched.copy();
        vm.createSelectFork(node());
        made.warp(9);
    }

    function test_allowCheatcodes_pranked() public {
        vm.createSelectFork(node());
        vm.prank(address(this));
        etched.warp(9);
    }

    function test_allowCheatcodes_persistent() public {
        vm.createSelectFork(node());
        vm.makePersistent(NOBODY);
        etched.warp(9);
    }
}
