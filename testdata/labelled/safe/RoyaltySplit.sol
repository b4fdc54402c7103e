pragma solidity ^0.4.24;

/// @custom:safe
/** What a band earns is shared 50 : 30 : 20 between three seats. Whoever holds a seat may hand it on. */
contract RoyaltySplitGood {
    address[3] public seats;
    uint256[3] public owed;
    uint256 public totalIn;
    uint256 public totalOut;

    event Earned(address indexed from, uint256 amount);
    event Taken(uint256 indexed seat, address indexed to, uint256 amount);
    event HandedOn(uint256 indexed seat, address indexed from, address indexed to);

    constructor(address singer, address guitar, address drums) public {
        require(singer != address(0) && guitar != address(0) && drums != address(0), "seat");
        require(singer != address(this) && guitar != address(this) && drums != address(this), "seat");
        seats[0] = singer;
        seats[1] = guitar;
        seats[2] = drums;
    }

    /// The last seat gets what the division leaves.
    function pay() external payable {
        require(msg.value > 0, "nothing");
        uint256 first = msg.value * 50 / 100;
        uint256 second = msg.value * 30 / 100;
        owed[0] += first;
        owed[1] += second;
        owed[2] += msg.value - first - second;
        totalIn += msg.value;
        emit Earned(msg.sender, msg.value);
    }

    function take(uint256 seat, address to) external {
        require(seat < 3 && seats[seat] == msg.sender, "not your seat");
        require(to != address(0), "to");
        uint256 amount = owed[seat];
        require(amount > 0, "nothing");
        owed[seat] = 0;
        require(to.call.value(amount)(""), "payment failed");
        totalOut += amount;
        emit Taken(seat, to, amount);
    }

    /// With the seat goes what has not been taken yet.
    function handOn(uint256 seat, address to) external {
        require(seat < 3 && seats[seat] == msg.sender, "not your seat");
        require(to != address(0) && to != address(this), "to");
        seats[seat] = to;
        emit HandedOn(seat, msg.sender, to);
    }
}
