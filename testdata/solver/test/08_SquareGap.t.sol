// SPDX-License-Identifier: MIT
// Class 2: non-linear pairs (products, squares, hashes by polynomials, mulmod/addmod).
// Hard because: a difference of two squares, and a remainder of the sum (SMT: medium).
pragma solidity ^0.8.20;

/// Area of a square plot minus a square pond; the fence (the sum of sides) comes in whole rolls.
contract SquareGapTest {
    function testFuzz_plot(uint40 side, uint40 pond) public pure {
        if (pond >= side) return;
        if (side >= 1 << 22 || pond < 1 << 19) return;
        uint256 s = side;
        uint256 p = pond;
        if (s * s - p * p != 6618352819500) return;
        assert((s + p) % 1009 != 746);
    }

    function test_witness() public {
        uint40 x = uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7d1665a));
        uint40 y = uint40(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7e88080));
        try this.testFuzz_plot(x, y) {
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
