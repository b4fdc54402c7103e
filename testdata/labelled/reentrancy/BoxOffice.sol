// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable reentrancy refund(uint256)
/**
 * A ticket is marked as returned only after its price has been paid back, so one ticket can be returned many
 * times.
 */
contract BoxOfficeBad {
    address payable public organiser;
    uint256 public price;
    uint256 public sold;
    bool public started;
    mapping(uint256 => address) public holderOf;

    event Sold(uint256 indexed ticket, address holder);
    event Returned(uint256 indexed ticket, address holder);

    constructor(uint256 price_) public {
        require(price_ > 0 && price_ <= 1 ether, "price");
        price = price_;
        organiser = msg.sender;
    }

    function buy() external payable returns (uint256 ticket) {
        require(!started, "too late");
        require(msg.value == price, "exact price");
        ticket = ++sold;
        holderOf[ticket] = msg.sender;
        emit Sold(ticket, msg.sender);
    }

    function refund(uint256 ticket) external {
        require(!started, "too late");
        require(holderOf[ticket] == msg.sender, "not yours");
        (bool ok, ) = msg.sender.call.value(price)("");
        require(ok, "rejected");
        holderOf[ticket] = address(0);
        emit Returned(ticket, msg.sender);
    }

    function startShow() external {
        require(msg.sender == organiser, "organiser only");
        started = true;
    }

    function collect() external {
        require(msg.sender == organiser && started, "not yet");
        (bool ok, ) = organiser.call.value(address(this).balance)("");
        require(ok, "rejected");
    }
}

/// @custom:safe
/** The ticket is taken back first. */
contract BoxOfficeGood {
    address payable public organiser;
    uint256 public price;
    uint256 public sold;
    bool public started;
    mapping(uint256 => address) public holderOf;

    event Sold(uint256 indexed ticket, address holder);
    event Returned(uint256 indexed ticket, address holder);

    constructor(uint256 price_) public {
        require(price_ > 0 && price_ <= 1 ether, "price");
        price = price_;
        organiser = msg.sender;
    }

    function buy() external payable returns (uint256 ticket) {
        require(!started, "too late");
        require(msg.value == price, "exact price");
        ticket = ++sold;
        holderOf[ticket] = msg.sender;
        emit Sold(ticket, msg.sender);
    }

    function refund(uint256 ticket) external {
        require(!started, "too late");
        require(holderOf[ticket] == msg.sender, "not yours");
        holderOf[ticket] = address(0);
        (bool ok, ) = msg.sender.call.value(price)("");
        require(ok, "rejected");
        emit Returned(ticket, msg.sender);
    }

    function startShow() external {
        require(msg.sender == organiser, "organiser only");
        started = true;
    }

    function collect() external {
        require(msg.sender == organiser && started, "not yet");
        (bool ok, ) = organiser.call.value(address(this).balance)("");
        require(ok, "rejected");
    }
}
