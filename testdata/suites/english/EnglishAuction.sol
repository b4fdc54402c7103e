// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// An auction in ether. Who is outbid gets a credit, which can be taken out or handed to another account.
contract EnglishAuction is ReentrancyGuard {
    address payable public immutable seller;
    uint256 public immutable endsAt;

    address public highestBidder;
    uint256 public highestBid;
    bool public settled;
    mapping(address => uint256) public creditOf;

    constructor(address payable seller_, uint256 duration) {
        seller = seller_;
        endsAt = block.timestamp + duration;
    }

    function bid() external payable nonReentrant {
        require(block.timestamp < endsAt, "over");
        require(msg.value > highestBid, "too low");
        creditOf[highestBidder] += highestBid;
        (highestBidder, highestBid) = (msg.sender, msg.value);
    }

    function withdraw() external virtual nonReentrant {
        uint256 credit = creditOf[msg.sender];
        creditOf[msg.sender] = 0;
        Address.sendValue(payable(msg.sender), credit);
    }

    function handOver(address to) external virtual nonReentrant {
        uint256 credit = creditOf[msg.sender];
        creditOf[msg.sender] = 0;
        creditOf[to] += credit;
    }

    function settle() external nonReentrant {
        require(block.timestamp >= endsAt && !settled, "not yet");
        settled = true;
        uint256 price = highestBid;
        highestBid = 0;
        Address.sendValue(seller, price);
    }
}

/// Bug: the credit is cleared after it was sent. `withdraw` itself has the guard, but `handOver` has none, so a bidder
/// who is being paid can hand the same credit to an accomplice.
contract EnglishAuctionBug is EnglishAuction {
    constructor(address payable seller_, uint256 duration) EnglishAuction(seller_, duration) {}

    function withdraw() external override nonReentrant {
        Address.sendValue(payable(msg.sender), creditOf[msg.sender]);
        creditOf[msg.sender] = 0;
    }

    function handOver(address to) external override {
        uint256 credit = creditOf[msg.sender];
        creditOf[msg.sender] = 0;
        creditOf[to] += credit;
    }
}
