// Modelled on audit findings about sales with a volume discount: what is given back is reckoned with the list price and not
// with what the customer has paid, and the difference is other customers' money.
// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable excess-withdrawal refund(uint256)
/** Rides bought at a discount are refunded at the full fare. */
contract TramPassBad {
    struct Pass {
        uint256 rides;
        uint256 paid;
    }

    uint256 public constant FARE = 1 finney;
    uint256 public constant BULK = 10;
    uint256 public constant BULK_DISCOUNT = 20; // percent
    uint256 public constant MOST = 1000;

    address payable public operator;
    uint256 public earned;
    uint32 public stamp = 5381; // printed on the pass, changes with every ride
    mapping(address => Pass) public passes;

    event Bought(address indexed rider, uint256 rides, uint256 paid);
    event Ridden(address indexed rider, uint256 left);
    event Refunded(address indexed rider, uint256 rides, uint256 amount);

    constructor() public {
        operator = msg.sender;
    }

    function price(uint256 rides) public pure returns (uint256) {
        require(rides > 0 && rides <= MOST, "1 to 1000 rides");
        uint256 full = rides * FARE;
        return rides >= BULK ? full * (100 - BULK_DISCOUNT) / 100 : full;
    }

    // too much is not accepted, the change would be forgotten
    function buy(uint256 rides) external payable {
        require(msg.value == price(rides), "wrong price");
        Pass storage pass = passes[msg.sender];
        pass.rides += rides;
        pass.paid += msg.value;
        emit Bought(msg.sender, rides, msg.value);
    }

    function ride() external {
        Pass storage pass = passes[msg.sender];
        require(pass.rides > 0, "no rides left");
        uint256 part = pass.paid / pass.rides;
        pass.rides -= 1;
        pass.paid -= part;
        earned += part;
        stamp = stamp * 33 + uint32(uint160(msg.sender)); // wraps on purpose
        emit Ridden(msg.sender, pass.rides);
    }

    function refund(uint256 rides) external {
        Pass storage pass = passes[msg.sender];
        require(rides > 0 && pass.rides >= rides, "not so many rides");
        uint256 amount = rides * FARE; // <- bug
        pass.paid -= pass.paid * rides / pass.rides;
        pass.rides -= rides;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "refused");
        emit Refunded(msg.sender, rides, amount);
    }

    function collect(uint256 amount) external {
        require(msg.sender == operator, "operator only");
        require(earned >= amount, "not earned");
        earned -= amount;
        operator.transfer(amount);
    }
}

/// @custom:safe
/** A refund is the part of what the holder has paid. */
contract TramPassGood {
    struct Pass {
        uint256 rides;
        uint256 paid;
    }

    uint256 public constant FARE = 1 finney;
    uint256 public constant BULK = 10;
    uint256 public constant BULK_DISCOUNT = 20; // percent
    uint256 public constant MOST = 1000;

    address payable public operator;
    uint256 public earned;
    uint32 public stamp = 5381; // printed on the pass, changes with every ride
    mapping(address => Pass) public passes;

    event Bought(address indexed rider, uint256 rides, uint256 paid);
    event Ridden(address indexed rider, uint256 left);
    event Refunded(address indexed rider, uint256 rides, uint256 amount);

    constructor() public {
        operator = msg.sender;
    }

    function price(uint256 rides) public pure returns (uint256) {
        require(rides > 0 && rides <= MOST, "1 to 1000 rides");
        uint256 full = rides * FARE;
        return rides >= BULK ? full * (100 - BULK_DISCOUNT) / 100 : full;
    }

    // too much is not accepted, the change would be forgotten
    function buy(uint256 rides) external payable {
        require(msg.value == price(rides), "wrong price");
        Pass storage pass = passes[msg.sender];
        pass.rides += rides;
        pass.paid += msg.value;
        emit Bought(msg.sender, rides, msg.value);
    }

    function ride() external {
        Pass storage pass = passes[msg.sender];
        require(pass.rides > 0, "no rides left");
        uint256 part = pass.paid / pass.rides;
        pass.rides -= 1;
        pass.paid -= part;
        earned += part;
        stamp = stamp * 33 + uint32(uint160(msg.sender)); // wraps on purpose
        emit Ridden(msg.sender, pass.rides);
    }

    function refund(uint256 rides) external {
        Pass storage pass = passes[msg.sender];
        require(rides > 0 && pass.rides >= rides, "not so many rides");
        uint256 amount = pass.paid * rides / pass.rides;
        pass.paid -= amount;
        pass.rides -= rides;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "refused");
        emit Refunded(msg.sender, rides, amount);
    }

    function collect(uint256 amount) external {
        require(msg.sender == operator, "operator only");
        require(earned >= amount, "not earned");
        earned -= amount;
        operator.transfer(amount);
    }
}
