// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The guests' equal shares need not add up to the bill, for the remainder of the division is forgotten.
/// @custom:vulnerable assertion settle(uint256)
contract BillSplitBad {
    uint256 public immutable guests;
    address public immutable host;
    uint256 public bills;
    mapping(uint256 => uint256) public shareOf;

    constructor(uint256 guests_) {
        require(guests_ >= 2 && guests_ <= 20, "2 to 20 guests");
        guests = guests_;
        host = msg.sender;
    }

    function settle(uint256 total) external returns (uint256 share) {
        require(total > 0 && total <= 1_000_000, "odd bill");
        share = total / guests;
        uint256 collected = share * guests;
        assert(collected == total);
        bills += 1;
        shareOf[bills] = share;
    }
}

/// The host pays the remainder, so the sum is right.
/// @custom:safe
contract BillSplitGood {
    uint256 public immutable guests;
    address public immutable host;
    uint256 public bills;
    mapping(uint256 => uint256) public shareOf;

    constructor(uint256 guests_) {
        require(guests_ >= 2 && guests_ <= 20, "2 to 20 guests");
        guests = guests_;
        host = msg.sender;
    }

    function settle(uint256 total) external returns (uint256 share) {
        require(total > 0 && total <= 1_000_000, "odd bill");
        share = total / guests;
        uint256 collected = share * guests;
        collected += total % guests;
        assert(collected == total);
        bills += 1;
        shareOf[bills] = share;
    }
}
