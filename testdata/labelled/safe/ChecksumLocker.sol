pragma solidity ^0.4.24;

/// @custom:safe
/** Lockers with labels. The label's checksum and the rolling log wrap on purpose, like any hash. */
contract ChecksumLockerGood {
    address public owner;
    uint256 public held;
    uint256 public rolling = 5381;
    uint32 public mark;
    bool public closing;
    mapping(address => mapping(uint32 => uint256)) private lockers;

    event Put(address indexed who, uint32 indexed sum, uint256 amount, address payer);
    event Taken(address indexed who, uint32 indexed sum, uint256 amount);

    constructor() public {
        owner = msg.sender;
    }

    /// Bernstein's hash modulo 2**32.
    function checksum(bytes label) public pure returns (uint32 h) {
        require(label.length <= 64, "long label");
        h = 5381;
        for (uint256 i = 0; i < label.length; i++) {
            h = h * 33 + uint32(label[i]);
        }
    }

    function put(bytes label) external payable {
        require(!closing, "closing");
        require(msg.value > 0, "nothing");
        uint32 sum = checksum(label);
        // labels of one owner that collide share a locker: the ether is his all the same
        lockers[msg.sender][sum] += msg.value;
        held += msg.value;
        roll(sum);
        emit Put(msg.sender, sum, msg.value, tx.origin);
    }

    function take(bytes label, uint256 amount, address to) external {
        uint32 sum = checksum(label);
        require(to != address(0), "to");
        require(lockers[msg.sender][sum] >= amount, "locker");
        lockers[msg.sender][sum] -= amount;
        held -= amount;
        roll(sum);
        emit Taken(msg.sender, sum, amount);
        require(to.call.value(amount)(), "payment");
    }

    function inside(address who, bytes label) external view returns (uint256) {
        return lockers[who][checksum(label)];
    }

    function roll(uint32 sum) private {
        rolling = rolling * 6364136223846793005 + sum;
        mark -= sum; // a difference modulo 2**32
    }

    function announceClosing() external {
        require(msg.sender == owner, "not the owner");
        closing = true;
    }

    /// Only when everybody has taken what is his.
    function close() external {
        require(msg.sender == owner, "not the owner");
        require(closing && held == 0, "still in use");
        selfdestruct(owner);
    }
}
