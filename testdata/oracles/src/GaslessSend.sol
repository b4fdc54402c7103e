// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Purse {
    mapping(address => uint256) internal owned;

    function fill(address owner) external payable {
        owned[owner] += msg.value;
    }
}

contract GaslessSendBad is Purse {
    function empty(address payable owner) external {
        uint256 amount = owned[owner];
        owned[owner] = 0;
        owner.transfer(amount);
    }
}

contract GaslessSendGood is Purse {
    function empty(address payable owner) external {
        uint256 amount = owned[owner];
        owned[owner] = 0;
        (bool ok,) = owner.call{value: amount}("");
        require(ok);
    }
}
