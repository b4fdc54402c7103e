// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable excess-withdrawal claim(uint256)
contract DividendGuildBad {
    uint256 public constant MAX_SHARES = 10000;

    address public immutable master;
    uint256 public immutable sharePrice;
    uint256 public issued;
    uint256 public treasury;
    mapping(address => uint256) public shares;
    uint256[] public dividends;
    mapping(uint256 => mapping(address => bool)) public claimed;

    event Bought(address indexed member, uint256 count);
    event Moved(address indexed from, address indexed to, uint256 count);
    event Distributed(uint256 perShare);
    event Claimed(address indexed member, uint256 amount);

    modifier onlyMaster() {
        require(msg.sender == master, "master only");
        _;
    }

    constructor(uint256 price) {
        require(price > 0 && price <= 100 ether, "price range");
        master = msg.sender;
        sharePrice = price;
    }

    function buy(uint256 count) external payable {
        require(count > 0 && count <= MAX_SHARES - issued, "count");
        require(msg.value == count * sharePrice, "exact price only");
        issued += count;
        shares[msg.sender] += count;
        treasury += msg.value;
        emit Bought(msg.sender, count);
    }

    function move(address to, uint256 count) external {
        require(to != address(0) && to != address(this), "bad receiver");
        require(count > 0 && count <= shares[msg.sender], "count");
        shares[msg.sender] -= count;
        shares[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function distribute() external payable onlyMaster {
        require(issued > 0 && msg.value >= issued, "nothing to share");
        uint256 perShare = msg.value / issued;
        treasury += msg.value % issued;
        dividends.push(perShare);
        emit Distributed(perShare);
    }

    function claim(uint256 round) external {
        require(round < dividends.length, "no such round");
        require(!claimed[round][msg.sender], "already claimed");
        uint256 amount = dividends[round] * shares[msg.sender];
        require(amount > 0, "nothing due");
        claimed[round][msg.sender] = true;
        _pay(msg.sender, amount);
        emit Claimed(msg.sender, amount);
    }

    function drawTreasury() external onlyMaster {
        uint256 amount = treasury;
        treasury = 0;
        _pay(master, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract DividendGuildGood {
    uint256 public constant MAX_SHARES = 10000;

    address public immutable master;
    uint256 public immutable sharePrice;
    uint256 public issued;
    uint256 public treasury;
    mapping(address => uint256) public shares;
    uint256 public dividendPerShare;
    mapping(address => uint256) public settledAt;
    mapping(address => uint256) public unclaimed;

    event Bought(address indexed member, uint256 count);
    event Moved(address indexed from, address indexed to, uint256 count);
    event Distributed(uint256 perShare);
    event Claimed(address indexed member, uint256 amount);

    modifier onlyMaster() {
        require(msg.sender == master, "master only");
        _;
    }

    constructor(uint256 price) {
        require(price > 0 && price <= 100 ether, "price range");
        master = msg.sender;
        sharePrice = price;
    }

    function buy(uint256 count) external payable {
        require(count > 0 && count <= MAX_SHARES - issued, "count");
        require(msg.value == count * sharePrice, "exact price only");
        _settle(msg.sender);
        issued += count;
        shares[msg.sender] += count;
        treasury += msg.value;
        emit Bought(msg.sender, count);
    }

    function move(address to, uint256 count) external {
        require(to != address(0) && to != address(this), "bad receiver");
        require(count > 0 && count <= shares[msg.sender], "count");
        _settle(msg.sender);
        _settle(to);
        shares[msg.sender] -= count;
        shares[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function distribute() external payable onlyMaster {
        require(issued > 0 && msg.value >= issued, "nothing to share");
        uint256 perShare = msg.value / issued;
        treasury += msg.value % issued;
        dividendPerShare += perShare;
        emit Distributed(perShare);
    }

    function claim() external {
        _settle(msg.sender);
        uint256 amount = unclaimed[msg.sender];
        require(amount > 0, "nothing due");
        unclaimed[msg.sender] = 0;
        _pay(msg.sender, amount);
        emit Claimed(msg.sender, amount);
    }

    function _settle(address member) private {
        unclaimed[member] += shares[member] * (dividendPerShare - settledAt[member]);
        settledAt[member] = dividendPerShare;
    }

    function drawTreasury() external onlyMaster {
        uint256 amount = treasury;
        treasury = 0;
        _pay(master, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
