// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Ratio {
    uint256 internal whole = 1;
    uint256 internal part = 1;

    function set(uint256 whole_, uint256 part_) external {
        require(whole_ > 0 && part_ < 1e30 && whole_ < 1e30);
        (whole, part) = (whole_, part_);
    }
}

contract AssertionBad is Ratio {
    function percent() external view returns (uint256 result) {
        result = 100 * part / whole;
        assert(result <= 100);
    }
}

contract AssertionGood is Ratio {
    function percent() external view returns (uint256 result) {
        result = part > whole ? 100 : 100 * part / whole;
        assert(result <= 100);
    }
}
