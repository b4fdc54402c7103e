// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Writes to memory where it is told to.
contract Writer {
    function write(uint256 offset) external pure {
        assembly {
            mstore(offset, 1)
        }
    }

    function writeDeeper(Writer other, uint256 offset) external pure {
        other.write(offset);
    }
}

/// expectSafeMemory, expectSafeMemoryCall and stopExpectSafeMemory: writes within the ranges.
contract ExpectSafeMemoryTest is Conformance {
    Writer writer = new Writer();
    Writer other = new Writer();

    function test_expectSafeMemory_within() public {
        vm.expectSafeMemory(0x80, 0xc0);
        assembly {
            mstore(0x80, 1)
            mstore(0xa0, 1)
            mstore8(0xbf, 1)
            calldatacopy(0x80, 0, 4)
            pop(mload(0x60))
        }
    }

    // Scratch space and the free memory pointer are always allowed.
    function test_expectSafeMemory_scratch() public {
        vm.expectSafeMemory(0x200, 0x201);
        assembly {
            mstore(0, 1)
            mstore(0x20, 1)
            mstore(0x40, mload(0x40))
        }
    }

    function test_expectSafeMemory_severalRanges() public {
        vm.expectSafeMemory(0x80, 0x100);
        vm.expectSafeMemory(0x200, 0x220);
        assembly {
            mstore(0x80, 1)
            mstore(0x200, 1)
        }
    }

    function test_expectSafeMemory_thisDepthOnly() public {
        vm.expectSafeMemory(0x80, 0x100);
        this.writeFar();
    }

    function writeFar() external pure {
        assembly {
            mstore(0x400, 1)
        }
    }

    function test_expectSafeMemory_readsOfMemoryThatIs() public {
        assembly {
            mstore(0x400, 7)
        }
        vm.expectSafeMemory(0x80, 0x100);
        assembly {
            mstore(0x80, mload(0x400))
            mstore(0x80, keccak256(0x300, 0x100))
        }
    }

    function test_expectSafeMemory_mcopyIsNotChecked() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mcopy(0x400, 0x80, 32)
        }
    }

    // The call of the cheatcode itself is allowed to use memory anywhere.
    function test_stopExpectSafeMemory_allowsAll() public {
        vm.expectSafeMemory(0x200, 0x220);
        vm.stopExpectSafeMemory();
        assembly {
            mstore(0x400, 1)
        }
    }

    function test_stopExpectSafeMemory_withoutExpectation() public {
        vm.stopExpectSafeMemory();
        assembly {
            mstore(0x400, 1)
        }
    }

    // The rule is for every call of the depth, not for the next one.
    function test_expectSafeMemoryCall_within() public {
        vm.expectSafeMemoryCall(0x80, 0xa0);
        writer.write(0x80);
        other.write(0x80);
        assembly {
            mstore(0x400, 1)
        }
    }

    function test_expectSafeMemoryCall_violationRevertsTheCall() public {
        vm.expectSafeMemoryCall(0x80, 0xa0);
        (bool ok, bytes memory data) = address(writer).staticcall(abi.encodeCall(Writer.write, (0xa1)));
        vm.assertFalse(ok);
        vm.assertEq(
            data, bytes("memory write at offset 0xA1 of size 0x20 not allowed; safe range: [0x00, 0x60) U [0x80, 0xA0)")
        );
    }

    function test_expectSafeMemoryCall_deeperIsFree() public {
        vm.expectSafeMemoryCall(0x80, 0x104);
        writer.writeDeeper(other, 0x400);
    }
}

/// expectSafeMemory and expectSafeMemoryCall: writes outside the ranges, by opcode, and ranges that are none.
contract ExpectSafeMemoryErrors is Conformance {
    Writer writer = new Writer();

    function test_expectSafeMemory_mstore() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mstore(0xa0, 1)
        }
    }

    function test_expectSafeMemory_mstoreAcross() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mstore(0x81, 1)
        }
    }

    function test_expectSafeMemory_zeroSlot() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mstore(0x60, 1)
        }
    }

    // A write has to be within one of the ranges.
    function test_expectSafeMemory_acrossTwoRanges() public {
        vm.expectSafeMemory(0x80, 0x100);
        vm.expectSafeMemory(0x100, 0x120);
        assembly {
            mstore(0xf0, 1)
        }
    }

    function test_expectSafeMemory_callOfACheatcode() public {
        vm.expectSafeMemory(0x80, 0xa0);
        vm.warp(1);
    }

    function test_expectSafeMemory_mstore8() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mstore8(0xa0, 1)
        }
    }

    function test_expectSafeMemory_mloadExpands() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            pop(mload(0x4000))
        }
    }

    function test_expectSafeMemory_keccakExpands() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            mstore(0, keccak256(0x4000, 0x40))
        }
    }

    function test_expectSafeMemory_calldatacopy() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            calldatacopy(0xc0, 0, 4)
        }
    }

    function test_expectSafeMemory_codecopy() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            codecopy(0xc0, 0, 32)
        }
    }

    function test_expectSafeMemory_extcodecopy() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            extcodecopy(address(), 0xc0, 0, 32)
        }
    }

    function test_expectSafeMemory_returndatacopy() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            pop(staticcall(gas(), 4, 0, 32, 0, 0))
            returndatacopy(0xc0, 0, 32)
        }
    }

    function test_expectSafeMemory_callResult() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            pop(staticcall(gas(), 4, 0, 32, 0xc0, 32))
        }
    }

    function test_expectSafeMemory_return() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            return(0x4000, 32)
        }
    }

    function test_expectSafeMemory_log() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            log0(0x4000, 32)
        }
    }

    function test_expectSafeMemory_create() public {
        vm.expectSafeMemory(0x80, 0xa0);
        assembly {
            pop(create(0, 0x4000, 32))
        }
    }

    function test_expectSafeMemory_emptyRange() public {
        vm.expectSafeMemory(0x80, 0x80);
    }

    function test_expectSafeMemory_reversedRange() public {
        vm.expectSafeMemory(0x81, 0x80);
    }

    function test_expectSafeMemoryCall_emptyRange() public {
        vm.expectSafeMemoryCall(7, 7);
    }

    function test_expectSafeMemoryCall_outside() public {
        vm.expectSafeMemoryCall(0x80, 0xa0);
        writer.write(0xa0);
    }

    function test_expectSafeMemoryCall_later() public {
        vm.expectSafeMemoryCall(0x80, 0xa0);
        writer.write(0x80);
        writer.write(0xa0);
    }

    function test_stopExpectSafeMemory_otherDepth() public {
        vm.expectSafeMemory(0x80, 0x100);
        this.stop();
        assembly {
            mstore(0x4000, 1)
        }
    }

    function stop() external {
        vm.stopExpectSafeMemory();
    }
}
