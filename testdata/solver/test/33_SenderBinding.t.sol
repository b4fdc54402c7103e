// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: pranked sender and a ticket under a sum and a xor-shift (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// The allow list binds an address to a ticket by two controls.
contract Gate {
    function enter(uint160 ticket) external view returns (bool) {
        uint256 who = uint160(msg.sender);
        if (who + 2 * uint256(ticket) != 3004443530219181517042001452259634480309696494836) return false;
        return who ^ (uint256(ticket) >> 5) == 0x006160367dda109891ca49b05b280ff756de64bb57;
    }
}

contract SenderBindingTest is Test {
    function testFuzz_enter(address who, uint160 ticket) public {
        vm.assume(who != address(0));
        Gate gate = new Gate();
        vm.prank(who);
        assertEq(gate.enter(ticket) ? 1 : 0, 0);
    }

    function test_witness() public {
        address a = address(uint160(_w(0xb10e2d527612073b26eecdfd168777641dffca59d4ba4c67c250a993cebde5ee)));
        uint160 t = uint160(_w(0xb10e2d527612073b26eecdfda25b0f4b6f977b167ceb398bd58d6f1653904518));
        try this.testFuzz_enter(a, t) {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
