pragma solidity ^0.4.24;

/// @custom:safe
/** Presents that can be opened from a day on. Until then the giver may think again; a present that nobody opened for five years goes back to the giver. */
contract BirthdayGiftGood {
    struct Gift {
        address giver;
        address child;
        uint256 amount;
        uint256 opensAt;
    }

    mapping(uint256 => Gift) public gifts;
    uint256 public count;
    uint256 private lock;

    event Wrapped(uint256 indexed id, address indexed giver, address indexed child, uint256 amount);
    event Unwrapped(uint256 indexed id, address indexed by, uint256 amount);

    modifier alone() {
        require(lock == 0, "busy");
        lock = 1;
        _;
        lock = 0;
    }

    function wrap(address child, uint256 inDays) external payable alone returns (uint256 id) {
        require(child != address(0) && child != address(this), "child");
        require(inDays >= 1 && inDays <= 10000, "days");
        require(msg.value > 0, "nothing");
        id = count;
        count = id + 1;
        gifts[id] = Gift(msg.sender, child, msg.value, now + inDays * 1 days);
        emit Wrapped(id, msg.sender, child, msg.value);
    }

    /// The giver may add something.
    function addTo(uint256 id) external payable alone {
        Gift storage g = gifts[id];
        require(g.amount > 0 && now < g.opensAt, "no such present");
        require(msg.sender == g.giver && msg.value > 0, "not yours");
        g.amount += msg.value;
    }

    function unwrap(uint256 id, address to) external alone {
        Gift storage g = gifts[id];
        require(msg.sender == g.child, "not yours");
        require(now >= g.opensAt, "too early");
        release(id, to);
    }

    function takeBack(uint256 id, address to) external alone {
        Gift storage g = gifts[id];
        require(msg.sender == g.giver, "not yours");
        require(now < g.opensAt || now > g.opensAt + 5 * 365 days, "the child's turn");
        release(id, to);
    }

    function release(uint256 id, address to) internal {
        Gift storage g = gifts[id];
        require(to != address(0), "to");
        require(g.amount > 0, "empty");
        require(to.call.value(g.amount)(""), "payment failed");
        emit Unwrapped(id, msg.sender, g.amount);
        g.amount = 0;
        delete gifts[id];
    }
}
