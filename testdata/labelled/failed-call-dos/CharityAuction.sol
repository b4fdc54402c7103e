pragma solidity ^0.5.0;

/// @custom:vulnerable failed-call-dos bid()
/** English auction of one donated object; whoever is outbid gets the bid back. */
contract CharityAuctionBad {
    address payable public seller;
    uint256 public reserve;
    uint256 public endsAt;

    address payable public highestBidder;
    uint256 public highestBid;
    bool public settled;

    event BidPlaced(address indexed bidder, uint256 amount);
    event Refunded(address indexed bidder, uint256 amount);
    event Settled(address indexed winner, uint256 amount);

    constructor(uint256 reservePrice, uint256 durationDays) public {
        require(durationDays >= 1 && durationDays <= 60, "duration out of range");
        seller = msg.sender;
        reserve = reservePrice;
        endsAt = now + durationDays * 1 days;
    }

    // five per cent more than the highest bid
    function minimumBid() public view returns (uint256) {
        if (highestBidder == address(0)) {
            return reserve;
        }
        return highestBid + highestBid / 20 + 1;
    }

    function bid() external payable {
        require(now < endsAt, "auction is over");
        require(msg.value > 0 && msg.value >= minimumBid(), "bid too low");

        address payable previousBidder = highestBidder;
        uint256 previousBid = highestBid;
        highestBidder = msg.sender;
        highestBid = msg.value;
        emit BidPlaced(msg.sender, msg.value);

        if (previousBidder != address(0)) {
            (bool ok, ) = previousBidder.call.value(previousBid)("");
            require(ok, "refund failed");
            emit Refunded(previousBidder, previousBid);
        }
    }

    function settle() external {
        require(now >= endsAt, "auction still runs");
        require(!settled && highestBidder != address(0), "nothing to settle");
        settled = true;
        emit Settled(highestBidder, highestBid);
        (bool ok, ) = seller.call.value(highestBid)("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
/** English auction of one donated object; whoever is outbid gets the bid back. */
contract CharityAuctionGood {
    address payable public seller;
    uint256 public reserve;
    uint256 public endsAt;

    address payable public highestBidder;
    uint256 public highestBid;
    bool public settled;

    mapping(address => uint256) public credits;

    event BidPlaced(address indexed bidder, uint256 amount);
    event Refunded(address indexed bidder, uint256 amount);
    event Settled(address indexed winner, uint256 amount);

    constructor(uint256 reservePrice, uint256 durationDays) public {
        require(durationDays >= 1 && durationDays <= 60, "duration out of range");
        seller = msg.sender;
        reserve = reservePrice;
        endsAt = now + durationDays * 1 days;
    }

    // five per cent more than the highest bid
    function minimumBid() public view returns (uint256) {
        if (highestBidder == address(0)) {
            return reserve;
        }
        return highestBid + highestBid / 20 + 1;
    }

    function bid() external payable {
        require(now < endsAt, "auction is over");
        require(msg.value > 0 && msg.value >= minimumBid(), "bid too low");

        address payable previousBidder = highestBidder;
        uint256 previousBid = highestBid;
        highestBidder = msg.sender;
        highestBid = msg.value;
        emit BidPlaced(msg.sender, msg.value);

        if (previousBidder != address(0)) {
            if (previousBidder.send(previousBid)) {
                emit Refunded(previousBidder, previousBid);
            } else {
                credits[previousBidder] += previousBid;
            }
        }
    }

    // a refund that did not go through; anybody may start it again for the bidder
    function withdrawFor(address payable bidder) external {
        _payCredit(bidder, bidder);
    }

    function withdrawTo(address payable to) external {
        require(to != address(0), "no receiver");
        _payCredit(msg.sender, to);
    }

    function settle() external {
        require(now >= endsAt, "auction still runs");
        require(!settled && highestBidder != address(0), "nothing to settle");
        settled = true;
        emit Settled(highestBidder, highestBid);
        (bool ok, ) = seller.call.value(highestBid)("");
        require(ok, "payment failed");
    }

    function _payCredit(address bidder, address payable to) internal {
        uint256 amount = credits[bidder];
        require(amount > 0, "no credit");
        credits[bidder] = 0;
        emit Refunded(bidder, amount);
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
