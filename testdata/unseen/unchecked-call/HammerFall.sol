// Modelled on the early throne and auction contracts on mainnet, which sent the outbid stake back with send and went on
// whether or not it had arrived (SWC-104).
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable unchecked-call bid(uint256)
/** The outbid bidder counts as refunded even though the send has failed; the stake is then nobody's. */
contract HammerFallBad {
    struct Lot {
        address seller;
        address bidder;
        uint256 best;
        uint256 ends;
        bool settled;
    }

    mapping(uint256 => Lot) public lots;
    mapping(address => uint256) public proceeds;
    uint256 public lotCount;

    event LotOpened(uint256 indexed id, address indexed seller, uint256 ends);
    event NewBid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Refunded(uint256 indexed id, address indexed bidder, uint256 amount);
    event Sold(uint256 indexed id, address indexed bidder, uint256 amount);

    // a plain transfer is a bid for the newest lot
    function() public payable {
        bid(lotCount);
    }

    function openLot(uint256 duration) public returns (uint256 id) {
        require(duration >= 1 hours && duration <= 30 days);
        id = ++lotCount;
        lots[id].seller = msg.sender;
        lots[id].ends = now + duration;
        emit LotOpened(id, msg.sender, lots[id].ends);
    }

    function bid(uint256 id) public payable {
        Lot storage lot = lots[id];
        require(lot.seller != 0 && now < lot.ends);
        require(msg.value > lot.best);
        address outbid = lot.bidder;
        uint256 stake = lot.best;
        lot.bidder = msg.sender;
        lot.best = msg.value;
        if (outbid != 0) {
            outbid.send(stake); // <- bug
            emit Refunded(id, outbid, stake);
        }
        emit NewBid(id, msg.sender, msg.value);
    }

    function settle(uint256 id) public {
        Lot storage lot = lots[id];
        require(lot.seller != 0 && now >= lot.ends && !lot.settled);
        lot.settled = true;
        proceeds[lot.seller] += lot.best;
        emit Sold(id, lot.bidder, lot.best);
    }

    function withdraw(uint256 amount) public {
        require(proceeds[msg.sender] >= amount);
        proceeds[msg.sender] -= amount;
        require(msg.sender.call.value(amount)());
    }
}

/// @custom:safe
/** A stake that could not be sent back is put aside for its bidder. */
contract HammerFallGood {
    struct Lot {
        address seller;
        address bidder;
        uint256 best;
        uint256 ends;
        bool settled;
    }

    mapping(uint256 => Lot) public lots;
    mapping(address => uint256) public proceeds;
    uint256 public lotCount;

    event LotOpened(uint256 indexed id, address indexed seller, uint256 ends);
    event NewBid(uint256 indexed id, address indexed bidder, uint256 amount);
    event Refunded(uint256 indexed id, address indexed bidder, uint256 amount);
    event Sold(uint256 indexed id, address indexed bidder, uint256 amount);

    // a plain transfer is a bid for the newest lot
    function() public payable {
        bid(lotCount);
    }

    function openLot(uint256 duration) public returns (uint256 id) {
        require(duration >= 1 hours && duration <= 30 days);
        id = ++lotCount;
        lots[id].seller = msg.sender;
        lots[id].ends = now + duration;
        emit LotOpened(id, msg.sender, lots[id].ends);
    }

    function bid(uint256 id) public payable {
        Lot storage lot = lots[id];
        require(lot.seller != 0 && now < lot.ends);
        require(msg.value > lot.best);
        address outbid = lot.bidder;
        uint256 stake = lot.best;
        lot.bidder = msg.sender;
        lot.best = msg.value;
        if (outbid != 0) {
            if (outbid.send(stake)) {
                emit Refunded(id, outbid, stake);
            } else {
                proceeds[outbid] += stake;
            }
        }
        emit NewBid(id, msg.sender, msg.value);
    }

    function settle(uint256 id) public {
        Lot storage lot = lots[id];
        require(lot.seller != 0 && now >= lot.ends && !lot.settled);
        lot.settled = true;
        proceeds[lot.seller] += lot.best;
        emit Sold(id, lot.bidder, lot.best);
    }

    function withdraw(uint256 amount) public {
        require(proceeds[msg.sender] >= amount);
        proceeds[msg.sender] -= amount;
        require(msg.sender.call.value(amount)());
    }
}
