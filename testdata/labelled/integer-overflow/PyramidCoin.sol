// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

// Modelled on the "weak hands" coin of January 2018: coins that a spender sends to the contract are sold, and the sale takes
// them off the wrong one's balance, which wraps.

/// @custom:vulnerable integer-overflow transferFrom(address,address,uint256)
/** A sale through an allowance is taken off the spender's balance, which was not checked and wraps to a fortune. */
contract PyramidCoinBad {
    uint256 public constant UNIT_COST = 1 finney;
    uint256 public constant UNIT_VALUE = 950 szabo;

    string public constant name = "Pyramid Coin";
    uint8 public constant decimals = 0;

    address payable public founder;
    uint256 public totalSupply;
    uint256 public fees;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public proceeds;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Withdrawn(address indexed who, uint256 amount);

    constructor() public {
        founder = msg.sender;
    }

    function() external payable {
        buy();
    }

    /// One coin for each finney, of which a twentieth is the founder's.
    function buy() public payable returns (uint256 coins) {
        require(msg.value > 0 && msg.value % UNIT_COST == 0, "whole coins only");
        coins = msg.value / UNIT_COST;
        fees += coins * (UNIT_COST - UNIT_VALUE);
        totalSupply += coins;
        balanceOf[msg.sender] += coins;
        emit Transfer(address(0), msg.sender, coins);
    }

    function sell(uint256 coins) public {
        require(coins > 0 && coins <= balanceOf[msg.sender], "not covered");
        cash(coins);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowance[from][msg.sender], "not allowed");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function withdraw() external {
        uint256 amount = proceeds[msg.sender];
        require(amount > 0, "nothing sold");
        proceeds[msg.sender] = 0;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }

    function takeFees() external {
        require(msg.sender == founder, "founder only");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = founder.call.value(amount)("");
        require(ok, "rejected");
    }

    /// Coins that are sent to the contract are sold.
    function move(address from, address to, uint256 value) private {
        require(to != address(0) && value <= balanceOf[from], "not covered");
        if (to == address(this)) {
            cash(value);
        } else {
            balanceOf[from] -= value;
            balanceOf[to] += value;
            emit Transfer(from, to, value);
        }
    }

    function cash(uint256 coins) private {
        balanceOf[msg.sender] -= coins; // <- bug
        totalSupply -= coins;
        proceeds[msg.sender] += coins * UNIT_VALUE;
        emit Transfer(msg.sender, address(0), coins);
    }
}

/// @custom:safe
/** A sale through an allowance is taken off the balance that was checked, and its proceeds belong to the same account. */
contract PyramidCoinGood {
    uint256 public constant UNIT_COST = 1 finney;
    uint256 public constant UNIT_VALUE = 950 szabo;

    string public constant name = "Pyramid Coin";
    uint8 public constant decimals = 0;

    address payable public founder;
    uint256 public totalSupply;
    uint256 public fees;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public proceeds;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Withdrawn(address indexed who, uint256 amount);

    constructor() public {
        founder = msg.sender;
    }

    function() external payable {
        buy();
    }

    /// One coin for each finney, of which a twentieth is the founder's.
    function buy() public payable returns (uint256 coins) {
        require(msg.value > 0 && msg.value % UNIT_COST == 0, "whole coins only");
        coins = msg.value / UNIT_COST;
        fees += coins * (UNIT_COST - UNIT_VALUE);
        totalSupply += coins;
        balanceOf[msg.sender] += coins;
        emit Transfer(address(0), msg.sender, coins);
    }

    function sell(uint256 coins) public {
        require(coins > 0 && coins <= balanceOf[msg.sender], "not covered");
        cash(msg.sender, coins);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowance[from][msg.sender], "not allowed");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function withdraw() external {
        uint256 amount = proceeds[msg.sender];
        require(amount > 0, "nothing sold");
        proceeds[msg.sender] = 0;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }

    function takeFees() external {
        require(msg.sender == founder, "founder only");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = founder.call.value(amount)("");
        require(ok, "rejected");
    }

    /// Coins that are sent to the contract are sold.
    function move(address from, address to, uint256 value) private {
        require(to != address(0) && value <= balanceOf[from], "not covered");
        if (to == address(this)) {
            cash(from, value);
        } else {
            balanceOf[from] -= value;
            balanceOf[to] += value;
            emit Transfer(from, to, value);
        }
    }

    function cash(address from, uint256 coins) private {
        balanceOf[from] -= coins;
        totalSupply -= coins;
        proceeds[from] += coins * UNIT_VALUE;
        emit Transfer(from, address(0), coins);
    }
}
