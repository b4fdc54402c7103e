// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Purse {
    mapping(address => uint256) internal owned;

    function fill() external payable {
        owned[msg.sender] += msg.value;
    }
}

contract GaslessSendBad is Purse {
    function empty() external {
        uint256 amount = owned[msg.sender];
        owned[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

contract GaslessSendGood is Purse {
    function empty() external {
        uint256 amount = owned[msg.sender];
        owned[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
