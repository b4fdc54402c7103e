// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// While withdrawAll() pays, the balance still stands and transfer(), which the mutex leaves out, may move it to
/// an accomplice.
/// @custom:vulnerable reentrancy withdrawAll()
contract CrossBankBad {
    mapping(address => uint256) public balanceOf;
    bool private busy;

    modifier exclusive() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function deposit() external payable exclusive {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
    }

    function transfer(address to, uint256 amount) external {
        require(amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function withdrawAll() external exclusive {
        uint256 amount = balanceOf[msg.sender];
        require(amount > 0, "empty");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        balanceOf[msg.sender] = 0;
    }
}

/// The mutex guards transfer() too, so that the late write of the balance does no harm.
/// @custom:safe
contract CrossBankGood {
    mapping(address => uint256) public balanceOf;
    bool private busy;

    modifier exclusive() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function deposit() external payable exclusive {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
    }

    function transfer(address to, uint256 amount) external exclusive {
        require(amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function withdrawAll() external exclusive {
        uint256 amount = balanceOf[msg.sender];
        require(amount > 0, "empty");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        balanceOf[msg.sender] = 0;
    }
}
