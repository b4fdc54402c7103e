// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable failed-call-dos bid()
/**
 * The outbid bidder is refunded within the next bid; a leading contract that rejects ether wins the auction for
 * the reserve.
 */
contract RefundAuctionBad {
    address payable public seller;
    uint256 public reserve;
    address payable public leader;
    uint256 public highest;
    bool public closed;

    event Bid(address indexed bidder, uint256 amount);

    constructor(uint256 reserve_) public {
        require(reserve_ <= 1 ether, "reserve too high");
        seller = msg.sender;
        reserve = reserve_;
    }

    function bid() external payable {
        require(!closed, "closed");
        require(msg.value > reserve && msg.value > highest, "too low");
        address payable outbid = leader;
        uint256 amount = highest;
        leader = msg.sender;
        highest = msg.value;
        emit Bid(msg.sender, msg.value);
        if (outbid != address(0)) {
            (bool ok, ) = outbid.call.value(amount)("");
            require(ok, "refund rejected");
        }
    }
    function close() external {
        require(msg.sender == seller && !closed, "seller, once");
        closed = true;
        (bool ok, ) = seller.call.value(highest)("");
        require(ok, "proceeds rejected");
    }
}

/// @custom:safe
/** The outbid bidder is credited and fetches the refund. */
contract RefundAuctionGood {
    address payable public seller;
    uint256 public reserve;
    address payable public leader;
    uint256 public highest;
    bool public closed;
    mapping(address => uint256) public refunds;

    event Bid(address indexed bidder, uint256 amount);

    constructor(uint256 reserve_) public {
        require(reserve_ <= 1 ether, "reserve too high");
        seller = msg.sender;
        reserve = reserve_;
    }

    function bid() external payable {
        require(!closed, "closed");
        require(msg.value > reserve && msg.value > highest, "too low");
        address payable outbid = leader;
        uint256 amount = highest;
        leader = msg.sender;
        highest = msg.value;
        emit Bid(msg.sender, msg.value);
        if (outbid != address(0)) {
            refunds[outbid] += amount;
        }
    }

    function fetchRefund() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0, "none");
        refunds[msg.sender] = 0;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "refund rejected");
    }

    function close() external {
        require(msg.sender == seller && !closed, "seller, once");
        closed = true;
        (bool ok, ) = seller.call.value(highest)("");
        require(ok, "proceeds rejected");
    }
}
