// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Debts {
    mapping(address => uint256) internal owed;

    function lend() external payable {
        owed[msg.sender] += msg.value;
    }
}

contract UncheckedCallBad is Debts {
    function repay() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        msg.sender.call{value: amount}("");
    }
}

contract UncheckedCallGood is Debts {
    event Repaid(bool ok);

    function repay() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        if (!ok) owed[msg.sender] = amount;
        emit Repaid(ok);
    }
}
