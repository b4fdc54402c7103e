// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

interface ICoinHooks {
    function coinsToSend(address to, uint256 amount) external;
    function coinsReceived(address from, uint256 amount) external;
}

/// @custom:safe
/** A coin worth one wei each, with hooks as in ERC-777 for those who registered. */
contract HookCoinGood {
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public hooked;
    mapping(address => uint256) public lastReceived;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Hooked(address indexed who, bool on);

    /// Only a contract can ask to be called, and only for itself.
    function setHooked(bool on) external {
        uint256 size;
        address asker = msg.sender;
        assembly { size := extcodesize(asker) }
        require(size > 0 || !on, "only contracts");
        hooked[msg.sender] = on;
        emit Hooked(msg.sender, on);
    }

    function buy() external payable {
        require(msg.value > 0, "nothing");
        balanceOf[msg.sender] += msg.value;
        totalSupply += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function send(address to, uint256 amount) external {
        require(to != address(0) && to != address(this), "to");
        if (hooked[msg.sender]) {
            ICoinHooks(msg.sender).coinsToSend(to, amount);
        }
        // Looked up only after the sender's hook, which may have spent coins.
        uint256 mine = balanceOf[msg.sender];
        require(amount <= mine, "too few coins");
        balanceOf[msg.sender] = mine - amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        if (hooked[to]) {
            ICoinHooks(to).coinsReceived(msg.sender, amount);
        }
        lastReceived[to] = amount;
    }

    function sell(uint256 amount, address payable to) external {
        require(to != address(0), "to");
        if (hooked[msg.sender]) {
            ICoinHooks(msg.sender).coinsToSend(address(0), amount);
        }
        require(amount > 0 && amount <= balanceOf[msg.sender], "too few coins");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
