// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract OwnershipTakeoverBad {
    address internal owner = msg.sender;
    uint256 public fee;

    function appoint(address next) external {
        owner = next;
    }

    function setFee(uint256 next) external {
        require(msg.sender == owner);
        fee = next;
    }
}

contract OwnershipTakeoverGood {
    address internal owner = msg.sender;
    address public last;
    uint256 public fee;

    function appoint(address next) external {
        require(msg.sender == owner);
        owner = next;
    }

    function setFee(uint256 next) external {
        last = msg.sender;
        require(msg.sender == owner);
        fee = next;
    }
}
