pragma solidity ^0.5.0;

/// @custom:safe
/** Rounds of open auctions for a berth. The one who is outbid is paid by send or gets credit. */
contract BerthAuctionGood {
    uint256 public constant LENGTH = 3 days;

    address public owner;
    uint256 public minimum;
    uint256 public round;
    uint256 public ends;
    address payable public leader;
    uint256 public best;
    mapping(uint256 => address) public berthOf; // round => winner
    mapping(address => uint256) public credit;

    event Opened(uint256 indexed round, uint256 ends);
    event Bid(uint256 indexed round, address indexed who, uint256 amount);
    event Refunded(address indexed who, uint256 amount, bool sent);
    event Settled(uint256 indexed round, address winner, uint256 amount);

    constructor(uint256 minimum_) public {
        owner = msg.sender;
        minimum = minimum_;
    }

    function open() external {
        require(msg.sender == owner, "not the owner");
        require(ends == 0, "not settled");
        round++;
        ends = now + LENGTH;
        emit Opened(round, ends);
    }

    function bid() external payable {
        require(ends != 0 && now < ends, "not open");
        require(msg.value > 0 && msg.value >= minimum, "minimum");
        // best is ether that is really here, so best + best / 20 is far from wrapping
        require(msg.value >= best + best / 20 && msg.value > best, "5 % more");
        address payable outbid = leader;
        uint256 amount = best;
        leader = msg.sender;
        best = msg.value;
        emit Bid(round, msg.sender, msg.value);
        if (amount > 0) {
            bool sent = outbid.send(amount);
            if (!sent) credit[outbid] += amount;
            emit Refunded(outbid, amount, sent);
        }
    }

    /// Anybody may settle; nothing is sent here.
    function settle() external {
        require(ends != 0 && now >= ends, "not over");
        berthOf[round] = leader;
        credit[owner] += best;
        emit Settled(round, leader, best);
        leader = address(0);
        best = 0;
        ends = 0;
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment");
    }
}
