// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable freezing-ether claimProjectFunds()
contract RefundingDropBad {
    struct Bid {
        address bidder;
        uint32 units;
    }

    uint256 public constant MAX_UNITS_PER_BID = 5;
    uint256 public constant CLOSING_PERIOD = 30 days;

    address public immutable project;
    uint256 public immutable maxPrice;
    uint256 public immutable unitsForSale;
    uint256 public immutable biddingEnds;

    Bid[] public bids;
    uint256 public totalUnits;
    uint256 public finalPrice;
    uint256 public refundProgress;
    bool public closed;
    bool public claimed;
    mapping(address => uint256) public unitsOf;
    mapping(address => uint256) public refunds;

    event BidPlaced(uint256 indexed index, address indexed bidder, uint256 units);
    event Closed(uint256 finalPrice);
    event ProjectPaid(uint256 amount);

    constructor(uint256 _maxPrice, uint256 _unitsForSale, uint256 biddingDays) {
        require(_maxPrice > 0 && _maxPrice <= 100 ether, "price range");
        require(_unitsForSale > 0 && _unitsForSale <= 20000, "units range");
        require(biddingDays > 0 && biddingDays <= 60, "days range");
        project = msg.sender;
        maxPrice = _maxPrice;
        unitsForSale = _unitsForSale;
        biddingEnds = block.timestamp + biddingDays * 1 days;
    }

    function bid(uint32 units) external payable {
        require(block.timestamp < biddingEnds, "bidding over");
        require(units > 0 && units <= MAX_UNITS_PER_BID, "units");
        require(totalUnits + units <= unitsForSale, "sold out");
        require(msg.value == units * maxPrice, "deposit the maximum");
        totalUnits += units;
        bids.push(Bid(msg.sender, units));
        emit BidPlaced(bids.length - 1, msg.sender, units);
    }

    function close(uint256 price) external {
        require(msg.sender == project, "project only");
        require(!closed && block.timestamp >= biddingEnds, "not closable");
        require(block.timestamp <= biddingEnds + CLOSING_PERIOD, "too late");
        require(price > 0 && price <= maxPrice, "price");
        closed = true;
        finalPrice = price;
        emit Closed(price);
    }

    function processRefunds(uint256 count) external {
        require(closed, "not closed");
        uint256 cursor = refundProgress;
        uint256 left = bids.length - cursor;
        uint256 end = cursor + (count < left ? count : left);
        uint256 difference = maxPrice - finalPrice;
        for (; cursor < end; cursor++) {
            Bid storage b = bids[cursor];
            unitsOf[b.bidder] += b.units;
            refunds[b.bidder] += b.units * difference;
        }
        refundProgress = end;
    }

    function reclaim(uint256 index) external {
        require(!closed && block.timestamp > biddingEnds + CLOSING_PERIOD, "not abandoned");
        require(index < bids.length, "no such bid");
        Bid storage b = bids[index];
        require(b.bidder == msg.sender && b.units > 0, "not yours");
        uint256 amount = b.units * maxPrice;
        b.units = 0;
        _pay(msg.sender, amount);
    }

    function withdrawRefund() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0, "nothing due");
        refunds[msg.sender] = 0;
        _pay(msg.sender, amount);
    }

    function claimProjectFunds() external {
        require(msg.sender == project, "project only");
        require(closed && !claimed, "not claimable");
        require(refundProgress >= totalUnits, "refunds first");
        claimed = true;
        uint256 amount = totalUnits * finalPrice;
        _pay(project, amount);
        emit ProjectPaid(amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract RefundingDropGood {
    struct Bid {
        address bidder;
        uint32 units;
    }

    uint256 public constant MAX_UNITS_PER_BID = 5;
    uint256 public constant CLOSING_PERIOD = 30 days;

    address public immutable project;
    uint256 public immutable maxPrice;
    uint256 public immutable unitsForSale;
    uint256 public immutable biddingEnds;

    Bid[] public bids;
    uint256 public totalUnits;
    uint256 public finalPrice;
    uint256 public refundProgress;
    bool public closed;
    bool public claimed;
    mapping(address => uint256) public unitsOf;
    mapping(address => uint256) public refunds;

    event BidPlaced(uint256 indexed index, address indexed bidder, uint256 units);
    event Closed(uint256 finalPrice);
    event ProjectPaid(uint256 amount);

    constructor(uint256 _maxPrice, uint256 _unitsForSale, uint256 biddingDays) {
        require(_maxPrice > 0 && _maxPrice <= 100 ether, "price range");
        require(_unitsForSale > 0 && _unitsForSale <= 20000, "units range");
        require(biddingDays > 0 && biddingDays <= 60, "days range");
        project = msg.sender;
        maxPrice = _maxPrice;
        unitsForSale = _unitsForSale;
        biddingEnds = block.timestamp + biddingDays * 1 days;
    }

    function bid(uint32 units) external payable {
        require(block.timestamp < biddingEnds, "bidding over");
        require(units > 0 && units <= MAX_UNITS_PER_BID, "units");
        require(totalUnits + units <= unitsForSale, "sold out");
        require(msg.value == units * maxPrice, "deposit the maximum");
        totalUnits += units;
        bids.push(Bid(msg.sender, units));
        emit BidPlaced(bids.length - 1, msg.sender, units);
    }

    function close(uint256 price) external {
        require(msg.sender == project, "project only");
        require(!closed && block.timestamp >= biddingEnds, "not closable");
        require(block.timestamp <= biddingEnds + CLOSING_PERIOD, "too late");
        require(price > 0 && price <= maxPrice, "price");
        closed = true;
        finalPrice = price;
        emit Closed(price);
    }

    function processRefunds(uint256 count) external {
        require(closed, "not closed");
        uint256 cursor = refundProgress;
        uint256 left = bids.length - cursor;
        uint256 end = cursor + (count < left ? count : left);
        uint256 difference = maxPrice - finalPrice;
        for (; cursor < end; cursor++) {
            Bid storage b = bids[cursor];
            unitsOf[b.bidder] += b.units;
            refunds[b.bidder] += b.units * difference;
        }
        refundProgress = end;
    }

    function reclaim(uint256 index) external {
        require(!closed && block.timestamp > biddingEnds + CLOSING_PERIOD, "not abandoned");
        require(index < bids.length, "no such bid");
        Bid storage b = bids[index];
        require(b.bidder == msg.sender && b.units > 0, "not yours");
        uint256 amount = b.units * maxPrice;
        b.units = 0;
        _pay(msg.sender, amount);
    }

    function withdrawRefund() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0, "nothing due");
        refunds[msg.sender] = 0;
        _pay(msg.sender, amount);
    }

    function claimProjectFunds() external {
        require(msg.sender == project, "project only");
        require(closed && !claimed, "not claimable");
        require(refundProgress >= bids.length, "refunds first");
        claimed = true;
        uint256 amount = totalUnits * finalPrice;
        _pay(project, amount);
        emit ProjectPaid(amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
