// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// An auction in which one's payments add up to one's bid.
/// @custom:safe
contract RaiseAuctionGood {
    address public immutable seller;
    uint256 public immutable reserve;
    uint256 public immutable endTime;
    address public leader;
    bool public settled;
    mapping(address => uint256) public held;

    event Bid(address indexed who, uint256 total);
    event Settled(address indexed winner, uint256 price);

    constructor(uint256 reserve_, uint256 days_) {
        require(reserve_ <= 1e24, "reserve");
        require(days_ >= 1 && days_ <= 90, "days");
        seller = msg.sender;
        reserve = reserve_;
        endTime = block.timestamp + days_ * 1 days;
    }

    function highest() public view returns (uint256) {
        return settled || leader == address(0) ? 0 : held[leader];
    }

    function bid() external payable {
        require(block.timestamp < endTime, "over");
        require(msg.value > 0, "nothing");
        uint256 top = highest();
        uint256 total = held[msg.sender] + msg.value;
        require(total >= reserve, "below reserve");
        if (msg.sender != leader) {
            require(total > top + top / 100, "too low");
            leader = msg.sender;
        }
        held[msg.sender] = total;
        emit Bid(msg.sender, total);
    }

    /// Everybody but the leader may take his money at any time, even while the auction runs.
    function withdraw(address to) external {
        require(settled || msg.sender != leader, "leading");
        require(to != address(0), "to");
        uint256 amount = held[msg.sender];
        require(amount > 0, "nothing");
        held[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// Anybody may settle; the price goes to the seller's account.
    function settle() external {
        require(block.timestamp >= endTime, "still running");
        require(!settled, "settled");
        require(leader != address(0), "no bids");
        settled = true;
        uint256 price = held[leader];
        held[leader] = 0;
        held[seller] += price;
        emit Settled(leader, price);
    }
}
