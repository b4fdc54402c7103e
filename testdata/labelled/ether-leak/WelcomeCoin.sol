// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on the coins of 2018 that gave each new address a free bonus and also took coins back for ether at a fixed price.

/// @custom:vulnerable ether-leak sell(uint256)
/** Coins of the free welcome bonus can be sold for the ether that buyers have paid. */
contract WelcomeCoinBad {
    struct Holder {
        uint256 bought;
        uint256 bonus;
        bool welcomed;
    }

    uint256 public constant PRICE = 1 finney;
    uint256 public constant WELCOME = 100;
    uint256 public constant WELCOME_LIMIT = 1000000;
    address public constant FOUNDERS = 0x5BC103C2F827996F882231335228AfccACE4Dfe2;

    string public constant name = "Welcome Coin";
    uint8 public constant decimals = 0;

    address public shopkeeper;
    uint256 public totalSupply;
    uint256 public welcomeGiven;
    uint256 public earned;
    mapping(address => Holder) public holders;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Ordered(address indexed customer, bytes32 order, uint256 coins);

    constructor() public {
        shopkeeper = msg.sender;
        holders[FOUNDERS].bonus = 5000;
        totalSupply = 5000;
        emit Transfer(address(0), FOUNDERS, 5000);
    }

    function() public payable {
        buy();
    }

    function balanceOf(address who) public view returns (uint256) {
        return holders[who].bought + holders[who].bonus;
    }

    /** A gift for whoever is new here. */
    function welcome() public {
        Holder storage h = holders[msg.sender];
        require(!h.welcomed && welcomeGiven + WELCOME <= WELCOME_LIMIT);
        h.welcomed = true;
        h.bonus += WELCOME;
        welcomeGiven += WELCOME;
        totalSupply += WELCOME;
        emit Transfer(address(0), msg.sender, WELCOME);
    }

    function buy() public payable {
        require(msg.value > 0 && msg.value % PRICE == 0);
        uint256 coins = msg.value / PRICE;
        holders[msg.sender].bought += coins;
        totalSupply += coins;
        emit Transfer(address(0), msg.sender, coins);
    }

    function sell(uint256 coins) public {
        Holder storage h = holders[msg.sender];
        require(coins > 0 && coins <= balanceOf(msg.sender)); // <- bug
        take(h, coins);
        totalSupply -= coins;
        emit Transfer(msg.sender, address(0), coins);
        require(msg.sender.call.value(coins * PRICE)()); // <- bug
    }

    /** Coins stay what they are: bonus coins arrive as such. */
    function transfer(address to, uint256 coins) public returns (bool) {
        require(to != address(0) && coins <= balanceOf(msg.sender));
        uint256 bonus = take(holders[msg.sender], coins);
        holders[to].bonus += bonus;
        holders[to].bought += coins - bonus;
        emit Transfer(msg.sender, to, coins);
        return true;
    }

    /** Pays for an order in the shop. */
    function order(bytes32 what, uint256 coins) public {
        require(coins > 0 && coins <= balanceOf(msg.sender));
        uint256 bonus = take(holders[msg.sender], coins);
        totalSupply -= coins;
        earned += (coins - bonus) * PRICE;
        emit Ordered(msg.sender, what, coins);
    }

    function cashUp() public {
        require(msg.sender == shopkeeper);
        uint256 amount = earned;
        earned = 0;
        require(shopkeeper.call.value(amount)());
    }

    // bonus coins go first
    function take(Holder storage h, uint256 coins) private returns (uint256 bonus) {
        bonus = coins < h.bonus ? coins : h.bonus;
        h.bonus -= bonus;
        h.bought -= coins - bonus;
    }
}

/// @custom:safe
/** Only bought coins can be sold; those of the bonus are good for orders alone. */
contract WelcomeCoinGood {
    struct Holder {
        uint256 bought;
        uint256 bonus;
        bool welcomed;
    }

    uint256 public constant PRICE = 1 finney;
    uint256 public constant WELCOME = 100;
    uint256 public constant WELCOME_LIMIT = 1000000;
    address public constant FOUNDERS = 0x5BC103C2F827996F882231335228AfccACE4Dfe2;

    string public constant name = "Welcome Coin";
    uint8 public constant decimals = 0;

    address public shopkeeper;
    uint256 public totalSupply;
    uint256 public welcomeGiven;
    uint256 public earned;
    mapping(address => Holder) public holders;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Ordered(address indexed customer, bytes32 order, uint256 coins);

    constructor() public {
        shopkeeper = msg.sender;
        holders[FOUNDERS].bonus = 5000;
        totalSupply = 5000;
        emit Transfer(address(0), FOUNDERS, 5000);
    }

    function() public payable {
        buy();
    }

    function balanceOf(address who) public view returns (uint256) {
        return holders[who].bought + holders[who].bonus;
    }

    /** A gift for whoever is new here. */
    function welcome() public {
        Holder storage h = holders[msg.sender];
        require(!h.welcomed && welcomeGiven + WELCOME <= WELCOME_LIMIT);
        h.welcomed = true;
        h.bonus += WELCOME;
        welcomeGiven += WELCOME;
        totalSupply += WELCOME;
        emit Transfer(address(0), msg.sender, WELCOME);
    }

    function buy() public payable {
        require(msg.value > 0 && msg.value % PRICE == 0);
        uint256 coins = msg.value / PRICE;
        holders[msg.sender].bought += coins;
        totalSupply += coins;
        emit Transfer(address(0), msg.sender, coins);
    }

    function sell(uint256 coins) public {
        Holder storage h = holders[msg.sender];
        require(coins > 0 && coins <= h.bought);
        h.bought -= coins;
        totalSupply -= coins;
        emit Transfer(msg.sender, address(0), coins);
        require(msg.sender.call.value(coins * PRICE)());
    }

    /** Coins stay what they are: bonus coins arrive as such. */
    function transfer(address to, uint256 coins) public returns (bool) {
        require(to != address(0) && coins <= balanceOf(msg.sender));
        uint256 bonus = take(holders[msg.sender], coins);
        holders[to].bonus += bonus;
        holders[to].bought += coins - bonus;
        emit Transfer(msg.sender, to, coins);
        return true;
    }

    /** Pays for an order in the shop. */
    function order(bytes32 what, uint256 coins) public {
        require(coins > 0 && coins <= balanceOf(msg.sender));
        uint256 bonus = take(holders[msg.sender], coins);
        totalSupply -= coins;
        earned += (coins - bonus) * PRICE;
        emit Ordered(msg.sender, what, coins);
    }

    function cashUp() public {
        require(msg.sender == shopkeeper);
        uint256 amount = earned;
        earned = 0;
        require(shopkeeper.call.value(amount)());
    }

    // bonus coins go first
    function take(Holder storage h, uint256 coins) private returns (uint256 bonus) {
        bonus = coins < h.bonus ? coins : h.bonus;
        h.bonus -= bonus;
        h.bought -= coins - bonus;
    }
}
