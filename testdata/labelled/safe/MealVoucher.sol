pragma solidity ^0.4.24;

/// @custom:safe
/** Canteen vouchers: bought in advance, eaten one by one, unused ones are taken back. The canteen earns only what was eaten. */
contract MealVoucherGood {
    address public canteen;
    uint256 public price;
    uint256 public takings;
    uint256 public outstanding;
    mapping(address => uint256) public vouchers;
    mapping(address => uint256) public eaten;

    event Bought(address indexed who, uint256 n);
    event Eaten(address indexed who, uint256 n);
    event TakenBack(address indexed who, uint256 n);

    constructor(uint256 price_) public {
        require(price_ > 0 && price_ <= 100 ether, "price");
        canteen = msg.sender;
        price = price_;
    }

    /// The change is given first, the vouchers are handed out afterwards.
    function buy(uint256 n) external payable {
        require(n > 0 && n <= 100, "number");
        uint256 cost = n * price;
        require(msg.value >= cost, "too little");
        if (msg.value > cost) {
            require(msg.sender.call.value(msg.value - cost)(""), "change failed");
        }
        vouchers[msg.sender] += n;
        outstanding += n;
        emit Bought(msg.sender, n);
    }

    function eat(uint256 n) external {
        require(n > 0 && n <= vouchers[msg.sender], "number");
        vouchers[msg.sender] -= n;
        outstanding -= n;
        eaten[msg.sender] += n;
        takings += n * price;
        emit Eaten(msg.sender, n);
    }

    function giveTo(address friend, uint256 n) external {
        require(friend != address(0) && friend != address(this), "friend");
        require(n > 0 && n <= vouchers[msg.sender], "number");
        vouchers[msg.sender] -= n;
        vouchers[friend] += n;
    }

    function takeBack(uint256 n, address to) external {
        require(to != address(0), "to");
        require(n > 0 && n <= vouchers[msg.sender], "number");
        vouchers[msg.sender] -= n;
        outstanding -= n;
        require(to.call.value(n * price)(""), "payment failed");
        emit TakenBack(msg.sender, n);
    }

    function collect(address to) external {
        require(msg.sender == canteen, "not the canteen");
        require(to != address(0), "to");
        uint256 amount = takings;
        takings = 0;
        require(to.call.value(amount)(""), "payment failed");
    }
}
