// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on audit findings about versioned initialisers: the modifier makes sure that each version is initialised once,
// and nothing makes sure by whom.

abstract contract Versioned {
    uint64 public version;
    bool private migrating;

    event Migrated(uint64 version);

    modifier migration(uint64 to) {
        require(!migrating && to > version, "already there");
        version = to;
        migrating = true;
        _;
        migrating = false;
        emit Migrated(to);
    }

    modifier whileMigrating() {
        require(migrating, "not migrating");
        _;
    }
}

/// Anybody can migrate the vault to the next version, and names its owner by that.
/// @custom:vulnerable ownership-takeover migrate(uint64,address,uint256)
contract TreasuryVaultBad is Versioned {
    struct Payment {
        address to;
        uint256 amount;
        uint256 time;
    }

    address public owner;
    uint256 public dailyLimit;
    mapping(uint256 => uint256) public spentOn;
    mapping(uint256 => Payment) public payments;
    uint256 public paymentCount;
    bool public paused;

    event OwnerChanged(address indexed owner);
    event Received(address indexed from, uint256 amount);
    event Spent(address indexed to, uint256 amount);

    constructor(uint256 dailyLimit_) payable migration(1) {
        _configure(msg.sender, dailyLimit_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function migrate(uint64 to, address owner_, uint256 dailyLimit_) external migration(to) {
        _configure(owner_, dailyLimit_);
    }

    function spend(address payable to, uint256 amount) external onlyOwner {
        require(!paused, "paused");
        uint256 today = block.timestamp / 1 days;
        require(spentOn[today] + amount <= dailyLimit, "over the limit");
        spentOn[today] += amount;
        payments[paymentCount++] = Payment(to, amount, block.timestamp);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Spent(to, amount);
    }

    function setPaused(bool yes) external onlyOwner {
        paused = yes;
    }

    function setDailyLimit(uint256 limit) external onlyOwner {
        require(limit > 0, "no limit");
        dailyLimit = limit;
    }

    function _configure(address owner_, uint256 dailyLimit_) internal whileMigrating {
        require(owner_ != address(0) && dailyLimit_ > 0, "bad settings");
        owner = owner_; // <- bug
        dailyLimit = dailyLimit_;
        emit OwnerChanged(owner_);
    }
}

/// Only the owner can migrate the vault to the next version.
/// @custom:safe
contract TreasuryVaultGood is Versioned {
    struct Payment {
        address to;
        uint256 amount;
        uint256 time;
    }

    address public owner;
    uint256 public dailyLimit;
    mapping(uint256 => uint256) public spentOn;
    mapping(uint256 => Payment) public payments;
    uint256 public paymentCount;
    bool public paused;

    event OwnerChanged(address indexed owner);
    event Received(address indexed from, uint256 amount);
    event Spent(address indexed to, uint256 amount);

    constructor(uint256 dailyLimit_) payable migration(1) {
        _configure(msg.sender, dailyLimit_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function migrate(uint64 to, address owner_, uint256 dailyLimit_) external onlyOwner migration(to) {
        _configure(owner_, dailyLimit_);
    }

    function spend(address payable to, uint256 amount) external onlyOwner {
        require(!paused, "paused");
        uint256 today = block.timestamp / 1 days;
        require(spentOn[today] + amount <= dailyLimit, "over the limit");
        spentOn[today] += amount;
        payments[paymentCount++] = Payment(to, amount, block.timestamp);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
        emit Spent(to, amount);
    }

    function setPaused(bool yes) external onlyOwner {
        paused = yes;
    }

    function setDailyLimit(uint256 limit) external onlyOwner {
        require(limit > 0, "no limit");
        dailyLimit = limit;
    }

    function _configure(address owner_, uint256 dailyLimit_) internal whileMigrating {
        require(owner_ != address(0) && dailyLimit_ > 0, "bad settings");
        owner = owner_;
        dailyLimit = dailyLimit_;
        emit OwnerChanged(owner_);
    }
}
