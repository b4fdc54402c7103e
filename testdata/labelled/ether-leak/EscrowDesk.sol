// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable ether-leak resolve(uint256,bool)
/** Anyone can become the arbiter of the desk, and so award the money of open deals to itself as the seller. */
contract EscrowDeskBad {
    struct Deal {
        address payable buyer;
        address payable seller;
        uint256 amount;
    }

    address public arbiter;
    mapping(uint256 => Deal) private deals;
    uint256 public count;

    event Opened(uint256 indexed id, address buyer, uint256 amount);
    event Resolved(uint256 indexed id, bool toSeller);

    constructor() public {
        arbiter = msg.sender;
    }

    function appoint(address arbiter_) external {
        require(arbiter_ != address(0), "nobody");
        arbiter = arbiter_;
    }

    function open() external payable returns (uint256 id) {
        require(msg.value > 0, "no money");
        id = ++count;
        deals[id].buyer = msg.sender;
        deals[id].amount = msg.value;
        emit Opened(id, msg.sender, msg.value);
    }

    function offer(uint256 id) external {
        require(deals[id].amount > 0 && deals[id].seller == address(0), "no open deal");
        deals[id].seller = msg.sender;
    }

    function resolve(uint256 id, bool toSeller) external {
        Deal storage deal = deals[id];
        require(msg.sender == arbiter, "arbiter only");
        require(deal.amount > 0 && (deal.seller != address(0) || !toSeller), "no deal");
        uint256 amount = deal.amount;
        deal.amount = 0;
        address payable to = toSeller ? deal.seller : deal.buyer;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "rejected");
        emit Resolved(id, toSeller);
    }
}

/// @custom:safe
/** Only the arbiter can appoint a successor; the arbiter is trusted. */
contract EscrowDeskGood {
    struct Deal {
        address payable buyer;
        address payable seller;
        uint256 amount;
    }

    address public arbiter;
    mapping(uint256 => Deal) private deals;
    uint256 public count;

    event Opened(uint256 indexed id, address buyer, uint256 amount);
    event Resolved(uint256 indexed id, bool toSeller);

    constructor() public {
        arbiter = msg.sender;
    }

    function appoint(address arbiter_) external {
        require(msg.sender == arbiter, "arbiter only");
        require(arbiter_ != address(0), "nobody");
        arbiter = arbiter_;
    }

    function open() external payable returns (uint256 id) {
        require(msg.value > 0, "no money");
        id = ++count;
        deals[id].buyer = msg.sender;
        deals[id].amount = msg.value;
        emit Opened(id, msg.sender, msg.value);
    }

    function offer(uint256 id) external {
        require(deals[id].amount > 0 && deals[id].seller == address(0), "no open deal");
        deals[id].seller = msg.sender;
    }

    function resolve(uint256 id, bool toSeller) external {
        Deal storage deal = deals[id];
        require(msg.sender == arbiter, "arbiter only");
        require(deal.amount > 0 && (deal.seller != address(0) || !toSeller), "no deal");
        uint256 amount = deal.amount;
        deal.amount = 0;
        address payable to = toSeller ? deal.seller : deal.buyer;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "rejected");
        emit Resolved(id, toSeller);
    }
}
