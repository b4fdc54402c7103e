// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IRegistry {
    function note(address who) external;
}

contract Registry is IRegistry {
    mapping(address => uint256) public times;

    function note(address who) external {
        times[who] += 1;
    }
}

contract FreezingEtherBad {
    IRegistry internal registry = new Registry();
    uint256 public given;

    function give() external payable {
        given += msg.value;
        registry.note(msg.sender);
    }
}

contract FreezingEtherGood {
    address payable internal immutable owner = payable(msg.sender);
    IRegistry internal registry = new Registry();
    uint256 public given;

    function give() external payable {
        given += msg.value;
        registry.note(msg.sender);
    }

    function collect() external {
        owner.transfer(address(this).balance);
    }
}
