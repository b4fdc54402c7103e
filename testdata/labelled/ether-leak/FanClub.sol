// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable ether-leak cashOut(uint256)
/**
 * The constructor kept its name when the contract was renamed (Rubixi), so anyone may call it and become the
 * president.
 */
contract FanClubBad {
    address public president;
    uint256 public members;
    mapping(address => uint256) public memberSince;

    event Joined(address indexed fan, uint256 number);
    event CashedOut(uint256 amount);

    function FanClub() public {
        president = msg.sender;
    }

    function join() public payable {
        require(msg.value == 50 finney && memberSince[msg.sender] == 0);
        members += 1;
        memberSince[msg.sender] = members;
        emit Joined(msg.sender, members);
    }

    function cashOut(uint256 amount) public {
        require(msg.sender == president);
        require(amount <= address(this).balance);
        require(msg.sender.call.value(amount)());
        emit CashedOut(amount);
    }
}

/// @custom:safe
/** It is a constructor. */
contract FanClubGood {
    address public president;
    uint256 public members;
    mapping(address => uint256) public memberSince;

    event Joined(address indexed fan, uint256 number);
    event CashedOut(uint256 amount);

    constructor() public {
        president = msg.sender;
    }

    function join() public payable {
        require(msg.value == 50 finney && memberSince[msg.sender] == 0);
        members += 1;
        memberSince[msg.sender] = members;
        emit Joined(msg.sender, members);
    }

    function cashOut(uint256 amount) public {
        require(msg.sender == president);
        require(amount <= address(this).balance);
        require(msg.sender.call.value(amount)());
        emit CashedOut(amount);
    }
}
