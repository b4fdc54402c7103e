// Modelled on the lending token incident of September 2020: both balances are read before either is written, so that a
// transfer to oneself adds the value to the balance.
// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

library EchoMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "sum too large");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "not so much there");
        return a - b;
    }
}

/// @custom:vulnerable token-leak transfer(address,uint256)
/** A transfer to oneself makes tokens from nothing, as the recipient's old balance was read before the sender's was reduced. */
contract EchoTokenBad {
    using EchoMath for uint256;

    string public constant name = "Echo";
    string public constant symbol = "ECHO";
    uint8 public constant decimals = 18;

    uint256 public constant RATE = 100;
    uint256 public constant EARLY_BUYERS = 50;
    uint256 public constant MAX_SUPPLY = 10 ** 27;

    address payable public seller;
    uint256 public totalSupply;
    uint256 public buyers;
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public spent;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        seller = msg.sender;
    }

    // the sale is by plain transfer, too
    function() external payable {
        buy();
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    /// The first fifty buyers get a tenth more with their first purchase.
    function buy() public payable {
        require(msg.value > 0 && msg.value <= MAX_SUPPLY, "bad value");
        uint256 tokens = msg.value * RATE;
        if (spent[msg.sender] == 0) {
            buyers++;
            if (buyers <= EARLY_BUYERS) {
                tokens += tokens / 10;
            }
        }
        require(totalSupply.add(tokens) <= MAX_SUPPLY, "sold out");
        spent[msg.sender] += msg.value;
        totalSupply = totalSupply.add(tokens);
        balances[msg.sender] = balances[msg.sender].add(tokens);
        emit Transfer(address(0), msg.sender, tokens);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        _move(from, to, value);
        return true;
    }

    function collect(uint256 amount) external {
        require(msg.sender == seller, "seller only");
        require(address(this).balance >= amount, "not so much there");
        seller.transfer(amount);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "nobody");
        uint256 left = balances[from].sub(value);
        uint256 grown = balances[to].add(value);
        balances[from] = left;
        balances[to] = grown; // <- bug
        emit Transfer(from, to, value);
    }
}

/// @custom:safe
/** The recipient's balance is read after the sender's has been written. */
contract EchoTokenGood {
    using EchoMath for uint256;

    string public constant name = "Echo";
    string public constant symbol = "ECHO";
    uint8 public constant decimals = 18;

    uint256 public constant RATE = 100;
    uint256 public constant EARLY_BUYERS = 50;
    uint256 public constant MAX_SUPPLY = 10 ** 27;

    address payable public seller;
    uint256 public totalSupply;
    uint256 public buyers;
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public spent;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        seller = msg.sender;
    }

    // the sale is by plain transfer, too
    function() external payable {
        buy();
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    /// The first fifty buyers get a tenth more with their first purchase.
    function buy() public payable {
        require(msg.value > 0 && msg.value <= MAX_SUPPLY, "bad value");
        uint256 tokens = msg.value * RATE;
        if (spent[msg.sender] == 0) {
            buyers++;
            if (buyers <= EARLY_BUYERS) {
                tokens += tokens / 10;
            }
        }
        require(totalSupply.add(tokens) <= MAX_SUPPLY, "sold out");
        spent[msg.sender] += msg.value;
        totalSupply = totalSupply.add(tokens);
        balances[msg.sender] = balances[msg.sender].add(tokens);
        emit Transfer(address(0), msg.sender, tokens);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        _move(from, to, value);
        return true;
    }

    function collect(uint256 amount) external {
        require(msg.sender == seller, "seller only");
        require(address(this).balance >= amount, "not so much there");
        seller.transfer(amount);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "nobody");
        uint256 left = balances[from].sub(value);
        balances[from] = left;
        uint256 grown = balances[to].add(value);
        balances[to] = grown;
        emit Transfer(from, to, value);
    }
}
