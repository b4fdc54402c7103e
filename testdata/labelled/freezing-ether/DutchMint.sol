// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on the auction of a collection in April 2022 whose proceeds were locked for good: the number of bids that had
// been refunded was compared with the number of pieces sold.

/// Once a bid was made for several pieces, the refunds never count as complete, and the proceeds never leave the contract.
/// @custom:vulnerable freezing-ether claimProceeds()
contract DutchMintBad {
    struct Bid {
        address bidder;
        uint32 pieces;
        uint256 paidEach;
    }

    uint256 public constant MAX_PIECES_A_BID = 3;
    uint256 public constant MAX_BATCH = 50;

    address payable public immutable artist;
    uint256 public immutable supply;
    uint256 public price;
    uint256 public finalPrice;
    bool public closed;
    bool public claimed;

    Bid[] public bids;
    uint256 public sold;
    uint256 public refundProgress;
    mapping(address => uint256) public piecesOf;
    mapping(address => uint256) public refundOf;

    event BidMade(uint256 indexed index, address indexed bidder, uint256 pieces, uint256 paidEach);
    event PriceLowered(uint256 price);
    event Closed(uint256 finalPrice, uint256 sold);
    event Claimed(uint256 amount);

    constructor(uint256 supply_, uint256 startPrice) {
        require(supply_ > 0 && supply_ <= 20000 && startPrice > 0, "bad terms");
        artist = payable(msg.sender);
        supply = supply_;
        price = startPrice;
    }

    modifier onlyArtist() {
        require(msg.sender == artist, "artist only");
        _;
    }

    function bid(uint256 pieces) external payable {
        require(!closed, "closed");
        require(pieces > 0 && pieces <= MAX_PIECES_A_BID, "pieces out of bounds");
        require(sold + pieces <= supply, "sold out");
        require(msg.value / pieces == price && msg.value % pieces == 0, "not the price");
        bids.push(Bid(msg.sender, uint32(pieces), price));
        sold += pieces;
        piecesOf[msg.sender] += pieces;
        emit BidMade(bids.length - 1, msg.sender, pieces, price);
    }

    function lowerPrice(uint256 price_) external onlyArtist {
        require(!closed && price_ > 0 && price_ < price, "not lower");
        price = price_;
        emit PriceLowered(price_);
    }

    function close() external onlyArtist {
        require(!closed, "closed");
        closed = true;
        finalPrice = price;
        emit Closed(finalPrice, sold);
    }

    /// Everybody pays the final price in the end; anybody may have the next refunds booked.
    function processRefunds(uint256 count) external {
        require(closed && count > 0 && count <= MAX_BATCH, "not now");
        uint256 end = refundProgress + count;
        if (end > bids.length) end = bids.length;
        for (uint256 i = refundProgress; i < end; i++) {
            refundOf[bids[i].bidder] += (bids[i].paidEach - finalPrice) * bids[i].pieces;
        }
        refundProgress = end;
    }

    function withdrawRefund(address payable to) external {
        uint256 amount = refundOf[msg.sender];
        require(amount > 0, "nothing to refund");
        refundOf[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }

    function claimProceeds() external onlyArtist {
        require(closed && !claimed, "not now");
        require(refundProgress >= sold, "refunds first"); // <- bug
        claimed = true;
        uint256 amount = finalPrice * sold;
        (bool ok, ) = artist.call{value: amount}("");
        require(ok, "rejected");
        emit Claimed(amount);
    }
}

/// The refunds are complete when each bid has had its turn.
/// @custom:safe
contract DutchMintGood {
    struct Bid {
        address bidder;
        uint32 pieces;
        uint256 paidEach;
    }

    uint256 public constant MAX_PIECES_A_BID = 3;
    uint256 public constant MAX_BATCH = 50;

    address payable public immutable artist;
    uint256 public immutable supply;
    uint256 public price;
    uint256 public finalPrice;
    bool public closed;
    bool public claimed;

    Bid[] public bids;
    uint256 public sold;
    uint256 public refundProgress;
    mapping(address => uint256) public piecesOf;
    mapping(address => uint256) public refundOf;

    event BidMade(uint256 indexed index, address indexed bidder, uint256 pieces, uint256 paidEach);
    event PriceLowered(uint256 price);
    event Closed(uint256 finalPrice, uint256 sold);
    event Claimed(uint256 amount);

    constructor(uint256 supply_, uint256 startPrice) {
        require(supply_ > 0 && supply_ <= 20000 && startPrice > 0, "bad terms");
        artist = payable(msg.sender);
        supply = supply_;
        price = startPrice;
    }

    modifier onlyArtist() {
        require(msg.sender == artist, "artist only");
        _;
    }

    function bid(uint256 pieces) external payable {
        require(!closed, "closed");
        require(pieces > 0 && pieces <= MAX_PIECES_A_BID, "pieces out of bounds");
        require(sold + pieces <= supply, "sold out");
        require(msg.value / pieces == price && msg.value % pieces == 0, "not the price");
        bids.push(Bid(msg.sender, uint32(pieces), price));
        sold += pieces;
        piecesOf[msg.sender] += pieces;
        emit BidMade(bids.length - 1, msg.sender, pieces, price);
    }

    function lowerPrice(uint256 price_) external onlyArtist {
        require(!closed && price_ > 0 && price_ < price, "not lower");
        price = price_;
        emit PriceLowered(price_);
    }

    function close() external onlyArtist {
        require(!closed, "closed");
        closed = true;
        finalPrice = price;
        emit Closed(finalPrice, sold);
    }

    /// Everybody pays the final price in the end; anybody may have the next refunds booked.
    function processRefunds(uint256 count) external {
        require(closed && count > 0 && count <= MAX_BATCH, "not now");
        uint256 end = refundProgress + count;
        if (end > bids.length) end = bids.length;
        for (uint256 i = refundProgress; i < end; i++) {
            refundOf[bids[i].bidder] += (bids[i].paidEach - finalPrice) * bids[i].pieces;
        }
        refundProgress = end;
    }

    function withdrawRefund(address payable to) external {
        uint256 amount = refundOf[msg.sender];
        require(amount > 0, "nothing to refund");
        refundOf[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }

    function claimProceeds() external onlyArtist {
        require(closed && !claimed, "not now");
        require(refundProgress >= bids.length, "refunds first");
        claimed = true;
        uint256 amount = finalPrice * sold;
        (bool ok, ) = artist.call{value: amount}("");
        require(ok, "rejected");
        emit Claimed(amount);
    }
}
