// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on SWC-118 as it was met in the pyramid that was renamed before its release in 2016: its constructor kept the
// former name and became a function that anybody can call.

/// @custom:vulnerable ownership-takeover BannerRing()
/** The contract was renamed, but not its constructor: whoever calls it becomes the publisher. */
contract BannerRingBad {
    struct Banner {
        address advertiser;
        bytes32 text;
        uint256 paid;
        uint256 placedAt;
    }

    uint256 public constant PLACES = 8;

    address public publisher;
    uint256 public price = 50 finney;
    uint256 public takings;
    uint256 public next;
    Banner[8] public banners;
    mapping(address => uint256) public placed;

    event Placed(uint256 indexed place, address indexed advertiser, bytes32 text);
    event PriceChanged(uint256 price);
    event Collected(uint256 amount);

    function BannerRing() public {
        publisher = msg.sender; // <- bug
    }

    modifier onlyPublisher() {
        require(msg.sender == publisher);
        _;
    }

    // payments without data place an empty banner
    function() public payable {
        place(bytes32(0));
    }

    /** Each banner takes the place of the oldest one. */
    function place(bytes32 text) public payable {
        require(msg.value >= price);
        Banner storage banner = banners[next];
        banner.advertiser = msg.sender;
        banner.text = text;
        banner.paid = msg.value;
        banner.placedAt = now;
        takings += msg.value;
        placed[msg.sender] += 1;
        emit Placed(next, msg.sender, text);
        next = (next + 1) % PLACES;
    }

    function edit(uint256 index, bytes32 text) public {
        require(index < PLACES && banners[index].advertiser == msg.sender);
        banners[index].text = text;
        emit Placed(index, msg.sender, text);
    }

    function setPrice(uint256 price_) public onlyPublisher {
        require(price_ > 0 && price_ <= 10 ether);
        price = price_;
        emit PriceChanged(price_);
    }

    function collect() public onlyPublisher {
        require(takings > 0);
        uint256 amount = takings;
        takings = 0;
        require(msg.sender.call.value(amount)());
        emit Collected(amount);
    }

    function handOver(address successor) public onlyPublisher {
        require(successor != address(0));
        publisher = successor;
    }
}

/// @custom:safe
/** An old constructor, named like the contract: it cannot be called later. */
contract BannerRingGood {
    struct Banner {
        address advertiser;
        bytes32 text;
        uint256 paid;
        uint256 placedAt;
    }

    uint256 public constant PLACES = 8;

    address public publisher;
    uint256 public price = 50 finney;
    uint256 public takings;
    uint256 public next;
    Banner[8] public banners;
    mapping(address => uint256) public placed;

    event Placed(uint256 indexed place, address indexed advertiser, bytes32 text);
    event PriceChanged(uint256 price);
    event Collected(uint256 amount);

    function BannerRingGood() public {
        publisher = msg.sender;
    }

    modifier onlyPublisher() {
        require(msg.sender == publisher);
        _;
    }

    // payments without data place an empty banner
    function() public payable {
        place(bytes32(0));
    }

    /** Each banner takes the place of the oldest one. */
    function place(bytes32 text) public payable {
        require(msg.value >= price);
        Banner storage banner = banners[next];
        banner.advertiser = msg.sender;
        banner.text = text;
        banner.paid = msg.value;
        banner.placedAt = now;
        takings += msg.value;
        placed[msg.sender] += 1;
        emit Placed(next, msg.sender, text);
        next = (next + 1) % PLACES;
    }

    function edit(uint256 index, bytes32 text) public {
        require(index < PLACES && banners[index].advertiser == msg.sender);
        banners[index].text = text;
        emit Placed(index, msg.sender, text);
    }

    function setPrice(uint256 price_) public onlyPublisher {
        require(price_ > 0 && price_ <= 10 ether);
        price = price_;
        emit PriceChanged(price_);
    }

    function collect() public onlyPublisher {
        require(takings > 0);
        uint256 amount = takings;
        takings = 0;
        require(msg.sender.call.value(amount)());
        emit Collected(amount);
    }

    function handOver(address successor) public onlyPublisher {
        require(successor != address(0));
        publisher = successor;
    }
}
