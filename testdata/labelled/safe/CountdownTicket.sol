pragma solidity ^0.4.24;

/// @custom:safe
/** Ferry tickets, numbered downwards from 500 to 1. Until the day before sailing they can be given back. */
contract CountdownTicketGood {
    address public owner;
    uint256 public price;
    uint256 public sails;
    uint16 public next = 500;
    uint16[] private returned;
    uint256 public sold;
    bool public collected;
    mapping(uint16 => address) public holder;

    event Bought(uint16 indexed id, address indexed who);
    event GivenBack(uint16 indexed id, address indexed who);
    event Passed(uint16 indexed id, address indexed from, address indexed to);

    constructor(uint256 price_, uint256 daysToSail) public {
        require(price_ > 0 && price_ <= 1000 ether, "price");
        require(daysToSail >= 2 && daysToSail <= 365, "days");
        owner = msg.sender;
        price = price_;
        sails = now + daysToSail * 1 days;
    }

    function buy() external payable returns (uint16 id) {
        require(now < sails, "sailed");
        require(msg.value == price, "exact price");
        if (returned.length > 0) {
            id = returned[returned.length - 1];
            returned.length--;
        } else {
            require(next > 0, "sold out");
            id = next--;
        }
        holder[id] = msg.sender;
        sold++;
        emit Bought(id, msg.sender);
    }

    function pass(uint16 id, address to) external {
        require(holder[id] == msg.sender, "not yours");
        require(to != address(0), "to");
        holder[id] = to;
        emit Passed(id, msg.sender, to);
    }

    function giveBack(uint16 id, address to) external {
        require(now < sails - 1 days, "too late");
        require(holder[id] == msg.sender, "not yours");
        require(to != address(0), "to");
        holder[id] = address(0);
        returned.push(id);
        sold--; // every held ticket was counted
        emit GivenBack(id, msg.sender);
        require(to.call.value(price)(), "payment");
    }

    function left() external view returns (uint256) {
        return uint256(next) + returned.length;
    }

    function collect(address to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "to");
        require(now >= sails && !collected, "not now");
        collected = true;
        if (!to.call.value(sold * price)()) {
            revert("payment");
        }
    }
}
