// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Dutch auctions of unclaimed cargo: the price falls once a day from `start` to `floor`.
/// @custom:safe
contract LotDutchGood {
    struct Lot {
        address seller;
        address holder;
        uint64 opened;
        uint16 numDays;
        uint96 start;
        uint96 floor;
        bool closed;
    }

    Lot[] private lots;
    mapping(address => uint256) public credit;

    event Listed(uint256 indexed id, address indexed seller, uint96 start, uint96 floor, uint16 numDays);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);
    event Cancelled(uint256 indexed id);

    function list(uint96 start, uint96 floor, uint16 numDays) external returns (uint256 id) {
        require(floor > 0 && floor <= start, "prices");
        require(numDays >= 7 && numDays <= 90, "days");
        id = lots.length;
        lots.push(Lot(msg.sender, msg.sender, uint64(block.timestamp), numDays, start, floor, false));
        emit Listed(id, msg.sender, start, floor, numDays);
    }

    function priceOf(uint256 id) public view returns (uint256) {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        unchecked {
            // the clock never runs backwards, floor <= start, 96 + 16 bits fit into 256
            uint256 elapsed = (block.timestamp - lot.opened) / 1 days;
            if (elapsed >= lot.numDays) return lot.floor;
            uint256 drop = (uint256(lot.start) - lot.floor) * elapsed / lot.numDays;
            return lot.start - drop;
        }
    }

    /// The price only falls, so whoever pays too much gets the rest credited.
    function buy(uint256 id) external payable {
        uint256 price = priceOf(id);
        Lot storage lot = lots[id];
        require(!lot.closed, "closed");
        require(msg.value >= price, "too little");
        lot.closed = true;
        lot.holder = msg.sender;
        credit[lot.seller] += price;
        unchecked {
            credit[msg.sender] += msg.value - price;
        }
        emit Sold(id, msg.sender, price);
    }

    function cancel(uint256 id) external {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        require(msg.sender == lot.seller && !lot.closed, "not yours or closed");
        lot.closed = true;
        emit Cancelled(id);
    }

    function holderOf(uint256 id) external view returns (address) {
        require(id < lots.length, "no such lot");
        return lots[id].holder;
    }

    /// Pays out; a failure puts the credit back instead of reverting.
    function withdraw(address payable to) external returns (bool ok) {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (ok, ) = to.call{value: amount}("");
        if (!ok) credit[msg.sender] += amount;
    }
}
