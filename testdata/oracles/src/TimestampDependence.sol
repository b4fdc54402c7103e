// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract TimestampDependenceBad {
    function play() external payable {
        require(msg.value == 1 ether);
        if (block.timestamp % 7 == 0) payable(msg.sender).transfer(address(this).balance);
    }
}

contract TimestampDependenceGood {
    uint256 public last;
    mapping(address => uint256) internal owned;

    function play() external payable {
        require(msg.value == 1 ether);
        last = block.timestamp;
        owned[msg.sender] += msg.value;
    }

    function leave() external {
        uint256 amount = owned[msg.sender];
        owned[msg.sender] = 0;
        last = block.timestamp;
        payable(msg.sender).transfer(amount);
    }
}
