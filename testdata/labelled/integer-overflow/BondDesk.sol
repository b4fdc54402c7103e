// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable integer-overflow buy(uint256)
/** Sells bonds at a fixed price and takes them back at a fee of one per cent. */
contract BondDeskBad {
    uint256 public constant PRICE = 0.05 ether;
    uint256 public constant FEE_PERCENT = 1;

    address public treasurer;
    address public nextTreasurer;
    uint256 public outstanding;
    uint256 public fees;
    mapping(address => uint256) public bonds;

    event Bought(address indexed buyer, uint256 count);
    event Redeemed(address indexed holder, uint256 count, uint256 paid);
    event Moved(address indexed from, address indexed to, uint256 count);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "not the treasurer");
        _;
    }

    constructor() {
        treasurer = msg.sender;
    }

    function buy(uint256 count) external payable {
        require(count > 0, "no bonds");
        require(msg.value == count * PRICE, "wrong payment");
        outstanding += count;
        bonds[msg.sender] += count;
        emit Bought(msg.sender, count);
    }

    function redeem(uint256 count) external {
        require(count > 0 && bonds[msg.sender] >= count, "not that many bonds");
        bonds[msg.sender] -= count;
        outstanding -= count;

        uint256 face = count * PRICE;
        uint256 fee = face * FEE_PERCENT / 100;
        fees += fee;
        emit Redeemed(msg.sender, count, face - fee);
        (bool ok, ) = msg.sender.call{value: face - fee}("");
        require(ok, "payment failed");
    }

    function move(address to, uint256 count) external {
        require(to != address(0), "no receiver");
        require(bonds[msg.sender] >= count, "not that many bonds");
        bonds[msg.sender] -= count;
        bonds[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function collectFees(address payable to) external onlyTreasurer {
        require(to != address(0), "no receiver");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function nominate(address candidate) external onlyTreasurer {
        nextTreasurer = candidate;
    }

    function acceptOffice() external {
        require(msg.sender == nextTreasurer, "not nominated");
        treasurer = msg.sender;
        nextTreasurer = address(0);
    }
}

/// @custom:safe
/** Sells bonds at a fixed price and takes them back at a fee of one per cent. */
contract BondDeskGood {
    uint256 public constant PRICE = 0.05 ether;
    uint256 public constant FEE_PERCENT = 1;
    uint256 public constant MAX_PER_ORDER = 1000;
    uint256 public constant MAX_SUPPLY = 1000000;

    address public treasurer;
    address public nextTreasurer;
    uint256 public outstanding;
    uint256 public fees;
    mapping(address => uint256) public bonds;

    event Bought(address indexed buyer, uint256 count);
    event Redeemed(address indexed holder, uint256 count, uint256 paid);
    event Moved(address indexed from, address indexed to, uint256 count);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "not the treasurer");
        _;
    }

    constructor() {
        treasurer = msg.sender;
    }

    function buy(uint256 count) external payable {
        require(count > 0 && count <= MAX_PER_ORDER, "bad order size");
        require(outstanding + count <= MAX_SUPPLY, "sold out");
        require(msg.value == count * PRICE, "wrong payment");
        outstanding += count;
        bonds[msg.sender] += count;
        emit Bought(msg.sender, count);
    }

    function redeem(uint256 count) external {
        require(count > 0 && bonds[msg.sender] >= count, "not that many bonds");
        bonds[msg.sender] -= count;
        outstanding -= count;

        uint256 face = count * PRICE;
        uint256 fee = face * FEE_PERCENT / 100;
        fees += fee;
        emit Redeemed(msg.sender, count, face - fee);
        (bool ok, ) = msg.sender.call{value: face - fee}("");
        require(ok, "payment failed");
    }

    function move(address to, uint256 count) external {
        require(to != address(0), "no receiver");
        require(bonds[msg.sender] >= count, "not that many bonds");
        bonds[msg.sender] -= count;
        bonds[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function collectFees(address payable to) external onlyTreasurer {
        require(to != address(0), "no receiver");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function nominate(address candidate) external onlyTreasurer {
        nextTreasurer = candidate;
    }

    function acceptOffice() external {
        require(msg.sender == nextTreasurer, "not nominated");
        treasurer = msg.sender;
        nextTreasurer = address(0);
    }
}
