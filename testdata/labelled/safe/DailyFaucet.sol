// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Gives a little ether a day to whoever asks, out of what sponsors gave for that.
/// @custom:safe
contract DailyFaucetGood {
    uint256 public constant DRIP = 0.01 ether;
    uint256 public constant DAILY_LIMIT = 0.2 ether;

    address public immutable keeper;
    uint256 public stock;
    uint256 public windowStart;
    uint256 public givenInWindow;
    bool private busy;
    mapping(address => uint256) public nextTime;
    mapping(address => uint256) public sponsored;

    event Sponsored(address indexed who, uint256 amount);
    event Dripped(address indexed who, uint256 amount);

    modifier once() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    constructor() payable {
        keeper = msg.sender;
        stock = msg.value;
        windowStart = block.timestamp;
    }

    function sponsor() external payable once {
        require(msg.value > 0, "nothing");
        stock += msg.value;
        sponsored[msg.sender] += msg.value;
        emit Sponsored(msg.sender, msg.value);
    }

    function drip() external once {
        require(block.timestamp >= nextTime[msg.sender], "come back tomorrow");
        if (block.timestamp >= windowStart + 1 days) {
            windowStart = block.timestamp;
            givenInWindow = 0;
        }
        require(givenInWindow + DRIP <= DAILY_LIMIT, "enough for today");
        require(stock >= DRIP, "dry");
        (bool ok, ) = msg.sender.call{value: DRIP}("");
        require(ok, "payment failed");
        stock -= DRIP;
        givenInWindow += DRIP;
        nextTime[msg.sender] = block.timestamp + 1 days;
        emit Dripped(msg.sender, DRIP);
    }

    /// The keeper may empty the faucet, also what is less than a drip.
    function shut(address to) external once {
        require(msg.sender == keeper, "not the keeper");
        require(to != address(0), "to");
        uint256 amount = stock;
        stock = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
