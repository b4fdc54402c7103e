// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable arbitrary-write updateCode(uint256,uint256)
/**
 * popCode() on the empty array wraps its length, after which updateCode() reaches every storage slot (USCC
 * 2017).
 */
contract BonusCodesBad {
    address public owner;
    uint256[] private codes;

    event Pushed(uint256 code);
    event Updated(uint256 index, uint256 code);

    constructor() public {
        owner = msg.sender;
    }

    function count() external view returns (uint256) {
        return codes.length;
    }

    function pushCode(uint256 code) external {
        require(code != 0, "zero");
        codes.push(code);
        emit Pushed(code);
    }

    function popCode() external {
        require(0 <= codes.length, "no codes");
        codes.length--;
    }

    function updateCode(uint256 index, uint256 code) external {
        require(index < codes.length, "no such code");
        codes[index] = code;
        emit Updated(index, code);
    }
}

/// @custom:safe
/** popCode() needs a code to remove. */
contract BonusCodesGood {
    address public owner;
    uint256[] private codes;

    event Pushed(uint256 code);
    event Updated(uint256 index, uint256 code);

    constructor() public {
        owner = msg.sender;
    }

    function count() external view returns (uint256) {
        return codes.length;
    }

    function pushCode(uint256 code) external {
        require(code != 0, "zero");
        codes.push(code);
        emit Pushed(code);
    }

    function popCode() external {
        require(0 < codes.length, "no codes");
        codes.length--;
    }

    function updateCode(uint256 index, uint256 code) external {
        require(index < codes.length, "no such code");
        codes[index] = code;
        emit Updated(index, code);
    }
}
