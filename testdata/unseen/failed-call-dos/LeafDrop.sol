// Modelled on the picture drop of April 2022 whose refunds went to all bidders in a row and required every payment to succeed,
// so that one bidder's contract stopped the refunds and with them the proceeds (SWC-113).
// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable failed-call-dos processRefunds()
/** One bidder who refuses the refund stops all later refunds, and the artist's proceeds, which wait for them. */
contract LeafDropBad {
    struct Bid {
        address bidder;
        uint256 paid;
    }

    uint256 public constant LEAVES = 24;
    uint256 public constant REFUND_GAS = 50000;

    address payable public artist;
    uint256 public price;
    uint256 public bidCount;
    uint256 public refundCursor;
    bool public closed;
    bool public proceedsTaken;
    mapping(uint256 => Bid) public bids;
    mapping(address => uint256) public leafOf;

    event BidPlaced(uint256 indexed leaf, address indexed bidder, uint256 paid);
    event PriceLowered(uint256 price);
    event Refunded(uint256 indexed leaf, address indexed bidder, uint256 amount);
    event ProceedsTaken(uint256 amount);

    modifier onlyArtist() {
        require(msg.sender == artist, "artist only");
        _;
    }

    constructor(uint256 startPrice) {
        require(startPrice >= 1e12 && startPrice <= 10 ether, "bad price");
        artist = msg.sender;
        price = startPrice;
    }

    /// Everybody pays the price of the moment, and in the end all have paid the last one.
    function bid() external payable {
        require(!closed && bidCount < LEAVES, "closed");
        require(msg.value == price, "wrong price");
        require(leafOf[msg.sender] == 0, "one leaf each");
        bidCount++;
        bids[bidCount] = Bid(msg.sender, msg.value);
        leafOf[msg.sender] = bidCount;
        emit BidPlaced(bidCount, msg.sender, msg.value);
    }

    function lower(uint256 newPrice) external onlyArtist {
        require(!closed && newPrice > 0 && newPrice < price, "bad price");
        price = newPrice;
        emit PriceLowered(newPrice);
    }

    function close() external onlyArtist {
        closed = true;
    }

    function processRefunds() external {
        require(closed || bidCount == LEAVES, "not closed");
        closed = true;
        while (refundCursor < bidCount) {
            refundCursor++;
            uint256 leaf = refundCursor;
            Bid storage b = bids[leaf];
            uint256 amount = b.paid - price;
            if (amount > 0) {
                b.paid = price;
                (bool ok, ) = b.bidder.call{value: amount, gas: REFUND_GAS}("");
                require(ok, "refund failed"); // <- bug
                emit Refunded(leaf, b.bidder, amount);
            }
        }
    }

    function takeProceeds() external onlyArtist {
        require(closed && refundCursor == bidCount, "refunds first");
        require(!proceedsTaken, "taken");
        proceedsTaken = true;
        uint256 amount = price * bidCount;
        artist.transfer(amount);
        emit ProceedsTaken(amount);
    }
}

/// @custom:safe
/** A refused refund is put aside for its bidder; at most 24 calls of limited gas are made. */
contract LeafDropGood {
    struct Bid {
        address bidder;
        uint256 paid;
    }

    uint256 public constant LEAVES = 24;
    uint256 public constant REFUND_GAS = 50000;

    address payable public artist;
    uint256 public price;
    uint256 public bidCount;
    uint256 public refundCursor;
    bool public closed;
    bool public proceedsTaken;
    mapping(uint256 => Bid) public bids;
    mapping(address => uint256) public leafOf;
    mapping(address => uint256) public owed;

    event BidPlaced(uint256 indexed leaf, address indexed bidder, uint256 paid);
    event PriceLowered(uint256 price);
    event Refunded(uint256 indexed leaf, address indexed bidder, uint256 amount);
    event ProceedsTaken(uint256 amount);

    modifier onlyArtist() {
        require(msg.sender == artist, "artist only");
        _;
    }

    constructor(uint256 startPrice) {
        require(startPrice >= 1e12 && startPrice <= 10 ether, "bad price");
        artist = msg.sender;
        price = startPrice;
    }

    /// Everybody pays the price of the moment, and in the end all have paid the last one.
    function bid() external payable {
        require(!closed && bidCount < LEAVES, "closed");
        require(msg.value == price, "wrong price");
        require(leafOf[msg.sender] == 0, "one leaf each");
        bidCount++;
        bids[bidCount] = Bid(msg.sender, msg.value);
        leafOf[msg.sender] = bidCount;
        emit BidPlaced(bidCount, msg.sender, msg.value);
    }

    function lower(uint256 newPrice) external onlyArtist {
        require(!closed && newPrice > 0 && newPrice < price, "bad price");
        price = newPrice;
        emit PriceLowered(newPrice);
    }

    function close() external onlyArtist {
        closed = true;
    }

    function processRefunds() external {
        require(closed || bidCount == LEAVES, "not closed");
        closed = true;
        while (refundCursor < bidCount) {
            refundCursor++;
            uint256 leaf = refundCursor;
            Bid storage b = bids[leaf];
            uint256 amount = b.paid - price;
            if (amount > 0) {
                b.paid = price;
                (bool ok, ) = b.bidder.call{value: amount, gas: REFUND_GAS}("");
                if (!ok) {
                    owed[b.bidder] += amount;
                    continue;
                }
                emit Refunded(leaf, b.bidder, amount);
            }
        }
    }

    function takeOwed(uint256 amount) external {
        require(owed[msg.sender] >= amount, "not owed");
        owed[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function takeProceeds() external onlyArtist {
        require(closed && refundCursor == bidCount, "refunds first");
        require(!proceedsTaken, "taken");
        proceedsTaken = true;
        uint256 amount = price * bidCount;
        artist.transfer(amount);
        emit ProceedsTaken(amount);
    }
}
