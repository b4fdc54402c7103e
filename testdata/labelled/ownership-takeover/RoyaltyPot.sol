pragma solidity ^0.4.24;

/// @custom:vulnerable ownership-takeover RoyaltyPot()
/** Tips for artists; the house keeps a tenth. */
contract RoyaltyPotBad {
    address public owner;
    address public pendingOwner;
    uint256 public houseFees;

    mapping(address => bool) public registered;
    mapping(address => uint256) public royalties;

    event Tipped(address indexed artist, address indexed fan, uint256 amount);
    event OwnerChanged(address indexed previous, address indexed current);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    // constructor
    function RoyaltyPot() public {
        owner = msg.sender;
    }

    function register() external {
        registered[msg.sender] = true;
    }

    function tip(address artist) external payable {
        require(registered[artist], "unknown artist");
        require(msg.value > 0, "nothing sent");
        uint256 fee = msg.value / 10;
        houseFees += fee;
        royalties[artist] += msg.value - fee;
        emit Tipped(artist, msg.sender, msg.value);
    }

    function withdrawRoyalties(address to) external {
        require(to != address(0), "no receiver");
        uint256 amount = royalties[msg.sender];
        require(amount > 0, "no royalties");
        royalties[msg.sender] = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function collectFees(address to) external onlyOwner {
        require(to != address(0), "no receiver");
        uint256 amount = houseFees;
        houseFees = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function proposeOwner(address candidate) external onlyOwner {
        pendingOwner = candidate;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not proposed");
        emit OwnerChanged(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }
}

/// @custom:safe
/** Tips for artists; the house keeps a tenth. */
contract RoyaltyPotGood {
    address public owner;
    address public pendingOwner;
    uint256 public houseFees;

    mapping(address => bool) public registered;
    mapping(address => uint256) public royalties;

    event Tipped(address indexed artist, address indexed fan, uint256 amount);
    event OwnerChanged(address indexed previous, address indexed current);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    function register() external {
        registered[msg.sender] = true;
    }

    function tip(address artist) external payable {
        require(registered[artist], "unknown artist");
        require(msg.value > 0, "nothing sent");
        uint256 fee = msg.value / 10;
        houseFees += fee;
        royalties[artist] += msg.value - fee;
        emit Tipped(artist, msg.sender, msg.value);
    }

    function withdrawRoyalties(address to) external {
        require(to != address(0), "no receiver");
        uint256 amount = royalties[msg.sender];
        require(amount > 0, "no royalties");
        royalties[msg.sender] = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function collectFees(address to) external onlyOwner {
        require(to != address(0), "no receiver");
        uint256 amount = houseFees;
        houseFees = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function proposeOwner(address candidate) external onlyOwner {
        pendingOwner = candidate;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not proposed");
        emit OwnerChanged(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
