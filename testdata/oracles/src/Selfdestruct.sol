// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract SelfdestructBad {
    address payable internal immutable owner = payable(msg.sender);
    uint256 internal votes;

    function vote() external {
        votes += 1;
    }

    function close() external {
        require(msg.sender == owner || votes > 5);
        selfdestruct(owner);
    }
}

contract SelfdestructGood {
    address payable internal immutable owner = payable(msg.sender);

    function close() external {
        require(msg.sender == owner);
        selfdestruct(owner);
    }
}
