// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable reentrancy redeemAll(address)
contract ReceiptVaultBad {
    string public constant name = "Vault Receipt";
    string public constant symbol = "vETH";
    uint8 public constant decimals = 18;

    uint256 private _totalSupply;
    mapping(address => uint256) private _balances;
    mapping(address => mapping(address => uint256)) public allowance;
    bool private _entered;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Deposit(address indexed caller, address indexed receiver, uint256 assets);
    event Redeem(address indexed owner, address indexed receiver, uint256 assets);

    error Reentered();

    modifier nonReentrant() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    modifier settled() {
        if (_entered) revert Reentered();
        _;
    }

    function totalSupply() external view settled returns (uint256) {
        return _totalSupply;
    }

    function balanceOf(address who) external view settled returns (uint256) {
        return _balances[who];
    }

    function deposit(address receiver) external payable nonReentrant {
        require(msg.value > 0, "nothing sent");
        require(receiver != address(0) && receiver != address(this), "bad receiver");
        _totalSupply += msg.value;
        _balances[receiver] += msg.value;
        emit Transfer(address(0), receiver, msg.value);
        emit Deposit(msg.sender, receiver, msg.value);
    }

    function redeem(uint256 shares, address receiver) external nonReentrant {
        require(shares > 0 && shares <= _balances[msg.sender], "balance");
        _totalSupply -= shares;
        _balances[msg.sender] -= shares;
        _pay(receiver, shares);
        emit Transfer(msg.sender, address(0), shares);
        emit Redeem(msg.sender, receiver, shares);
    }

    function redeemAll(address receiver) external nonReentrant {
        uint256 shares = _balances[msg.sender];
        require(shares > 0, "balance");
        _pay(receiver, shares);
        _totalSupply -= shares;
        _balances[msg.sender] = 0;
        emit Transfer(msg.sender, address(0), shares);
        emit Redeem(msg.sender, receiver, shares);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "allowance");
        if (allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - value;
        }
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "bad receiver");
        require(value <= _balances[from], "balance");
        _balances[from] -= value;
        _balances[to] += value;
        emit Transfer(from, to, value);
    }

    function _pay(address to, uint256 amount) private {
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract ReceiptVaultGood {
    string public constant name = "Vault Receipt";
    string public constant symbol = "vETH";
    uint8 public constant decimals = 18;

    uint256 private _totalSupply;
    mapping(address => uint256) private _balances;
    mapping(address => mapping(address => uint256)) public allowance;
    bool private _entered;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Deposit(address indexed caller, address indexed receiver, uint256 assets);
    event Redeem(address indexed owner, address indexed receiver, uint256 assets);

    error Reentered();

    modifier nonReentrant() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    modifier settled() {
        if (_entered) revert Reentered();
        _;
    }

    function totalSupply() external view settled returns (uint256) {
        return _totalSupply;
    }

    function balanceOf(address who) external view settled returns (uint256) {
        return _balances[who];
    }

    function deposit(address receiver) external payable nonReentrant {
        require(msg.value > 0, "nothing sent");
        require(receiver != address(0) && receiver != address(this), "bad receiver");
        _totalSupply += msg.value;
        _balances[receiver] += msg.value;
        emit Transfer(address(0), receiver, msg.value);
        emit Deposit(msg.sender, receiver, msg.value);
    }

    function redeem(uint256 shares, address receiver) external nonReentrant {
        require(shares > 0 && shares <= _balances[msg.sender], "balance");
        _totalSupply -= shares;
        _balances[msg.sender] -= shares;
        _pay(receiver, shares);
        emit Transfer(msg.sender, address(0), shares);
        emit Redeem(msg.sender, receiver, shares);
    }

    function redeemAll(address receiver) external nonReentrant {
        uint256 shares = _balances[msg.sender];
        require(shares > 0, "balance");
        _pay(receiver, shares);
        _totalSupply -= shares;
        _balances[msg.sender] = 0;
        emit Transfer(msg.sender, address(0), shares);
        emit Redeem(msg.sender, receiver, shares);
    }

    function transfer(address to, uint256 value) external nonReentrant returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external nonReentrant returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "allowance");
        if (allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - value;
        }
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "bad receiver");
        require(value <= _balances[from], "balance");
        _balances[from] -= value;
        _balances[to] += value;
        emit Transfer(from, to, value);
    }

    function _pay(address to, uint256 amount) private {
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
