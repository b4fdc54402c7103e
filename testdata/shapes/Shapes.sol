// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0 <0.9.0;

// Conditions in the shapes that programs write them in. Each function decides one thing; what it compares for
// known arguments stands in src/evm/track/shapes.rs. Any compiler since 0.5.0 takes this source.
contract Shapes {
    enum Color { Red, Green, Blue, White }

    struct Note { bool ok; uint256 value; }

    uint256 public hit;
    uint256 public stored = 77;
    bool public flag;
    address public owner = msg.sender;
    mapping(address => bool) public member;

    function eq(uint256 a, uint256 b) external { if (a == b) hit = 1; else hit = 2; }
    function ne(uint256 a, uint256 b) external { if (a != b) hit = 1; else hit = 2; }
    function lt(uint256 a, uint256 b) external { if (a < b) hit = 1; else hit = 2; }
    function le(uint256 a, uint256 b) external { if (a <= b) hit = 1; else hit = 2; }
    function gt(uint256 a, uint256 b) external { if (a > b) hit = 1; else hit = 2; }
    function ge(uint256 a, uint256 b) external { if (a >= b) hit = 1; else hit = 2; }
    function slt(int256 a, int256 b) external { if (a < b) hit = 1; else hit = 2; }
    function sle(int256 a, int256 b) external { if (a <= b) hit = 1; else hit = 2; }
    function sgt(int256 a, int256 b) external { if (a > b) hit = 1; else hit = 2; }
    function sge(int256 a, int256 b) external { if (a >= b) hit = 1; else hit = 2; }
    function eqConstant(uint256 a) external { if (a == 42) hit = 1; else hit = 2; }
    function neConstant(uint256 a) external { if (a != 123456789) hit = 1; else hit = 2; }
    function ltConstant(uint256 a) external { if (a < 42) hit = 1; else hit = 2; }
    function eqNegative(int256 a) external { if (a == -5) hit = 1; else hit = 2; }
    function isZero(uint256 a) external { if (a == 0) hit = 1; else hit = 2; }
    function sum(uint256 a, uint256 b) external { if (a + b == 100) hit = 1; else hit = 2; }

    function both(uint256 a, uint256 b) external { if (a == 7 && b < 9) hit = 1; else hit = 2; }
    function either(uint256 a, uint256 b) external { if (a == 7 || b < 9) hit = 1; else hit = 2; }
    function notBoth(uint256 a, uint256 b) external { if (!(a == 7 && b < 9)) hit = 1; else hit = 2; }
    function three(uint256 a, uint256 b, uint256 c) external {
        if (a > 1 && (b == 2 || c != 3)) hit = 1;
        else hit = 2;
    }

    function boolLocal(uint256 a, uint256 b) external {
        bool ok = a < b;
        hit = a;
        if (ok) hit = 1;
    }
    function boolBoth(uint256 a, uint256 b, uint256 c) external {
        bool ok = a < b && b < c;
        hit = a;
        if (ok) hit = 1;
    }
    function boolTrue(uint256 a, uint256 b) external {
        bool ok = a == b;
        hit = a;
        if (ok == true) hit = 1;
    }
    function boolFalse(uint256 a, uint256 b) external {
        bool ok = a == b;
        hit = a;
        if (ok == false) hit = 1;
    }
    function isSmall(uint256 a) internal pure returns (bool) { return a < 100; }
    function isIn(uint256 a, uint256 low, uint256 high) internal pure returns (bool) { return a >= low && a < high; }
    function boolFunction(uint256 a) external { if (isSmall(a)) hit = 1; else hit = 2; }
    function boolNotFunction(uint256 a) external { if (!isSmall(a)) hit = 1; else hit = 2; }
    function boolFunctions(uint256 a) external { if (isSmall(a) && isIn(a, 10, 20)) hit = 1; else hit = 2; }
    function boolStruct(uint256 a, uint256 b) external {
        Note memory note;
        note.ok = a == b;
        note.value = a;
        hit = note.value;
        if (note.ok) hit = 1;
    }
    function must(bool ok) internal pure { if (!ok) revert(); }
    function boolPassed(uint256 a, uint256 b) external { must(a < b); hit = 1; }
    function boolArgument(bool a) external { if (a) hit = 1; else hit = 2; }
    function boolStored() external { if (flag) hit = 1; else hit = 2; }
    function boolMapping(address a) external { if (member[a]) hit = 1; else hit = 2; }
    function allowed(uint256 a, uint256 b) public pure returns (bool) { return a < b; }
    function boolGetter(uint256 a, uint256 b) external { if (this.allowed(a, b)) hit = 1; else hit = 2; }

    function eqUint8(uint8 a, uint8 b) external { if (a == b) hit = 1; else hit = 2; }
    function neUint8(uint8 a) external { if (a != 200) hit = 1; else hit = 2; }
    function ltUint64(uint64 a, uint64 b) external { if (a < b) hit = 1; else hit = 2; }
    function neUint128(uint128 a, uint128 b) external { if (a != b) hit = 1; else hit = 2; }
    function sltInt8(int8 a, int8 b) external { if (a < b) hit = 1; else hit = 2; }
    function eqInt64(int64 a, int64 b) external { if (a == b) hit = 1; else hit = 2; }
    function eqAddress(address a, address b) external { if (a == b) hit = 1; else hit = 2; }
    function neAddress(address a) external { if (a != address(0)) hit = 1; else hit = 2; }
    function isOwner() external { require(msg.sender == owner); hit = 1; }
    function eqBytes32(bytes32 a, bytes32 b) external { if (a == b) hit = 1; else hit = 2; }
    function neBytes4(bytes4 a, bytes4 b) external { if (a != b) hit = 1; else hit = 2; }
    function eqEnum(Color a) external { if (a == Color.Blue) hit = 1; else hit = 2; }
    function eqString(string calldata a) external {
        if (keccak256(bytes(a)) == keccak256(bytes("open"))) hit = 1;
        else hit = 2;
    }
    function eqStored(uint256 a) external { if (a == stored) hit = 1; else hit = 2; }
    function ternary(uint256 a, uint256 b) external { hit = a < b ? 1 : 2; }
    function paid() external payable { require(msg.value == 5); hit = 1; }

    function requires(uint256 a) external { require(a > 10); hit = 1; }
    function requiresText(uint256 a) external { require(a == 10, "a must be ten, and this text is longer than a word"); hit = 1; }
    function requiresBoth(uint256 a, uint256 b) external { require(a < 10 && b != 3, "no"); hit = 1; }
    function reverts(uint256 a) external { if (a >= 10) revert("too large"); hit = 1; }
    function asserts(uint256 a) external { hit = 1; assert(a != 10); }
    modifier small(uint256 a) { require(a < 50); _; }
    function modified(uint256 a) external small(a) { hit = 1; }
    function loop(uint256 n) external {
        uint256 i = 0;
        while (i < n) { hit += i; i++; }
    }
    function forLoop(uint256[] calldata list, uint256 key) external {
        for (uint256 i = 0; i < list.length; i++) if (list[i] == key) hit = i;
    }
}
