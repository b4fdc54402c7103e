// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable tx-origin pay(address,uint256)
contract SessionWalletBad {
    struct Session {
        uint64 expires;
        uint64 epoch;
        uint128 remaining;
    }

    uint256 public constant RECOVERY_DELAY = 7 days;

    address public owner;
    address public guardian;
    address public candidate;
    uint64 public epoch;
    uint256 public candidateReadyAt;
    mapping(address => Session) public sessions;

    event Received(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount, address indexed origin);
    event SessionOpened(address indexed key, uint64 expires, uint128 limit);
    event RecoveryStarted(address indexed candidate, uint256 readyAt);
    event OwnerChanged(address indexed owner);

    error NotAllowed();
    error PaymentFailed();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotAllowed();
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function pay(address to, uint256 amount) external {
        if (tx.origin != owner) revert NotAllowed();
        _send(to, amount);
    }

    function payWithSession(address to, uint128 amount) external {
        Session storage s = sessions[msg.sender];
        if (block.timestamp >= s.expires || s.epoch != epoch || amount > s.remaining) revert NotAllowed();
        s.remaining -= amount;
        _send(to, amount);
    }

    function openSession(address key, uint64 duration, uint128 limit) external onlyOwner {
        require(key != address(0) && duration > 0 && duration <= 30 days, "session");
        uint64 expires = uint64(block.timestamp) + duration;
        sessions[key] = Session(expires, epoch, limit);
        emit SessionOpened(key, expires, limit);
    }

    function closeSession(address key) external onlyOwner {
        delete sessions[key];
    }

    function setGuardian(address newGuardian) external onlyOwner {
        guardian = newGuardian;
        candidate = address(0);
    }

    function startRecovery(address newOwner) external {
        if (msg.sender != guardian) revert NotAllowed();
        require(newOwner != address(0), "no candidate");
        candidate = newOwner;
        candidateReadyAt = block.timestamp + RECOVERY_DELAY;
        emit RecoveryStarted(newOwner, candidateReadyAt);
    }

    function vetoRecovery() external onlyOwner {
        candidate = address(0);
    }

    function finishRecovery() external {
        if (msg.sender != candidate) revert NotAllowed();
        require(block.timestamp >= candidateReadyAt, "delay running");
        owner = candidate;
        candidate = address(0);
        epoch += 1;
        emit OwnerChanged(owner);
    }

    function _send(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert PaymentFailed();
        emit Paid(to, amount, tx.origin);
    }
}

/// @custom:safe
contract SessionWalletGood {
    struct Session {
        uint64 expires;
        uint64 epoch;
        uint128 remaining;
    }

    uint256 public constant RECOVERY_DELAY = 7 days;

    address public owner;
    address public guardian;
    address public candidate;
    uint64 public epoch;
    uint256 public candidateReadyAt;
    mapping(address => Session) public sessions;

    event Received(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount, address indexed origin);
    event SessionOpened(address indexed key, uint64 expires, uint128 limit);
    event RecoveryStarted(address indexed candidate, uint256 readyAt);
    event OwnerChanged(address indexed owner);

    error NotAllowed();
    error PaymentFailed();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotAllowed();
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function pay(address to, uint256 amount) external {
        if (msg.sender != owner) revert NotAllowed();
        _send(to, amount);
    }

    function payWithSession(address to, uint128 amount) external {
        Session storage s = sessions[msg.sender];
        if (block.timestamp >= s.expires || s.epoch != epoch || amount > s.remaining) revert NotAllowed();
        s.remaining -= amount;
        _send(to, amount);
    }

    function openSession(address key, uint64 duration, uint128 limit) external onlyOwner {
        require(key != address(0) && duration > 0 && duration <= 30 days, "session");
        uint64 expires = uint64(block.timestamp) + duration;
        sessions[key] = Session(expires, epoch, limit);
        emit SessionOpened(key, expires, limit);
    }

    function closeSession(address key) external onlyOwner {
        delete sessions[key];
    }

    function setGuardian(address newGuardian) external onlyOwner {
        guardian = newGuardian;
        candidate = address(0);
    }

    function startRecovery(address newOwner) external {
        if (msg.sender != guardian) revert NotAllowed();
        require(newOwner != address(0), "no candidate");
        candidate = newOwner;
        candidateReadyAt = block.timestamp + RECOVERY_DELAY;
        emit RecoveryStarted(newOwner, candidateReadyAt);
    }

    function vetoRecovery() external onlyOwner {
        candidate = address(0);
    }

    function finishRecovery() external {
        if (msg.sender != candidate) revert NotAllowed();
        require(block.timestamp >= candidateReadyAt, "delay running");
        owner = candidate;
        candidate = address(0);
        epoch += 1;
        emit OwnerChanged(owner);
    }

    function _send(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert PaymentFailed();
        emit Paid(to, amount, tx.origin);
    }
}
