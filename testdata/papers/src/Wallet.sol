// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

/// Figure 3 of the Harvey paper, after an entry of the Underhanded Solidity Coding Contest 2017. The guard of `PopCode`
/// says nothing: from an empty array the length wraps, and `SetCodeAt` then writes wherever it is told to.
contract Wallet {
    address private owner;
    uint[] private bonusCodes;

    constructor() public {
        owner = msg.sender;
    }

    function() external payable {}

    function PushCode(uint c) public {
        bonusCodes.push(c);
    }

    function PopCode() public {
        require(0 <= bonusCodes.length);
        bonusCodes.length--;
    }

    function SetCodeAt(uint idx, uint c) public {
        require(idx < bonusCodes.length);
        bonusCodes[idx] = c;
    }

    function Destroy() public {
        require(msg.sender == owner);
        selfdestruct(msg.sender);
    }
}
