// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Anyone can mint up to the cap.
/// @custom:vulnerable token-leak mint(address,uint256)
contract SeasonTokenBad {
    address private immutable deployer = msg.sender;

    string public name;
    address public minter;
    uint256 public cap;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotAllowed();

    function initialize(string calldata name_, address minter_, uint256 cap_) external {
        if (msg.sender != deployer || minter != address(0)) revert NotAllowed();
        require(minter_ != address(0) && cap_ > 0, "arguments");
        name = name_;
        minter = minter_;
        cap = cap_;
    }

    function mint(address to, uint256 value) external {
        require(to != address(0) && value <= cap - totalSupply, "cap");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (value > allowance[from][msg.sender]) revert NotAllowed();
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(to != address(0) && value <= balanceOf[from], "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// Only the minter that initialize() has set can mint.
/// @custom:safe
contract SeasonTokenGood {
    address private immutable deployer = msg.sender;

    string public name;
    address public minter;
    uint256 public cap;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotAllowed();

    function initialize(string calldata name_, address minter_, uint256 cap_) external {
        if (msg.sender != deployer || minter != address(0)) revert NotAllowed();
        require(minter_ != address(0) && cap_ > 0, "arguments");
        name = name_;
        minter = minter_;
        cap = cap_;
    }

    function mint(address to, uint256 value) external {
        if (msg.sender != minter) revert NotAllowed();
        require(to != address(0) && value <= cap - totalSupply, "cap");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (value > allowance[from][msg.sender]) revert NotAllowed();
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(to != address(0) && value <= balanceOf[from], "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
