pragma solidity ^0.5.0;

/// @custom:vulnerable selfdestruct decommission()
/** Ticket booth of one event: transferable tickets, refunds when the event is called off. */
contract SeasonTicketsBad {
    uint256 public constant MAX_PER_PURCHASE = 10;

    address payable public organiser;
    uint256 public price;
    uint256 public capacity;
    uint256 public eventDate;
    uint256 public sold;
    uint256 public refundsOutstanding;
    bool public cancelled;
    bool public collected;
    mapping(address => uint256) public tickets;

    event Bought(address indexed buyer, uint256 count);
    event Moved(address indexed from, address indexed to, uint256 count);
    event Refunded(address indexed holder, uint256 amount);
    event Cancelled();

    modifier onlyOrganiser() {
        require(msg.sender == organiser, "organiser only");
        _;
    }

    constructor(uint256 _price, uint256 _capacity, uint256 daysAhead) public {
        require(_price > 0 && _price <= 100 ether, "price range");
        require(_capacity > 0 && _capacity <= 100000, "capacity range");
        require(daysAhead > 0 && daysAhead <= 730, "date range");
        organiser = msg.sender;
        price = _price;
        capacity = _capacity;
        eventDate = now + daysAhead * 1 days;
    }

    function buy(uint256 count) external payable {
        require(now < eventDate && !cancelled, "sale over");
        require(count > 0 && count <= MAX_PER_PURCHASE, "count");
        require(sold + count <= capacity, "sold out");
        require(msg.value == count * price, "exact price only");
        sold += count;
        tickets[msg.sender] += count;
        emit Bought(msg.sender, count);
    }

    function moveTickets(address to, uint256 count) external {
        require(to != address(0) && to != address(this), "bad receiver");
        require(count > 0 && count <= tickets[msg.sender], "not enough tickets");
        tickets[msg.sender] -= count;
        tickets[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function cancel() external onlyOrganiser {
        require(now < eventDate && !cancelled, "too late");
        cancelled = true;
        refundsOutstanding = sold;
        emit Cancelled();
    }

    function refund() external {
        require(cancelled, "event takes place");
        uint256 count = tickets[msg.sender];
        require(count > 0, "no tickets");
        tickets[msg.sender] = 0;
        refundsOutstanding -= count;
        (bool ok, ) = msg.sender.call.value(count * price)("");
        require(ok, "refund failed");
        emit Refunded(msg.sender, count * price);
    }

    function collect() external onlyOrganiser {
        require(now >= eventDate && !cancelled && !collected, "not collectable");
        collected = true;
        (bool ok, ) = organiser.call.value(sold * price)("");
        require(ok, "collection failed");
    }

    function decommission() external {
        require(msg.sender == organiser || now > eventDate + 30 days, "not yet");
        require(now > eventDate, "season running");
        selfdestruct(organiser);
    }
}

/// @custom:safe
/** Ticket booth of one event: transferable tickets, refunds when the event is called off. */
contract SeasonTicketsGood {
    uint256 public constant MAX_PER_PURCHASE = 10;

    address payable public organiser;
    uint256 public price;
    uint256 public capacity;
    uint256 public eventDate;
    uint256 public sold;
    uint256 public refundsOutstanding;
    bool public cancelled;
    bool public collected;
    mapping(address => uint256) public tickets;

    event Bought(address indexed buyer, uint256 count);
    event Moved(address indexed from, address indexed to, uint256 count);
    event Refunded(address indexed holder, uint256 amount);
    event Cancelled();

    modifier onlyOrganiser() {
        require(msg.sender == organiser, "organiser only");
        _;
    }

    constructor(uint256 _price, uint256 _capacity, uint256 daysAhead) public {
        require(_price > 0 && _price <= 100 ether, "price range");
        require(_capacity > 0 && _capacity <= 100000, "capacity range");
        require(daysAhead > 0 && daysAhead <= 730, "date range");
        organiser = msg.sender;
        price = _price;
        capacity = _capacity;
        eventDate = now + daysAhead * 1 days;
    }

    function buy(uint256 count) external payable {
        require(now < eventDate && !cancelled, "sale over");
        require(count > 0 && count <= MAX_PER_PURCHASE, "count");
        require(sold + count <= capacity, "sold out");
        require(msg.value == count * price, "exact price only");
        sold += count;
        tickets[msg.sender] += count;
        emit Bought(msg.sender, count);
    }

    function moveTickets(address to, uint256 count) external {
        require(to != address(0) && to != address(this), "bad receiver");
        require(count > 0 && count <= tickets[msg.sender], "not enough tickets");
        tickets[msg.sender] -= count;
        tickets[to] += count;
        emit Moved(msg.sender, to, count);
    }

    function cancel() external onlyOrganiser {
        require(now < eventDate && !cancelled, "too late");
        cancelled = true;
        refundsOutstanding = sold;
        emit Cancelled();
    }

    function refund() external {
        require(cancelled, "event takes place");
        uint256 count = tickets[msg.sender];
        require(count > 0, "no tickets");
        tickets[msg.sender] = 0;
        refundsOutstanding -= count;
        (bool ok, ) = msg.sender.call.value(count * price)("");
        require(ok, "refund failed");
        emit Refunded(msg.sender, count * price);
    }

    function collect() external onlyOrganiser {
        require(now >= eventDate && !cancelled && !collected, "not collectable");
        collected = true;
        (bool ok, ) = organiser.call.value(sold * price)("");
        require(ok, "collection failed");
    }

    function decommission() external onlyOrganiser {
        require(now > eventDate + 30 days, "not yet");
        require(refundsOutstanding == 0, "refunds outstanding");
        selfdestruct(organiser);
    }
}
