// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable panic stake()
contract DripStakingBad {
    uint256 private constant SCALE = 1e18;

    address public immutable owner;
    uint256 public immutable ratePerSecond;

    bool public started;
    uint256 public budget;
    uint256 public totalStaked;
    uint256 public totalOwed;
    uint256 public accPerUnit;
    uint256 public lastAccrual;
    mapping(address => uint256) public staked;
    mapping(address => uint256) public owed;
    mapping(address => uint256) public accSeen;

    event Staked(address indexed user, uint256 amount);
    event Unstaked(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 amount);

    constructor(uint256 rate) {
        require(rate > 0 && rate <= 1 ether, "rate out of range");
        owner = msg.sender;
        ratePerSecond = rate;
    }

    function fund() external payable {
        require(msg.sender == owner, "not the owner");
        _accrue();
        budget += msg.value;
    }

    function stake() external payable {
        require(msg.value > 0, "nothing sent");
        _settle(msg.sender);
        started = true;
        staked[msg.sender] += msg.value;
        totalStaked += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        require(amount > 0 && staked[msg.sender] >= amount, "not that much staked");
        _settle(msg.sender);
        staked[msg.sender] -= amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount);
        _send(msg.sender, amount);
    }

    function claim() external {
        _settle(msg.sender);
        uint256 amount = owed[msg.sender];
        require(amount > 0, "no reward");
        owed[msg.sender] = 0;
        totalOwed -= amount;
        emit RewardPaid(msg.sender, amount);
        _send(msg.sender, amount);
    }

    /// when everybody has left, the rest goes back to the owner
    function reclaim(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(totalStaked == 0, "still in use");
        budget = 0;
        _send(to, address(this).balance - totalOwed);
    }

    function _settle(address user) internal {
        _accrue();
        uint256 reward = staked[user] * (accPerUnit - accSeen[user]) / SCALE;
        accSeen[user] = accPerUnit;
        owed[user] += reward;
        totalOwed += reward;
    }

    function _accrue() internal {
        uint256 elapsed = block.timestamp - lastAccrual;
        lastAccrual = block.timestamp;
        if (!started || elapsed == 0) {
            return;
        }

        uint256 reward = elapsed * ratePerSecond;
        if (reward > budget) {
            reward = budget;
        }
        budget -= reward;
        accPerUnit += reward * SCALE / totalStaked;
    }

    function _send(address to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract DripStakingGood {
    uint256 private constant SCALE = 1e18;

    address public immutable owner;
    uint256 public immutable ratePerSecond;

    uint256 public budget;
    uint256 public totalStaked;
    uint256 public totalOwed;
    uint256 public accPerUnit;
    uint256 public lastAccrual;
    mapping(address => uint256) public staked;
    mapping(address => uint256) public owed;
    mapping(address => uint256) public accSeen;

    event Staked(address indexed user, uint256 amount);
    event Unstaked(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 amount);

    constructor(uint256 rate) {
        require(rate > 0 && rate <= 1 ether, "rate out of range");
        owner = msg.sender;
        ratePerSecond = rate;
    }

    function fund() external payable {
        require(msg.sender == owner, "not the owner");
        _accrue();
        budget += msg.value;
    }

    function stake() external payable {
        require(msg.value > 0, "nothing sent");
        _settle(msg.sender);
        staked[msg.sender] += msg.value;
        totalStaked += msg.value;
        emit Staked(msg.sender, msg.value);
    }

    function unstake(uint256 amount) external {
        require(amount > 0 && staked[msg.sender] >= amount, "not that much staked");
        _settle(msg.sender);
        staked[msg.sender] -= amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount);
        _send(msg.sender, amount);
    }

    function claim() external {
        _settle(msg.sender);
        uint256 amount = owed[msg.sender];
        require(amount > 0, "no reward");
        owed[msg.sender] = 0;
        totalOwed -= amount;
        emit RewardPaid(msg.sender, amount);
        _send(msg.sender, amount);
    }

    /// when everybody has left, the rest goes back to the owner
    function reclaim(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(totalStaked == 0, "still in use");
        budget = 0;
        _send(to, address(this).balance - totalOwed);
    }

    function _settle(address user) internal {
        _accrue();
        uint256 reward = staked[user] * (accPerUnit - accSeen[user]) / SCALE;
        accSeen[user] = accPerUnit;
        owed[user] += reward;
        totalOwed += reward;
    }

    function _accrue() internal {
        uint256 elapsed = block.timestamp - lastAccrual;
        lastAccrual = block.timestamp;
        if (totalStaked == 0 || elapsed == 0) {
            return;
        }

        uint256 reward = elapsed * ratePerSecond;
        if (reward > budget) {
            reward = budget;
        }
        budget -= reward;
        accPerUnit += reward * SCALE / totalStaked;
    }

    function _send(address to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
