// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Deposits {
    mapping(address => uint256) internal paid;

    function deposit() external payable {
        paid[msg.sender] += msg.value;
    }
}

contract ExcessWithdrawalBad is Deposits {
    function refund() external {
        payable(msg.sender).transfer(paid[msg.sender]);
    }
}

contract ExcessWithdrawalGood is Deposits {
    function refund() external {
        uint256 amount = paid[msg.sender];
        paid[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
