// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Crowdfunding with a goal: all or nothing. What exceeds the goal is given back at once.
/// @custom:safe
contract CrowdGoalGood {
    address public immutable beneficiary;
    uint256 public immutable goal;
    uint256 public immutable deadline;
    uint256 public constant GRACE = 180 days;
    uint256 public raised;
    bool public paidOut;
    mapping(address => uint256) public given;

    event Given(address indexed who, uint256 amount);
    event Returned(address indexed who, uint256 amount);
    event PaidOut(uint256 amount);

    constructor(uint256 goal_, uint256 days_, address beneficiary_) {
        require(goal_ > 0 && goal_ <= 1e24, "goal");
        require(days_ >= 1 && days_ <= 365, "days");
        require(beneficiary_ != address(0) && beneficiary_ != address(this), "beneficiary");
        goal = goal_;
        deadline = block.timestamp + days_ * 1 days;
        beneficiary = beneficiary_;
    }

    function give() external payable {
        require(block.timestamp <= deadline, "too late");
        require(raised < goal, "reached");
        require(msg.value > 0, "nothing");
        uint256 room = goal - raised;
        uint256 used = msg.value > room ? room : msg.value;
        given[msg.sender] += used;
        raised += used;
        emit Given(msg.sender, used);
        if (used < msg.value) pay(msg.sender, msg.value - used);
    }

    /// While the goal is open, one may think again.
    function takeBack(uint256 amount) external {
        require(block.timestamp <= deadline && raised < goal, "closed");
        require(amount > 0 && amount <= given[msg.sender], "amount");
        given[msg.sender] -= amount;
        raised -= amount;
        emit Returned(msg.sender, amount);
        pay(msg.sender, amount);
    }

    function payOut(address to) external {
        require(msg.sender == beneficiary, "not the beneficiary");
        require(to != address(0), "to");
        require(raised == goal && !paidOut, "not due");
        require(block.timestamp <= deadline + GRACE, "given back");
        paidOut = true;
        emit PaidOut(goal);
        pay(to, goal);
    }

    /// After a miss, or when the beneficiary never came.
    function refund(address to) external {
        bool missed = raised < goal && block.timestamp > deadline;
        bool forgotten = !paidOut && block.timestamp > deadline + GRACE;
        require(missed || forgotten, "no refund");
        require(to != address(0), "to");
        uint256 amount = given[msg.sender];
        require(amount > 0, "nothing");
        given[msg.sender] = 0;
        emit Returned(msg.sender, amount);
        pay(to, amount);
    }

    function pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
