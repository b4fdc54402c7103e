pragma solidity ^0.4.24;

/// @custom:safe
/** Three keys. One key spends up to a daily limit, two keys do anything. */
contract QuorumSafeGood {
    struct Order {
        address to;
        uint256 value;
        bytes data;
        bool done;
        uint256 signatures;
    }

    address[3] public keys;
    uint256 public dailyLimit;
    uint256 public spentToday;
    uint256 public today;
    Order[] private orders;
    mapping(uint256 => mapping(address => bool)) public signed;

    event Received(address indexed from, uint256 value);
    event Ordered(uint256 indexed id, address to, uint256 value);
    event Signed(uint256 indexed id, address key);
    event Done(uint256 indexed id);
    event Failed(uint256 indexed id);

    constructor(address second, address third, uint256 limit) public {
        require(second != 0 && third != 0 && second != third, "keys");
        require(second != msg.sender && third != msg.sender, "keys");
        keys[0] = msg.sender;
        keys[1] = second;
        keys[2] = third;
        dailyLimit = limit;
    }

    modifier onlyKey() {
        require(msg.sender == keys[0] || msg.sender == keys[1] || msg.sender == keys[2], "no key");
        _;
    }

    function() external payable {
        if (msg.value > 0) emit Received(msg.sender, msg.value);
    }

    function spend(address to, uint256 value) external onlyKey {
        require(to != 0, "to");
        uint256 day = now / 1 days;
        if (day > today) {
            today = day;
            spentToday = 0;
        }
        uint256 sum = spentToday + value;
        require(sum >= value && sum <= dailyLimit, "limit");
        spentToday = sum;
        require(to.call.value(value)(), "payment");
    }

    function order(address to, uint256 value, bytes data) external onlyKey returns (uint256 id) {
        require(to != 0, "to");
        id = orders.length++;
        orders[id].to = to;
        orders[id].value = value;
        orders[id].data = data;
        emit Ordered(id, to, value);
        signAs(id);
    }

    function sign(uint256 id) external onlyKey {
        require(id < orders.length, "no such order");
        signAs(id);
    }

    /// For orders whose call failed: a key tries again.
    function retry(uint256 id) external onlyKey {
        require(id < orders.length, "no such order");
        run(id);
    }

    function signAs(uint256 id) private {
        require(!signed[id][msg.sender], "signed");
        signed[id][msg.sender] = true;
        orders[id].signatures++;
        emit Signed(id, msg.sender);
        if (orders[id].signatures == 2) run(id);
    }

    function run(uint256 id) private {
        Order storage o = orders[id];
        require(!o.done && o.signatures >= 2, "not ready");
        o.done = true;
        if (o.to.call.value(o.value)(o.data)) {
            emit Done(id);
        } else {
            o.done = false;
            emit Failed(id);
        }
    }
}
