// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

// Modelled on SWC-115 as it was exploited in July 2021 against a token whose transferTo moved the coins of tx.origin.

/// @custom:vulnerable tx-origin transferTo(address,uint256)
/** Whatever contract a holder happens to call can move the holder's coins. */
contract WrappedPurseBad {
    string public constant name = "Wrapped Purse";
    string public constant symbol = "WPU";
    uint8 public constant decimals = 18;

    address public keeper;
    bool public wrapping = true;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Memo(address indexed from, address indexed to, bytes32 text);

    constructor() public {
        keeper = msg.sender;
    }

    function() external payable {
        wrap();
    }

    function wrap() public payable {
        require(wrapping && msg.value > 0, "not wrapping");
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function unwrap(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "not covered");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "rejected");
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    /// A short cut for plain accounts.
    function transferTo(address to, uint256 amount) external returns (bool) {
        move(tx.origin, to, amount); // <- bug
        return true;
    }

    function transferWithMemo(address to, uint256 amount, bytes32 text) external returns (bool) {
        move(msg.sender, to, amount);
        emit Memo(msg.sender, to, text);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "not allowed");
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    /// The keeper can stop new deposits; those made stay withdrawable.
    function setWrapping(bool yes) external {
        require(msg.sender == keeper, "keeper only");
        wrapping = yes;
    }

    function move(address from, address to, uint256 amount) private {
        require(to != address(0) && balanceOf[from] >= amount, "not covered");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @custom:safe
/** The coins of the caller are moved; tx.origin serves only to turn contracts away. */
contract WrappedPurseGood {
    string public constant name = "Wrapped Purse";
    string public constant symbol = "WPU";
    uint8 public constant decimals = 18;

    address public keeper;
    bool public wrapping = true;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Memo(address indexed from, address indexed to, bytes32 text);

    constructor() public {
        keeper = msg.sender;
    }

    function() external payable {
        wrap();
    }

    function wrap() public payable {
        require(wrapping && msg.value > 0, "not wrapping");
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function unwrap(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "not covered");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "rejected");
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    /// A short cut for plain accounts.
    function transferTo(address to, uint256 amount) external returns (bool) {
        require(msg.sender == tx.origin, "plain accounts only");
        move(msg.sender, to, amount);
        return true;
    }

    function transferWithMemo(address to, uint256 amount, bytes32 text) external returns (bool) {
        move(msg.sender, to, amount);
        emit Memo(msg.sender, to, text);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "not allowed");
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    /// The keeper can stop new deposits; those made stay withdrawable.
    function setWrapping(bool yes) external {
        require(msg.sender == keeper, "keeper only");
        wrapping = yes;
    }

    function move(address from, address to, uint256 amount) private {
        require(to != address(0) && balanceOf[from] >= amount, "not covered");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
