// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable ether-leak cancel()
contract TrialSubscriptionBad {
    struct Subscription {
        uint256 start;
        uint256 numDays;
    }

    uint256 public constant DAILY_PRICE = 0.001 ether;
    uint256 public constant TRIAL_DAYS = 14;

    address public immutable provider;
    uint256 public providerBalance;
    mapping(address => Subscription) public subscriptions;
    mapping(address => bool) public trialUsed;

    event Started(address indexed user, uint256 numDays, bool trial);
    event Cancelled(address indexed user, uint256 refund);

    constructor() {
        provider = msg.sender;
    }

    function startTrial() external {
        require(!trialUsed[msg.sender], "one trial only");
        require(subscriptions[msg.sender].numDays == 0, "subscribed already");
        trialUsed[msg.sender] = true;
        subscriptions[msg.sender] = Subscription(block.timestamp, TRIAL_DAYS);
        emit Started(msg.sender, TRIAL_DAYS, true);
    }

    function subscribe(uint256 numDays) external payable {
        require(numDays >= 1 && numDays <= 365, "bad duration");
        require(msg.value == numDays * DAILY_PRICE, "wrong payment");
        if (subscriptions[msg.sender].numDays > 0) {
            settle(msg.sender);
        }
        subscriptions[msg.sender] = Subscription(block.timestamp, numDays);
        emit Started(msg.sender, numDays, false);
    }

    /// days that have not begun are paid back
    function cancel() external {
        Subscription memory sub = subscriptions[msg.sender];
        require(sub.numDays > 0, "not subscribed");
        delete subscriptions[msg.sender];

        uint256 used = (block.timestamp - sub.start) / 1 days + 1;
        if (used > sub.numDays) {
            used = sub.numDays;
        }
        providerBalance += used * DAILY_PRICE;
        uint256 refund = (sub.numDays - used) * DAILY_PRICE;
        emit Cancelled(msg.sender, refund);

        if (refund > 0) {
            (bool ok, ) = msg.sender.call{value: refund}("");
            require(ok, "refund failed");
        }
    }

    /// books a subscription that has run out
    function settle(address user) public {
        Subscription memory sub = subscriptions[user];
        require(sub.numDays > 0, "not subscribed");
        require(block.timestamp >= sub.start + sub.numDays * 1 days, "still running");
        delete subscriptions[user];
        providerBalance += sub.numDays * DAILY_PRICE;
    }

    function collect(address payable to) external {
        require(msg.sender == provider, "not the provider");
        require(to != address(0), "no receiver");
        uint256 amount = providerBalance;
        providerBalance = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function isActive(address user) external view returns (bool) {
        Subscription memory sub = subscriptions[user];
        return block.timestamp < sub.start + sub.numDays * 1 days;
    }
}

/// @custom:safe
contract TrialSubscriptionGood {
    struct Subscription {
        uint256 start;
        uint256 numDays;
        bool trial;
    }

    uint256 public constant DAILY_PRICE = 0.001 ether;
    uint256 public constant TRIAL_DAYS = 14;

    address public immutable provider;
    uint256 public providerBalance;
    mapping(address => Subscription) public subscriptions;
    mapping(address => bool) public trialUsed;

    event Started(address indexed user, uint256 numDays, bool trial);
    event Cancelled(address indexed user, uint256 refund);

    constructor() {
        provider = msg.sender;
    }

    function startTrial() external {
        require(!trialUsed[msg.sender], "one trial only");
        require(subscriptions[msg.sender].numDays == 0, "subscribed already");
        trialUsed[msg.sender] = true;
        subscriptions[msg.sender] = Subscription(block.timestamp, TRIAL_DAYS, true);
        emit Started(msg.sender, TRIAL_DAYS, true);
    }

    function subscribe(uint256 numDays) external payable {
        require(numDays >= 1 && numDays <= 365, "bad duration");
        require(msg.value == numDays * DAILY_PRICE, "wrong payment");
        if (subscriptions[msg.sender].numDays > 0) {
            settle(msg.sender);
        }
        subscriptions[msg.sender] = Subscription(block.timestamp, numDays, false);
        emit Started(msg.sender, numDays, false);
    }

    /// days that have not begun are paid back
    function cancel() external {
        Subscription memory sub = subscriptions[msg.sender];
        require(sub.numDays > 0, "not subscribed");
        delete subscriptions[msg.sender];

        uint256 used = (block.timestamp - sub.start) / 1 days + 1;
        if (used > sub.numDays) {
            used = sub.numDays;
        }
        uint256 refund = 0;
        if (!sub.trial) {
            providerBalance += used * DAILY_PRICE;
            refund = (sub.numDays - used) * DAILY_PRICE;
        }
        emit Cancelled(msg.sender, refund);

        if (refund > 0) {
            (bool ok, ) = msg.sender.call{value: refund}("");
            require(ok, "refund failed");
        }
    }

    /// books a subscription that has run out
    function settle(address user) public {
        Subscription memory sub = subscriptions[user];
        require(sub.numDays > 0, "not subscribed");
        require(block.timestamp >= sub.start + sub.numDays * 1 days, "still running");
        delete subscriptions[user];
        if (!sub.trial) {
            providerBalance += sub.numDays * DAILY_PRICE;
        }
    }

    function collect(address payable to) external {
        require(msg.sender == provider, "not the provider");
        require(to != address(0), "no receiver");
        uint256 amount = providerBalance;
        providerBalance = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function isActive(address user) external view returns (bool) {
        Subscription memory sub = subscriptions[user];
        return block.timestamp < sub.start + sub.numDays * 1 days;
    }
}
