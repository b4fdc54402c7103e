// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable excess-withdrawal buy(uint256)
contract LotTokenBad {
    string public constant name = "Lot Token";
    string public constant symbol = "LOT";
    uint8 public constant decimals = 0;

    uint256 public constant LOT = 1000;
    uint256 public constant BUYBACK_PERCENT = 95;

    address public immutable issuer;
    uint256 public immutable lotPrice;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 _lotPrice) {
        require(_lotPrice >= 1e6 && _lotPrice <= 1000 ether, "price range");
        issuer = msg.sender;
        lotPrice = _lotPrice;
    }

    function costOf(uint256 amount) public view returns (uint256) {
        return amount / LOT * lotPrice;
    }

    function buybackValue(uint256 amount) public view returns (uint256) {
        return amount * lotPrice * BUYBACK_PERCENT / (LOT * 100);
    }

    function buy(uint256 amount) external payable {
        require(amount >= LOT, "a lot at least");
        require(msg.value == costOf(amount), "exact price only");
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function sellBack(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        _pay(msg.sender, buybackValue(amount));
    }

    function surplus() public view returns (uint256) {
        uint256 backing = buybackValue(totalSupply) + 1;
        uint256 held = address(this).balance;
        if (totalSupply == 0) return held;
        return held > backing ? held - backing : 0;
    }

    function takeSurplus() external {
        require(msg.sender == issuer, "issuer only");
        _pay(issuer, surplus());
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
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "bad receiver");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract LotTokenGood {
    string public constant name = "Lot Token";
    string public constant symbol = "LOT";
    uint8 public constant decimals = 0;

    uint256 public constant LOT = 1000;
    uint256 public constant BUYBACK_PERCENT = 95;

    address public immutable issuer;
    uint256 public immutable lotPrice;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 _lotPrice) {
        require(_lotPrice >= 1e6 && _lotPrice <= 1000 ether, "price range");
        issuer = msg.sender;
        lotPrice = _lotPrice;
    }

    function costOf(uint256 amount) public view returns (uint256) {
        return (amount * lotPrice + LOT - 1) / LOT;
    }

    function buybackValue(uint256 amount) public view returns (uint256) {
        return amount * lotPrice * BUYBACK_PERCENT / (LOT * 100);
    }

    function buy(uint256 amount) external payable {
        require(amount >= LOT, "a lot at least");
        require(msg.value == costOf(amount), "exact price only");
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function sellBack(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        _pay(msg.sender, buybackValue(amount));
    }

    function surplus() public view returns (uint256) {
        uint256 backing = buybackValue(totalSupply) + 1;
        uint256 held = address(this).balance;
        if (totalSupply == 0) return held;
        return held > backing ? held - backing : 0;
    }

    function takeSurplus() external {
        require(msg.sender == issuer, "issuer only");
        _pay(issuer, surplus());
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
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "bad receiver");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
