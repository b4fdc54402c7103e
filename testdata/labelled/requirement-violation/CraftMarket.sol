// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract FeeVault {
    uint256 public constant MIN_DEPOSIT = 0.0001 ether;

    address public immutable owner;
    uint256 public received;

    event FeeReceived(address indexed from, uint256 amount);

    constructor(address vaultOwner) {
        owner = vaultOwner;
    }

    function deposit() external payable {
        require(msg.value >= MIN_DEPOSIT, "deposit too small");
        received += msg.value;
        emit FeeReceived(msg.sender, msg.value);
    }

    function withdraw(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }
}

/// @custom:vulnerable requirement-violation buy(uint256)
contract CraftMarketBad {
    struct Item {
        address holder;
        uint256 price;
    }

    uint256 public constant FEE_BPS = 250;

    address public immutable owner;
    FeeVault public immutable vault;
    uint256 public itemCount;
    mapping(uint256 => Item) public items;
    mapping(address => uint256) public proceeds;

    event Created(uint256 indexed id, address indexed maker);
    event Listed(uint256 indexed id, uint256 price);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);

    constructor() {
        owner = msg.sender;
        vault = new FeeVault(msg.sender);
    }

    function create() external returns (uint256 id) {
        id = itemCount++;
        items[id].holder = msg.sender;
        emit Created(id, msg.sender);
    }

    /// a price of zero takes the item off the market
    function setPrice(uint256 id, uint256 price) external {
        require(items[id].holder == msg.sender, "not yours");
        items[id].price = price;
        emit Listed(id, price);
    }

    function buy(uint256 id) external payable {
        Item storage item = items[id];
        uint256 price = item.price;
        require(price > 0, "not for sale");
        require(msg.value == price, "wrong price");

        address seller = item.holder;
        item.holder = msg.sender;
        item.price = 0;
        uint256 fee = price * FEE_BPS / 10_000;
        proceeds[seller] += price - fee;
        emit Sold(id, msg.sender, price);
        vault.deposit{value: fee}();
    }

    function withdrawProceeds(address payable to) external {
        require(to != address(0), "no receiver");
        uint256 amount = proceeds[msg.sender];
        require(amount > 0, "no proceeds");
        proceeds[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract CraftMarketGood {
    struct Item {
        address holder;
        uint256 price;
    }

    uint256 public constant FEE_BPS = 250;

    address public immutable owner;
    FeeVault public immutable vault;
    uint256 public itemCount;
    uint256 public pendingFees;
    mapping(uint256 => Item) public items;
    mapping(address => uint256) public proceeds;

    event Created(uint256 indexed id, address indexed maker);
    event Listed(uint256 indexed id, uint256 price);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);

    constructor() {
        owner = msg.sender;
        vault = new FeeVault(msg.sender);
    }

    function create() external returns (uint256 id) {
        id = itemCount++;
        items[id].holder = msg.sender;
        emit Created(id, msg.sender);
    }

    /// a price of zero takes the item off the market
    function setPrice(uint256 id, uint256 price) external {
        require(items[id].holder == msg.sender, "not yours");
        items[id].price = price;
        emit Listed(id, price);
    }

    function buy(uint256 id) external payable {
        Item storage item = items[id];
        uint256 price = item.price;
        require(price > 0, "not for sale");
        require(msg.value == price, "wrong price");

        address seller = item.holder;
        item.holder = msg.sender;
        item.price = 0;
        uint256 fee = price * FEE_BPS / 10_000;
        proceeds[seller] += price - fee;
        emit Sold(id, msg.sender, price);
        _forwardFees(pendingFees + fee);
    }

    function withdrawProceeds(address payable to) external {
        require(to != address(0), "no receiver");
        uint256 amount = proceeds[msg.sender];
        require(amount > 0, "no proceeds");
        proceeds[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// fees that are too small for the vault
    function takePendingFees(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        uint256 amount = pendingFees;
        pendingFees = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _forwardFees(uint256 amount) internal {
        if (amount < vault.MIN_DEPOSIT()) {
            pendingFees = amount;
            return;
        }
        pendingFees = 0;
        try vault.deposit{value: amount}() {} catch {
            pendingFees = amount;
        }
    }
}
