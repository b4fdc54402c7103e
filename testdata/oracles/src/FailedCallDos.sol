// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract FailedCallDosBad {
    address payable internal leader;
    uint256 internal highest;

    function bid() external payable {
        require(msg.value > highest);
        (bool ok,) = leader.call{value: highest}("");
        require(ok);
        (leader, highest) = (payable(msg.sender), msg.value);
    }
}

contract FailedCallDosGood {
    address payable internal leader;
    uint256 internal highest;
    mapping(address => uint256) internal owed;

    function bid() external payable {
        require(msg.value > highest);
        owed[leader] += highest;
        (leader, highest) = (payable(msg.sender), msg.value);
    }

    function withdraw() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
