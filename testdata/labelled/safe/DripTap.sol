pragma solidity ^0.5.0;

/// @custom:safe
/** A savings box with a brake: each saver draws at most `perBlock` a block, saved up for 100 blocks at most. */
contract DripTapGood {
    uint256 public constant WINDOW = 100;

    uint256 public perBlock;
    mapping(address => uint256) public savings;
    mapping(address => uint256) public lastDraw;
    mapping(address => uint256) public brakeOff;

    event Saved(address indexed who, uint256 amount);
    event Drawn(address indexed who, address indexed to, uint256 amount);
    event BrakeReleased(address indexed who, uint256 from);

    constructor(uint256 perBlock_) public {
        // WINDOW * perBlock cannot wrap, and nobody is locked in
        require(perBlock_ >= 1 finney && perBlock_ <= 1000 ether, "perBlock");
        perBlock = perBlock_;
    }

    function save() external payable {
        require(msg.value > 0, "nothing");
        savings[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function drawable(address who) public view returns (uint256) {
        uint256 have = savings[who];
        if (brakeOff[who] != 0 && now >= brakeOff[who]) {
            return have;
        }
        uint256 blocks = block.number - lastDraw[who];
        if (blocks > WINDOW) {
            blocks = WINDOW;
        }
        uint256 limit = blocks * perBlock;
        return limit < have ? limit : have;
    }

    function draw(address payable to, uint256 amount) external {
        require(to != address(0), "to");
        require(amount > 0 && amount <= drawable(msg.sender), "brake");
        lastDraw[msg.sender] = block.number;
        savings[msg.sender] -= amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment");
        emit Drawn(msg.sender, to, amount);
    }

    /// After a week's thought one may empty one's own box at once.
    function releaseBrake() external {
        require(brakeOff[msg.sender] == 0, "pending or off");
        brakeOff[msg.sender] = now + 7 days;
        emit BrakeReleased(msg.sender, now + 7 days);
    }

    function setBrake() external {
        brakeOff[msg.sender] = 0;
    }
}
