// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A buyer's money waits until the buyer confirms, the seller gives up, or the arbiter rules.
/// @custom:safe
contract ArbiterEscrowGood {
    enum State { None, Funded, Paying, Done, Ruled }

    struct Deal {
        address buyer;
        address seller;
        address arbiter;
        uint256 amount;
        State state;
    }

    Deal[] public deals;
    mapping(address => uint256) public awarded;
    mapping(address => uint256) public volume;

    event Opened(uint256 indexed id, address indexed buyer, address indexed seller, uint256 amount);
    event Paid(uint256 indexed id, address indexed to, uint256 amount);
    event Ruled(uint256 indexed id, uint256 sellerPercent);

    function open(address seller, address arbiter) external payable returns (uint256 id) {
        require(msg.value > 0, "nothing");
        require(seller != address(0) && seller != address(this), "seller");
        require(arbiter != address(0) && arbiter != address(this), "arbiter");
        require(seller != msg.sender && arbiter != msg.sender && arbiter != seller, "same party");
        id = deals.length;
        deals.push(Deal(msg.sender, seller, arbiter, msg.value, State.Funded));
        emit Opened(id, msg.sender, seller, msg.value);
    }

    function confirm(uint256 id) external {
        require(msg.sender == deals[id].buyer, "not the buyer");
        pay(id, deals[id].seller);
    }

    function giveUp(uint256 id) external {
        require(msg.sender == deals[id].seller, "not the seller");
        pay(id, deals[id].buyer);
    }

    function pay(uint256 id, address to) internal {
        Deal storage d = deals[id];
        require(d.state == State.Funded, "state");
        d.state = State.Paying;
        (bool ok, ) = to.call{value: d.amount}("");
        require(ok, "payment failed");
        d.state = State.Done;
        volume[to] += d.amount;
        emit Paid(id, to, d.amount);
        d.amount = 0;
    }

    /// Works even when one of the two refuses ether: both fetch their part themselves.
    function rule(uint256 id, uint256 sellerPercent) external {
        Deal storage d = deals[id];
        require(msg.sender == d.arbiter, "not the arbiter");
        require(d.state == State.Funded, "state");
        require(sellerPercent <= 100, "percent");
        d.state = State.Ruled;
        uint256 part = d.amount * sellerPercent / 100;
        awarded[d.seller] += part;
        awarded[d.buyer] += d.amount - part;
        d.amount = 0;
        emit Ruled(id, sellerPercent);
    }

    function fetchAward(address to) external {
        require(to != address(0), "to");
        uint256 amount = awarded[msg.sender];
        require(amount > 0, "nothing");
        delete awarded[msg.sender];
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
