// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

// What only newer compilers know; see Shapes.sol.
contract Modern {
    error TooSmall(uint256 given, string why);
    error Forbidden();

    uint256 public hit;

    function customError(uint256 a) external { if (a < 10) revert TooSmall(a, "ten at least"); hit = 1; }
    function emptyError(uint256 a) external { if (a != 10) revert Forbidden(); hit = 1; }
    function checkedAdd(uint8 a, uint8 b) external { hit = a + b; }
    function checkedSub(uint256 a, uint256 b) external { hit = a - b; }
    function uncheckedSum(uint256 a, uint256 b) external { unchecked { if (a + b == 100) hit = 1; else hit = 2; } }
    function inBounds(uint256[] calldata list, uint256 a) external { hit = list[a]; }
    function casts(uint256 a) external { require(a <= type(uint128).max, "too large"); hit = uint128(a); }
    function userType(uint256 a, uint256 b) external {
        (bool ok, uint256 difference) = trySub(a, b);
        if (ok) hit = difference;
    }
    function trySub(uint256 a, uint256 b) internal pure returns (bool, uint256) {
        unchecked { return b > a ? (false, 0) : (true, a - b); }
    }
}
