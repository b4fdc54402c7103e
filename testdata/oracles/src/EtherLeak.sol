// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Till {
    address internal immutable owner = msg.sender;
    mapping(address => uint256) internal paid;

    function pay() external payable {
        paid[msg.sender] += msg.value;
    }
}

contract EtherLeakBad is Till {
    function close(uint256 amount) external {
        payable(msg.sender).transfer(amount);
    }
}

contract EtherLeakGood is Till {
    function close(uint256 amount) external {
        require(msg.sender == owner);
        payable(msg.sender).transfer(amount);
    }

    function back(uint256 amount) external {
        paid[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
