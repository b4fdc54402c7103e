// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:safe
/** Sales between people (no contracts) with the deployer as arbiter. */
contract CargoEscrowGood {
    enum State { None, Offered, Funded, Disputed, Closed }

    struct Sale {
        address payable seller;
        address payable buyer;
        uint128 price;
        uint64 fundedAt;
        State state;
    }

    uint256 public constant PATIENCE = 30 days;

    address public immutable arbiter;
    uint256 public count;
    mapping(uint256 => Sale) public sales;
    mapping(address => uint256) public owed;

    event Moved(uint256 indexed id, State state);
    event Paid(address indexed to, uint256 amount, bool atOnce);

    constructor() {
        arbiter = msg.sender;
    }

    modifier onlyPeople() {
        // no authority comes from this: it only keeps contracts out
        require(tx.origin == msg.sender, "people only");
        _;
    }

    function offer(uint128 price) external onlyPeople returns (uint256 id) {
        require(price > 0, "price");
        id = ++count;
        sales[id].seller = msg.sender;
        sales[id].price = price;
        _to(id, State.Offered);
    }

    function withdrawOffer(uint256 id) external {
        Sale storage s = sales[id];
        require(s.state == State.Offered && msg.sender == s.seller, "not yours");
        _to(id, State.Closed);
    }

    function fund(uint256 id) external payable onlyPeople {
        Sale storage s = sales[id];
        require(s.state == State.Offered && msg.value == s.price, "state or price");
        s.buyer = msg.sender;
        s.fundedAt = uint64(block.timestamp);
        _to(id, State.Funded);
    }

    function arrived(uint256 id) external {
        Sale storage s = sales[id];
        require(s.state == State.Funded && msg.sender == s.buyer, "not the buyer");
        _to(id, State.Closed);
        _pay(s.seller, s.price);
    }

    function dispute(uint256 id) external {
        Sale storage s = sales[id];
        require(s.state == State.Funded, "state");
        require(msg.sender == s.buyer || msg.sender == s.seller, "not a party");
        _to(id, State.Disputed);
    }

    function decide(uint256 id, uint8 sellerPercent) external {
        Sale storage s = sales[id];
        require(msg.sender == arbiter && s.state == State.Disputed && sellerPercent <= 100, "arbiter");
        _to(id, State.Closed);
        uint256 part = uint256(s.price) * sellerPercent / 100; // 128 + 7 bits
        _pay(s.seller, part);
        _pay(s.buyer, s.price - part);
    }

    /// The buyer has had a month to complain.
    function late(uint256 id) external {
        Sale storage s = sales[id];
        require(s.state == State.Funded && msg.sender == s.seller, "not the seller");
        require(block.timestamp - s.fundedAt > PATIENCE, "too early");
        _to(id, State.Closed);
        _pay(s.seller, s.price);
    }

    function collect(address payable to) external {
        uint256 amount = owed[msg.sender];
        require(to != address(0) && amount > 0, "nothing");
        owed[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function _to(uint256 id, State state) private {
        sales[id].state = state;
        emit Moved(id, state);
    }

    function _pay(address payable to, uint256 amount) private {
        bool atOnce = to.send(amount);
        if (!atOnce) owed[to] += amount;
        emit Paid(to, amount, atOnce);
    }
}
