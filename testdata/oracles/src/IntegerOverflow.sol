// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Counter {
    mapping(address => uint256) internal points;
    uint256 internal digest;

    function earn(uint256 amount) external {
        require(amount <= 100);
        points[msg.sender] += amount;
        unchecked {
            digest = digest * 0x100000001b3 + amount;
        }
    }
}

contract IntegerOverflowBad is Counter {
    bool public hasWon;

    function spend(uint256 amount) external {
        unchecked {
            points[msg.sender] -= amount;
        }
    }
}

contract IntegerOverflowGood is Counter {
    uint32 public elapsed;
    uint32 internal last;

    function spend(uint256 amount) external {
        points[msg.sender] -= amount;
        unchecked {
            uint32 time = uint32(block.timestamp);
            elapsed = time - last;
            last = time;
        }
    }
}
