// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor() {
        balanceOf[msg.sender] = 1e24;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function move(address from, address to, uint256 amount) internal {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }
}

contract TokenLeakBad is Token {
    function transferFrom(address from, address to, uint256 amount) external {
        if (allowance[from][msg.sender] > amount) allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }
}

contract TokenLeakGood is Token {
    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }
}
