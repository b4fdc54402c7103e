// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: vested amount, start and warped timestamp tied together (SMT: hard).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract Vesting {
    uint256 public immutable start;
    uint256 internal constant DURATION = 77427567;
    uint256 internal constant TOTAL = 10273152884125;

    constructor(uint256 start_) {
        start = start_;
    }

    function vested() public view returns (uint256) {
        if (block.timestamp < start) return 0;
        uint256 elapsed = block.timestamp - start;
        return elapsed >= DURATION ? TOTAL : TOTAL * elapsed / DURATION;
    }
}

contract VestingClockTest is Test {
    function testFuzz_vesting(uint32 start, uint40 time) public {
        Vesting v = new Vesting(start);
        vm.warp(time);
        if (block.timestamp + 2 * uint256(start) != 5667531634) return;
        assertTrue(v.vested() != 7102377490222);
    }

    function test_witness() public {
        uint32 s = uint32(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2d87046cf));
        uint40 t = uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2c5411bf6));
        try this.testFuzz_vesting(s, t) {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
