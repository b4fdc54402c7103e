// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: three checked sums over three amounts, no triangular order (SMT: easy).
pragma solidity ^0.8.20;

/// A payout split over three payees; the books hold two weighted controls and a total.
contract Ledger {
    uint256 internal constant TOTAL = 9382660022305434261631950635;
    uint256 internal constant CONTROL_A = 17781560891636460255946341750;
    uint256 internal constant CONTROL_B = 17409263223670344242892225548;

    function balanced(uint256 first, uint256 second, uint256 third) public pure returns (bool) {
        if (first + second + third != TOTAL) return false;
        if (2 * first + second + 5 * third != CONTROL_A) return false;
        return first + 4 * second + 3 * third == CONTROL_B;
    }
}

contract LedgerSplitTest is Ledger {
    function testFuzz_split(uint128 first, uint128 second, uint128 third) public pure {
        assert(!balanced(first, second, third));
    }

    function test_witness() public {
        uint128 x = uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4aefee7954e65ea4e3a1dd9849));
        uint128 y = uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afd6406e225225674c113c4ff));
        uint128 z = uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afbbf17a10473df6e5d2f0e95));
        try this.testFuzz_split(x, y, z) {
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
