// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: stateful: a packed register written in halves, then compared with a swapped word (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// A register of 256 bits, written in two halves and executed with an operand.
contract RegisterFile {
    uint256 public register;
    bool public trapped;

    function writeHigh(uint128 v) external {
        register = (register & type(uint128).max) | (uint256(v) << 128);
    }

    function writeLow(uint128 v) external {
        register = (register & ~uint256(type(uint128).max)) | v;
    }

    function execute(bytes32 operand) external {
        uint256 op = uint256(operand);
        uint256 r = register;
        if (r >> 128 == 0 || uint128(r) == 0) return;
        uint256 swapped = (r << 128) | (r >> 128);
        unchecked {
            if (swapped + op != 0x86e19e5f893c59f17355904ed14cc70fa95de9a1720eec30de19f54ab1593355) return;
            if (r ^ (op >> 4) != 0x583867e484d381a915d3ecb77e6e7221a635119db2307a27aefc085c3132039b) return;
            if (uint64(r >> 128) + uint64(op >> 192) != 0xd2ad3c4d039620df) return;
        }
        trapped = int64(uint64(op)) >= 0;
    }
}

contract RegisterFileTest is Test {
    RegisterFile internal cpu;

    function setUp() public {
        cpu = new RegisterFile();
        targetContract(address(cpu));
    }

    function invariant_noTrap() public view {
        assert(!cpu.trapped());
    }

    function test_witness() public {
        cpu.writeHigh(uint128(_w(0xb10e2d527612073b26eecdfd717e6a325189448bc369512c53c972139bea1d8f)));
        cpu.writeLow(uint128(_w(0xb10e2d527612073b26eecdfd717e6a323e7f57494b74faf9969ff00b1e9c9d70)));
        cpu.execute(bytes32(_w(0xe558af09a194085d9ebb999856985fbb471492aac2a1baa2725cf0bb32b32d2a)));
        try this.invariant_noTrap() {
            revert("witness does not fail");
        } catch Panic(uint256 code) {
            require(code == 1, "another panic");
        }
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
