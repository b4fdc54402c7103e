// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract BonusToken {
    string public constant name = "Bonus Token";
    string public constant symbol = "BNS";
    uint8 public constant decimals = 18;

    address public immutable minter;
    uint256 public immutable cap;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 _cap) {
        minter = msg.sender;
        cap = _cap;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == minter, "minter only");
        require(value <= cap - totalSupply, "cap exceeded");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
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
        require(value <= allowance[from][msg.sender], "allowance");
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "no receiver");
        require(value <= balanceOf[from], "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @custom:vulnerable requirement-violation buy()
contract BonusSaleBad {
    uint256 public constant BONUS_PERCENT = 20;
    uint256 public constant MIN_PURCHASE = 0.001 ether;

    BonusToken public immutable token;
    address public immutable seller;
    uint256 public immutable rate;
    uint256 public immutable saleCap;
    uint256 public sold;
    bool public paused;

    event Bought(address indexed buyer, uint256 base, uint256 bonus);
    event Paused(bool state);

    constructor(uint256 _rate, uint256 wholeTokens) {
        require(_rate > 0 && _rate <= 1e6, "rate range");
        require(wholeTokens >= _rate && wholeTokens <= 1e12, "cap range");
        seller = msg.sender;
        rate = _rate;
        saleCap = wholeTokens * 1e18;
        token = new BonusToken(wholeTokens * 1e18);
    }

    function remaining() public view returns (uint256) {
        return saleCap - sold;
    }

    function setPaused(bool state) external {
        require(msg.sender == seller, "seller only");
        paused = state;
        emit Paused(state);
    }

    function buy() external payable {
        require(!paused, "paused");
        require(msg.value >= MIN_PURCHASE, "too little");
        uint256 base = msg.value * rate;
        require(base <= remaining(), "sold out");
        uint256 bonus = base * BONUS_PERCENT / 100;
        sold += base;
        token.mint(msg.sender, base + bonus);
        emit Bought(msg.sender, base, bonus);
    }

    function withdraw() external {
        require(msg.sender == seller, "seller only");
        (bool ok, ) = seller.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }
}

/// @custom:safe
contract BonusSaleGood {
    uint256 public constant BONUS_PERCENT = 20;
    uint256 public constant MIN_PURCHASE = 0.001 ether;

    BonusToken public immutable token;
    address public immutable seller;
    uint256 public immutable rate;
    uint256 public immutable saleCap;
    uint256 public sold;
    bool public paused;

    event Bought(address indexed buyer, uint256 base, uint256 bonus);
    event Paused(bool state);

    constructor(uint256 _rate, uint256 wholeTokens) {
        require(_rate > 0 && _rate <= 1e6, "rate range");
        require(wholeTokens >= _rate && wholeTokens <= 1e12, "cap range");
        seller = msg.sender;
        rate = _rate;
        saleCap = wholeTokens * 1e18;
        token = new BonusToken(wholeTokens * 1e18);
    }

    function remaining() public view returns (uint256) {
        return saleCap - sold;
    }

    function setPaused(bool state) external {
        require(msg.sender == seller, "seller only");
        paused = state;
        emit Paused(state);
    }

    function buy() external payable {
        require(!paused, "paused");
        require(msg.value >= MIN_PURCHASE, "too little");
        uint256 base = msg.value * rate;
        require(base <= remaining(), "sold out");
        uint256 bonus = base * BONUS_PERCENT / 100;
        uint256 spare = remaining() - base;
        if (bonus > spare) {
            bonus = spare;
        }
        sold += base + bonus;
        token.mint(msg.sender, base + bonus);
        emit Bought(msg.sender, base, bonus);
    }

    function withdraw() external {
        require(msg.sender == seller, "seller only");
        (bool ok, ) = seller.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }
}
