// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on audit findings about auctions (SWC-104): the proceeds are pushed to the seller, and a lot counts as paid
// whether or not the seller's contract has taken them.

/// The lot is closed and reported as paid even if the seller's contract did not take the proceeds, which nobody can fetch then.
/// @custom:vulnerable unchecked-call close(uint256)
contract GavelHouseBad {
    struct Lot {
        address seller;
        address bidder;
        uint256 bid;
        uint256 reserve;
        uint64 endsAt;
        bool closed;
        string title;
    }

    uint256 public constant COMMISSION = 2; // per cent

    address public immutable house;
    mapping(uint256 => Lot) public lots;
    mapping(address => uint256) public owed;
    uint256 public lotCount;

    event Listed(uint256 indexed lot, address indexed seller, string title);
    event Bid(uint256 indexed lot, address indexed bidder, uint256 amount);
    event Closed(uint256 indexed lot, address indexed winner, uint256 proceeds);
    event Withdrawn(address indexed who, uint256 amount);

    error NotOpen(uint256 lot);
    error TooLow(uint256 needed);

    constructor() {
        house = msg.sender;
    }

    modifier exists(uint256 id) {
        require(id < lotCount, "no such lot");
        _;
    }

    function list(string calldata title, uint256 reserve, uint32 duration) external returns (uint256 id) {
        require(duration <= 30 days, "too long");
        id = lotCount++;
        Lot storage lot = lots[id];
        lot.seller = msg.sender;
        lot.reserve = reserve;
        lot.endsAt = uint64(block.timestamp) + duration;
        lot.title = title;
        emit Listed(id, msg.sender, title);
    }

    /// Whoever is outbid finds the bid in `owed`.
    function bid(uint256 id) external payable exists(id) {
        Lot storage lot = lots[id];
        if (lot.closed || block.timestamp > lot.endsAt) revert NotOpen(id);
        uint256 needed = lot.bidder == address(0) ? lot.reserve : lot.bid + lot.bid / 20 + 1;
        if (msg.value < needed || msg.value == 0) revert TooLow(needed);
        if (lot.bidder != address(0)) owed[lot.bidder] += lot.bid;
        lot.bidder = msg.sender;
        lot.bid = msg.value;
        emit Bid(id, msg.sender, msg.value);
    }

    /// The seller may knock the lot down early; once its time is over anybody can.
    function close(uint256 id) external exists(id) {
        Lot storage lot = lots[id];
        if (lot.closed) revert NotOpen(id);
        require(msg.sender == lot.seller || block.timestamp > lot.endsAt, "still running");
        lot.closed = true;
        if (lot.bid == 0) {
            emit Closed(id, address(0), 0);
            return;
        }
        uint256 commission = (lot.bid * COMMISSION) / 100;
        uint256 proceeds = lot.bid - commission;
        owed[house] += commission;
        lot.seller.call{value: proceeds}(""); // <- bug
        emit Closed(id, lot.bidder, proceeds);
    }

    function withdraw(address payable to) external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }
}

/// Proceeds that the seller's contract does not take are owed to it, and it can have them sent elsewhere.
/// @custom:safe
contract GavelHouseGood {
    struct Lot {
        address seller;
        address bidder;
        uint256 bid;
        uint256 reserve;
        uint64 endsAt;
        bool closed;
        string title;
    }

    uint256 public constant COMMISSION = 2; // per cent

    address public immutable house;
    mapping(uint256 => Lot) public lots;
    mapping(address => uint256) public owed;
    uint256 public lotCount;

    event Listed(uint256 indexed lot, address indexed seller, string title);
    event Bid(uint256 indexed lot, address indexed bidder, uint256 amount);
    event Closed(uint256 indexed lot, address indexed winner, uint256 proceeds);
    event Withdrawn(address indexed who, uint256 amount);

    error NotOpen(uint256 lot);
    error TooLow(uint256 needed);

    constructor() {
        house = msg.sender;
    }

    modifier exists(uint256 id) {
        require(id < lotCount, "no such lot");
        _;
    }

    function list(string calldata title, uint256 reserve, uint32 duration) external returns (uint256 id) {
        require(duration <= 30 days, "too long");
        id = lotCount++;
        Lot storage lot = lots[id];
        lot.seller = msg.sender;
        lot.reserve = reserve;
        lot.endsAt = uint64(block.timestamp) + duration;
        lot.title = title;
        emit Listed(id, msg.sender, title);
    }

    /// Whoever is outbid finds the bid in `owed`.
    function bid(uint256 id) external payable exists(id) {
        Lot storage lot = lots[id];
        if (lot.closed || block.timestamp > lot.endsAt) revert NotOpen(id);
        uint256 needed = lot.bidder == address(0) ? lot.reserve : lot.bid + lot.bid / 20 + 1;
        if (msg.value < needed || msg.value == 0) revert TooLow(needed);
        if (lot.bidder != address(0)) owed[lot.bidder] += lot.bid;
        lot.bidder = msg.sender;
        lot.bid = msg.value;
        emit Bid(id, msg.sender, msg.value);
    }

    /// The seller may knock the lot down early; once its time is over anybody can.
    function close(uint256 id) external exists(id) {
        Lot storage lot = lots[id];
        if (lot.closed) revert NotOpen(id);
        require(msg.sender == lot.seller || block.timestamp > lot.endsAt, "still running");
        lot.closed = true;
        if (lot.bid == 0) {
            emit Closed(id, address(0), 0);
            return;
        }
        uint256 commission = (lot.bid * COMMISSION) / 100;
        uint256 proceeds = lot.bid - commission;
        owed[house] += commission;
        (bool taken, ) = lot.seller.call{value: proceeds}("");
        if (!taken) owed[lot.seller] += proceeds;
        emit Closed(id, lot.bidder, proceeds);
    }

    function withdraw(address payable to) external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(msg.sender, amount);
    }
}
