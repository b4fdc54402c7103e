// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on CVE-2018-11239: a token that burns a little of each transfer adds the fee to the amount before it compares
// the sum with the balance.

contract CoinTerms {
    address public issuer;
    string public symbol;
    uint8 public constant decimals = 4;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Burn(address indexed from, uint256 value);

    constructor(string symbol_) internal {
        issuer = msg.sender;
        symbol = symbol_;
    }
}

/// @custom:vulnerable integer-overflow transfer(address,uint256)
/** The sum of amount and fee wraps, so that an amount near 2**256 passes the check and is credited to the recipient. */
contract BurnCoinBad is CoinTerms {
    uint256 public totalSupply;
    uint256 public burnPerTransfer = 2;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public frozen;

    constructor(uint256 supply, string symbol_) public CoinTerms(symbol_) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    modifier onlyIssuer() {
        require(msg.sender == issuer);
        _;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(value <= allowance[from][msg.sender]);
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function burn(uint256 value) public {
        require(balanceOf[msg.sender] >= value);
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Burn(msg.sender, value);
    }

    // for coins that were reported as stolen
    function freeze(address account, bool yes) public onlyIssuer {
        frozen[account] = yes;
    }

    function setBurn(uint256 units) public onlyIssuer {
        require(units <= 100);
        burnPerTransfer = units;
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0) && !frozen[from]);
        require(balanceOf[from] >= value + burnPerTransfer); // <- bug
        require(balanceOf[to] + value >= balanceOf[to]);
        balanceOf[from] -= value + burnPerTransfer;
        balanceOf[to] += value;
        totalSupply -= burnPerTransfer;
        emit Transfer(from, to, value);
        emit Burn(from, burnPerTransfer);
    }
}

/// @custom:safe
/** The fee is taken off the balance, which covers it, and what is left is compared with the amount. */
contract BurnCoinGood is CoinTerms {
    uint256 public totalSupply;
    uint256 public burnPerTransfer = 2;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public frozen;

    constructor(uint256 supply, string symbol_) public CoinTerms(symbol_) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    modifier onlyIssuer() {
        require(msg.sender == issuer);
        _;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(value <= allowance[from][msg.sender]);
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function burn(uint256 value) public {
        require(balanceOf[msg.sender] >= value);
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Burn(msg.sender, value);
    }

    // for coins that were reported as stolen
    function freeze(address account, bool yes) public onlyIssuer {
        frozen[account] = yes;
    }

    function setBurn(uint256 units) public onlyIssuer {
        require(units <= 100);
        burnPerTransfer = units;
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0) && !frozen[from]);
        require(balanceOf[from] >= burnPerTransfer && balanceOf[from] - burnPerTransfer >= value);
        require(balanceOf[to] + value >= balanceOf[to]);
        balanceOf[from] -= value + burnPerTransfer;
        balanceOf[to] += value;
        totalSupply -= burnPerTransfer;
        emit Transfer(from, to, value);
        emit Burn(from, burnPerTransfer);
    }
}
