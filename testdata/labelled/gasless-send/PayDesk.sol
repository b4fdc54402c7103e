// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// transfer leaves 2300 gas, with which a depositor whose contract books its income cannot take its money.
/// @custom:vulnerable gasless-send withdraw(uint256)
contract PayDeskBad {
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    function deposit() external payable {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
        emit Withdrawn(msg.sender, amount);
    }
}

/// The payment passes on all gas, after the effects.
/// @custom:safe
contract PayDeskGood {
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    function deposit() external payable {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }
}
