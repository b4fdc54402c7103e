// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable freezing-ether claimProceeds(address)
contract FallingDropBad {
    struct Bid {
        uint256 units;
        uint256 paid;
        bool refunded;
    }

    uint256 public constant START_PRICE = 1 ether;
    uint256 public constant DAILY_DROP = 0.1 ether;
    uint256 public constant DURATION_DAYS = 7;
    uint256 public constant MAX_UNITS = 5000;

    address public immutable owner;
    uint256 public immutable startsAt;

    uint256 public finalPrice = START_PRICE;
    uint256 public totalUnits;
    uint256 public refundsProcessed;
    bool public proceedsClaimed;
    mapping(address => Bid) public bids;

    event BidPlaced(address indexed bidder, uint256 units, uint256 price);
    event Refunded(address indexed bidder, uint256 amount);

    constructor() {
        owner = msg.sender;
        startsAt = block.timestamp;
    }

    function isOver() public view returns (bool) {
        return block.timestamp >= startsAt + DURATION_DAYS * 1 days;
    }

    /// falls once a day
    function currentPrice() public view returns (uint256) {
        if (isOver()) {
            return finalPrice;
        }
        return START_PRICE - DAILY_DROP * ((block.timestamp - startsAt) / 1 days);
    }

    function bid(uint256 units) external payable {
        require(!isOver(), "drop is over");
        require(units > 0 && units <= MAX_UNITS - totalUnits, "not that many left");
        uint256 price = currentPrice();
        require(msg.value == units * price, "wrong payment");

        finalPrice = price;
        totalUnits += units;
        bids[msg.sender].units += units;
        bids[msg.sender].paid += msg.value;
        emit BidPlaced(msg.sender, units, price);
    }

    /// everybody pays the last price; what was paid above it comes back
    function refund() external {
        require(isOver(), "drop is running");
        Bid storage entry = bids[msg.sender];
        require(entry.units > 0 && !entry.refunded, "nothing to refund");
        entry.refunded = true;
        refundsProcessed += 1;
        uint256 amount = entry.paid - entry.units * finalPrice;
        emit Refunded(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refund failed");
    }

    function claimProceeds(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(isOver() && !proceedsClaimed, "nothing to claim");
        require(refundsProcessed >= totalUnits, "refunds come first");
        proceedsClaimed = true;
        (bool ok, ) = to.call{value: totalUnits * finalPrice}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract FallingDropGood {
    struct Bid {
        uint256 units;
        uint256 paid;
        bool refunded;
    }

    uint256 public constant START_PRICE = 1 ether;
    uint256 public constant DAILY_DROP = 0.1 ether;
    uint256 public constant DURATION_DAYS = 7;
    uint256 public constant MAX_UNITS = 5000;

    address public immutable owner;
    uint256 public immutable startsAt;

    uint256 public finalPrice = START_PRICE;
    uint256 public totalUnits;
    bool public proceedsClaimed;
    mapping(address => Bid) public bids;

    event BidPlaced(address indexed bidder, uint256 units, uint256 price);
    event Refunded(address indexed bidder, uint256 amount);

    constructor() {
        owner = msg.sender;
        startsAt = block.timestamp;
    }

    function isOver() public view returns (bool) {
        return block.timestamp >= startsAt + DURATION_DAYS * 1 days;
    }

    /// falls once a day
    function currentPrice() public view returns (uint256) {
        if (isOver()) {
            return finalPrice;
        }
        return START_PRICE - DAILY_DROP * ((block.timestamp - startsAt) / 1 days);
    }

    function bid(uint256 units) external payable {
        require(!isOver(), "drop is over");
        require(units > 0 && units <= MAX_UNITS - totalUnits, "not that many left");
        uint256 price = currentPrice();
        require(msg.value == units * price, "wrong payment");

        finalPrice = price;
        totalUnits += units;
        bids[msg.sender].units += units;
        bids[msg.sender].paid += msg.value;
        emit BidPlaced(msg.sender, units, price);
    }

    /// everybody pays the last price; what was paid above it comes back
    function refund() external {
        require(isOver(), "drop is running");
        Bid storage entry = bids[msg.sender];
        require(entry.units > 0 && !entry.refunded, "nothing to refund");
        entry.refunded = true;
        uint256 amount = entry.paid - entry.units * finalPrice;
        emit Refunded(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refund failed");
    }

    function claimProceeds(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(isOver() && !proceedsClaimed, "nothing to claim");
        proceedsClaimed = true;
        (bool ok, ) = to.call{value: totalUnits * finalPrice}("");
        require(ok, "payment failed");
    }
}
