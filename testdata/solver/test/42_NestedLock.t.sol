// SPDX-License-Identifier: MIT
// Class 5: nested ifs over one word or two.
// Hard because: stateful: nested ifs over a stored key and the argument of the turn (SMT: medium).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract NestedLock {
    uint128 public key;
    uint8 public depth;

    function insert(uint128 k) external {
        key = k;
        depth = 0;
    }

    function turn(uint128 move) external {
        uint256 k = key;
        uint256 m = move;
        uint8 d = 0;
        if (k > m && m > 1 << 100) {
            d = 1;
            if (k + m == 314044886410053227104915427275013591172) {
                d = 2;
                if (k % 1_000_000_007 == 348748081) {
                    d = 3;
                    if ((k ^ m) >> 64 == 0xe33c8729f529ccdd) {
                        d = 4;
                        unchecked {
                            if (uint64(k * 3 - m * 5) == 0x29dcab50916fe8c4) d = 5;
                        }
                    }
                }
            }
        }
        if (d > depth) depth = d;
    }

    function eject() external {
        delete key;
        delete depth;
    }
}

contract NestedLockTest is Test {
    NestedLock internal lock;

    function setUp() public {
        lock = new NestedLock();
        targetContract(address(lock));
    }

    function invariant_closed() public view {
        assertLe(lock.depth(), 4);
    }

    function test_witness() public {
        lock.insert(uint128(_w(0xb10e2d527612073b26eecdfd717e6a32cb53e4f5bd8df70aeb7dc2984bd63b9d)));
        lock.turn(uint128(_w(0xb10e2d527612073b26eecdfd717e6a32286f63dc48a43bd7f8c4b6e4cdcd55ef)));
        assertEq(lock.depth(), 5);
        try this.invariant_closed() {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
