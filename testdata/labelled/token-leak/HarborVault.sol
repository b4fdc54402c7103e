// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract HarborToken {
    string public constant name = "Harbor";
    string public constant symbol = "HRB";
    uint8 public constant decimals = 18;

    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    constructor(address holder, uint256 supply) {
        totalSupply = supply;
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "allowance too low");
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal {
        require(to != address(0), "no receiver");
        require(balanceOf[from] >= value, "balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @custom:vulnerable token-leak depositFrom(address,uint256)
contract HarborVaultBad {
    HarborToken public immutable token;
    address public immutable owner;
    uint256 public totalDeposits;
    mapping(address => uint256) public deposits;

    event Deposited(address indexed payer, address indexed account, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    constructor() {
        owner = msg.sender;
        token = new HarborToken(msg.sender, 1_000_000 ether);
    }

    function deposit(uint256 amount) external {
        _deposit(msg.sender, msg.sender, amount);
    }

    /// a gift: whoever is named may withdraw it
    function depositFor(address account, uint256 amount) external {
        require(account != address(0), "no account");
        _deposit(msg.sender, account, amount);
    }

    /// for savings plans: pulls the tokens that the saver has approved
    function depositFrom(address saver, uint256 amount) external {
        _deposit(saver, msg.sender, amount);
    }

    function withdraw(address to, uint256 amount) external {
        require(deposits[msg.sender] >= amount, "not that much");
        deposits[msg.sender] -= amount;
        totalDeposits -= amount;
        emit Withdrawn(msg.sender, to, amount);
        require(token.transfer(to, amount), "transfer failed");
    }

    /// tokens that were sent here by mistake
    function sweep(address to) external {
        require(msg.sender == owner, "not the owner");
        uint256 surplus = token.balanceOf(address(this)) - totalDeposits;
        require(token.transfer(to, surplus), "transfer failed");
    }

    function _deposit(address payer, address account, uint256 amount) internal {
        require(amount > 0, "nothing to deposit");
        deposits[account] += amount;
        totalDeposits += amount;
        emit Deposited(payer, account, amount);
        require(token.transferFrom(payer, address(this), amount), "transfer failed");
    }
}

/// @custom:safe
contract HarborVaultGood {
    HarborToken public immutable token;
    address public immutable owner;
    uint256 public totalDeposits;
    mapping(address => uint256) public deposits;
    mapping(address => mapping(address => bool)) public isOperator;

    event Deposited(address indexed payer, address indexed account, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    constructor() {
        owner = msg.sender;
        token = new HarborToken(msg.sender, 1_000_000 ether);
    }

    function deposit(uint256 amount) external {
        _deposit(msg.sender, msg.sender, amount);
    }

    /// a gift: whoever is named may withdraw it
    function depositFor(address account, uint256 amount) external {
        require(account != address(0), "no account");
        _deposit(msg.sender, account, amount);
    }

    function setOperator(address operator, bool approved) external {
        isOperator[msg.sender][operator] = approved;
    }

    /// for savings plans: pulls the tokens that the saver has approved
    function depositFrom(address saver, uint256 amount) external {
        require(isOperator[saver][msg.sender], "not an operator");
        _deposit(saver, saver, amount);
    }

    function withdraw(address to, uint256 amount) external {
        require(deposits[msg.sender] >= amount, "not that much");
        deposits[msg.sender] -= amount;
        totalDeposits -= amount;
        emit Withdrawn(msg.sender, to, amount);
        require(token.transfer(to, amount), "transfer failed");
    }

    /// tokens that were sent here by mistake
    function sweep(address to) external {
        require(msg.sender == owner, "not the owner");
        uint256 surplus = token.balanceOf(address(this)) - totalDeposits;
        require(token.transfer(to, surplus), "transfer failed");
    }

    function _deposit(address payer, address account, uint256 amount) internal {
        require(amount > 0, "nothing to deposit");
        deposits[account] += amount;
        totalDeposits += amount;
        emit Deposited(payer, account, amount);
        require(token.transferFrom(payer, address(this), amount), "transfer failed");
    }
}
