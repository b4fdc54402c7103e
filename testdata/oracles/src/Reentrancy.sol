// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract ReentrancyBad {
    mapping(address => uint256) internal owned;

    function deposit() external payable {
        owned[msg.sender] += msg.value;
    }

    function withdraw() external {
        (bool ok,) = msg.sender.call{value: owned[msg.sender]}("");
        require(ok);
        owned[msg.sender] = 0;
    }
}

contract ReentrancyGood {
    mapping(address => uint256) internal owned;

    function deposit() external payable {
        owned[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = owned[msg.sender];
        owned[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
