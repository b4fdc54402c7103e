// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: two remainders of mixed sums and a linear relation (SMT: hard).
pragma solidity ^0.8.20;

/// Ticket numbers of a lottery: two check remainders and a fixed spread.
contract ResidueTrioTest {
    uint256 internal constant P = 1000000007;
    uint256 internal constant Q = 4294967291;

    function testFuzz_ticket(uint64 serial, uint64 series, uint64 draw) public pure {
        uint256 a = serial;
        uint256 b = series;
        uint256 c = draw;
        if (a + b + c >= 1 << 42) return;
        if (7 * a + b != 5 * c + 933319140314) return;
        if ((a + 2 * b + 3 * c) % P != 614438834) return;
        if ((11 * a + b + 6 * c) % Q != 1189607073) return;
        assert(false);
    }

    function test_witness() public {
        uint64 x = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbc083c02069));
        uint64 y = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbfd226f7908));
        uint64 z = uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe80a37ceef));
        try this.testFuzz_ticket(x, y, z) {
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
