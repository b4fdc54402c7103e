// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable panic checkOut(uint256)
contract RentalDeskBad {
    struct Booking {
        uint64 nights;
        uint64 until;
        bool active;
    }

    uint256 public constant MAX_NIGHTS = 60;
    uint256 public constant OVERDUE = 7 days;

    address public immutable host;
    uint256 public immutable nightPrice;
    uint256 public immutable deposit;
    uint256 public immutable rooms;

    uint256 public occupied;
    uint256 public starSum;
    uint256 public reviews;
    mapping(address => Booking) public bookings;
    mapping(address => uint256) public credits;

    event Booked(address indexed guest, uint256 nights);
    event CheckedOut(address indexed guest, uint256 stars);
    event Closed(address indexed guest);

    constructor(uint256 _nightPrice, uint256 _deposit, uint256 _rooms) {
        require(_nightPrice > 0 && _nightPrice <= 100 ether, "price range");
        require(_deposit > 0 && _deposit <= 1000 ether, "deposit range");
        require(_rooms > 0 && _rooms <= 1000, "rooms range");
        host = msg.sender;
        nightPrice = _nightPrice;
        deposit = _deposit;
        rooms = _rooms;
    }

    function averageStars() external view returns (uint256) {
        return reviews == 0 ? 0 : starSum / reviews;
    }

    function book(uint64 nights) external payable {
        require(nights > 0 && nights <= MAX_NIGHTS, "nights");
        require(!bookings[msg.sender].active, "one booking a guest");
        require(occupied < rooms, "fully booked");
        require(msg.value == nights * nightPrice + deposit, "rent and deposit");
        occupied += 1;
        bookings[msg.sender] = Booking(nights, uint64(block.timestamp) + nights * 1 days, true);
        emit Booked(msg.sender, nights);
    }

    function checkOut(uint256 stars) external {
        require(stars >= 1, "stars");
        require(bookings[msg.sender].active, "no booking");
        starSum += stars;
        reviews += 1;
        _close(msg.sender);
        emit CheckedOut(msg.sender, stars);
    }

    function closeOverdue(address guest) external {
        Booking storage b = bookings[guest];
        require(msg.sender == host, "host only");
        require(b.active && block.timestamp > b.until + OVERDUE, "not overdue");
        _close(guest);
        emit Closed(guest);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _close(address guest) private {
        uint256 rent = bookings[guest].nights * nightPrice;
        delete bookings[guest];
        unchecked {
            occupied -= 1;
        }
        credits[guest] += deposit;
        credits[host] += rent;
    }
}

/// @custom:safe
contract RentalDeskGood {
    struct Booking {
        uint64 nights;
        uint64 until;
        bool active;
    }

    uint256 public constant MAX_NIGHTS = 60;
    uint256 public constant OVERDUE = 7 days;

    address public immutable host;
    uint256 public immutable nightPrice;
    uint256 public immutable deposit;
    uint256 public immutable rooms;

    uint256 public occupied;
    uint256 public starSum;
    uint256 public reviews;
    mapping(address => Booking) public bookings;
    mapping(address => uint256) public credits;

    event Booked(address indexed guest, uint256 nights);
    event CheckedOut(address indexed guest, uint256 stars);
    event Closed(address indexed guest);

    constructor(uint256 _nightPrice, uint256 _deposit, uint256 _rooms) {
        require(_nightPrice > 0 && _nightPrice <= 100 ether, "price range");
        require(_deposit > 0 && _deposit <= 1000 ether, "deposit range");
        require(_rooms > 0 && _rooms <= 1000, "rooms range");
        host = msg.sender;
        nightPrice = _nightPrice;
        deposit = _deposit;
        rooms = _rooms;
    }

    function averageStars() external view returns (uint256) {
        return reviews == 0 ? 0 : starSum / reviews;
    }

    function book(uint64 nights) external payable {
        require(nights > 0 && nights <= MAX_NIGHTS, "nights");
        require(!bookings[msg.sender].active, "one booking a guest");
        require(occupied < rooms, "fully booked");
        require(msg.value == nights * nightPrice + deposit, "rent and deposit");
        occupied += 1;
        bookings[msg.sender] = Booking(nights, uint64(block.timestamp) + nights * 1 days, true);
        emit Booked(msg.sender, nights);
    }

    function checkOut(uint256 stars) external {
        require(stars >= 1 && stars <= 5, "stars");
        require(bookings[msg.sender].active, "no booking");
        starSum += stars;
        reviews += 1;
        _close(msg.sender);
        emit CheckedOut(msg.sender, stars);
    }

    function closeOverdue(address guest) external {
        Booking storage b = bookings[guest];
        require(msg.sender == host, "host only");
        require(b.active && block.timestamp > b.until + OVERDUE, "not overdue");
        _close(guest);
        emit Closed(guest);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function _close(address guest) private {
        uint256 rent = bookings[guest].nights * nightPrice;
        delete bookings[guest];
        unchecked {
            occupied -= 1;
        }
        credits[guest] += deposit;
        credits[host] += rent;
    }
}
