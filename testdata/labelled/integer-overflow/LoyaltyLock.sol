// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable integer-overflow extend(uint256)
/** Savings with a lock-up: whoever leaves before the time forfeits a tenth to the sponsor. */
contract LoyaltyLockBad {
    uint256 public constant MIN_TERM = 30 days;
    uint256 public constant MAX_TERM = 730 days;
    uint256 public constant PENALTY_PERCENT = 10;

    struct Account {
        uint256 amount;
        uint256 unlockAt;
    }

    address public immutable sponsor;
    uint256 public penalties;
    mapping(address => Account) public accounts;

    event Deposited(address indexed member, uint256 amount, uint256 unlockAt);
    event Extended(address indexed member, uint256 unlockAt);
    event Withdrawn(address indexed member, uint256 amount, uint256 penalty);

    constructor() {
        sponsor = msg.sender;
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        Account storage a = accounts[msg.sender];
        uint256 earliest = block.timestamp + MIN_TERM;
        if (a.unlockAt < earliest) {
            a.unlockAt = earliest;
        }
        a.amount += msg.value;
        emit Deposited(msg.sender, msg.value, a.unlockAt);
    }

    function extend(uint256 extraSeconds) external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(extraSeconds > 0, "no extension");
        a.unlockAt += extraSeconds;
        emit Extended(msg.sender, a.unlockAt);
    }

    function withdraw() external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(block.timestamp >= a.unlockAt, "locked");
        uint256 amount = a.amount;
        delete accounts[msg.sender];
        pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount, 0);
    }

    function leaveEarly() external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(block.timestamp < a.unlockAt, "use withdraw");
        uint256 penalty = (a.amount * PENALTY_PERCENT + 99) / 100;
        uint256 amount = a.amount - penalty;
        delete accounts[msg.sender];
        penalties += penalty;
        pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount, penalty);
    }

    function sweepPenalties() external {
        require(msg.sender == sponsor, "sponsor only");
        uint256 amount = penalties;
        penalties = 0;
        pay(msg.sender, amount);
    }

    function pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
/** Savings with a lock-up: whoever leaves before the time forfeits a tenth to the sponsor. */
contract LoyaltyLockGood {
    uint256 public constant MIN_TERM = 30 days;
    uint256 public constant MAX_TERM = 730 days;
    uint256 public constant PENALTY_PERCENT = 10;

    struct Account {
        uint256 amount;
        uint256 unlockAt;
    }

    address public immutable sponsor;
    uint256 public penalties;
    mapping(address => Account) public accounts;

    event Deposited(address indexed member, uint256 amount, uint256 unlockAt);
    event Extended(address indexed member, uint256 unlockAt);
    event Withdrawn(address indexed member, uint256 amount, uint256 penalty);

    constructor() {
        sponsor = msg.sender;
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        Account storage a = accounts[msg.sender];
        uint256 earliest = block.timestamp + MIN_TERM;
        if (a.unlockAt < earliest) {
            a.unlockAt = earliest;
        }
        a.amount += msg.value;
        emit Deposited(msg.sender, msg.value, a.unlockAt);
    }

    function extend(uint256 extraSeconds) external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(extraSeconds > 0 && extraSeconds <= MAX_TERM, "extension");
        a.unlockAt += extraSeconds;
        require(a.unlockAt <= block.timestamp + MAX_TERM, "term too long");
        emit Extended(msg.sender, a.unlockAt);
    }

    function withdraw() external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(block.timestamp >= a.unlockAt, "locked");
        uint256 amount = a.amount;
        delete accounts[msg.sender];
        pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount, 0);
    }

    function leaveEarly() external {
        Account storage a = accounts[msg.sender];
        require(a.amount > 0, "no deposit");
        require(block.timestamp < a.unlockAt, "use withdraw");
        uint256 penalty = (a.amount * PENALTY_PERCENT + 99) / 100;
        uint256 amount = a.amount - penalty;
        delete accounts[msg.sender];
        penalties += penalty;
        pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount, penalty);
    }

    function sweepPenalties() external {
        require(msg.sender == sponsor, "sponsor only");
        uint256 amount = penalties;
        penalties = 0;
        pay(msg.sender, amount);
    }

    function pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
