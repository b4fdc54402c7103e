// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract ArbitraryWriteBad {
    uint256 internal length = 16;

    function put(uint256 index, uint256 value) external {
        assembly {
            sstore(add(index, 1), value)
        }
    }
}

contract ArbitraryWriteGood {
    uint256 internal length = 16;

    function put(uint256 index, uint256 value) external {
        require(index < length);
        assembly {
            sstore(add(index, 1), value)
        }
    }
}
