// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

// Modelled on the duplication of lending tokens in September 2020: a transfer reads both balances before it writes them, and
// so a transfer to oneself keeps only the larger one.

abstract contract ShareOffer {
    address payable public treasury;
    uint256 public immutable cap;
    uint256 public constant RATE = 1000;
    uint256 public constant EARLY_BONUS = 10; // per cent, for the first tenth of the cap
    bool public ended;

    event Ended();

    constructor(uint256 cap_) {
        require(cap_ >= 1 ether, "cap too small");
        treasury = msg.sender;
        cap = cap_;
    }

    modifier onlyTreasury() {
        require(msg.sender == treasury, "treasury only");
        _;
    }

    function end() external onlyTreasury {
        ended = true;
        emit Ended();
    }

    function sharesFor(uint256 amount, uint256 supply) internal view returns (uint256 shares) {
        shares = amount * RATE;
        if (supply < cap / 10) shares += (shares * EARLY_BONUS) / 100;
    }
}

/// @custom:vulnerable token-leak transfer(address,uint256)
/** Who transfers shares to himself has them twice. */
contract LenderShareBad is ShareOffer {
    string public name;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, uint256 cap_) ShareOffer(cap_) {
        name = name_;
    }

    receive() external payable {
        buy();
    }

    /// Shares are sold until the cap is reached; the money goes on to the treasury.
    function buy() public payable {
        require(!ended && msg.value > 0 && msg.value < 1e30, "no sale");
        uint256 shares = sharesFor(msg.value, totalSupply);
        require(shares <= cap - totalSupply, "cap reached");
        totalSupply += shares;
        balances[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
        (bool ok, ) = treasury.call{value: msg.value}("");
        require(ok, "treasury refused");
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "not allowed");
        allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function burn(uint256 value) external {
        require(value <= balances[msg.sender], "not covered");
        balances[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "to nobody");
        uint256 left = balances[from];
        require(value <= left, "not covered");
        uint256 right = balances[to];
        balances[from] = left - value;
        balances[to] = right + value; // <- bug
        emit Transfer(from, to, value);
    }
}

/// @custom:safe
/** The recipient's balance is read after the sender's has been written, so that a transfer to oneself changes nothing. */
contract LenderShareGood is ShareOffer {
    string public name;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, uint256 cap_) ShareOffer(cap_) {
        name = name_;
    }

    receive() external payable {
        buy();
    }

    /// Shares are sold until the cap is reached; the money goes on to the treasury.
    function buy() public payable {
        require(!ended && msg.value > 0 && msg.value < 1e30, "no sale");
        uint256 shares = sharesFor(msg.value, totalSupply);
        require(shares <= cap - totalSupply, "cap reached");
        totalSupply += shares;
        balances[msg.sender] += shares;
        emit Transfer(address(0), msg.sender, shares);
        (bool ok, ) = treasury.call{value: msg.value}("");
        require(ok, "treasury refused");
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "not allowed");
        allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function burn(uint256 value) external {
        require(value <= balances[msg.sender], "not covered");
        balances[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "to nobody");
        uint256 left = balances[from];
        require(value <= left, "not covered");
        balances[from] = left - value;
        uint256 right = balances[to];
        balances[to] = right + value;
        emit Transfer(from, to, value);
    }
}
