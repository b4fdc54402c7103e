// Modelled on the ether "private banks" of 2018 on mainnet (SWC-107): withdrawal by amount pays by call.value and takes
// the amount off the books only when the call has come back. The log contract is handed over at deployment.
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract QuayLog {
    struct Message {
        address sender;
        address customer;
        uint256 val;
        string data;
    }

    Message public lastMsg;
    uint256 public total;

    event Logged(address indexed customer, uint256 val, string data);

    function addMessage(address customer, uint256 val, string data) public {
        lastMsg = Message(msg.sender, customer, val, data);
        total++;
        emit Logged(customer, val, data);
    }
}

/// @custom:vulnerable reentrancy collect(uint256)
/** The amount leaves the account only after it has been paid out, so that the payee can collect it again meanwhile. */
contract QuaySafeBad {
    struct Holder {
        uint256 unlockTime;
        uint256 balance;
    }

    mapping(address => Holder) public accounts;
    QuayLog public journal;
    address public owner;
    uint256 public minSum = 1 finney;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    constructor(QuayLog journal_) public {
        owner = msg.sender;
        journal = journal_;
    }

    // plain transfers are deposits without a lock
    function() public payable {
        put(0);
    }

    function put(uint256 unlockTime) public payable {
        require(msg.value >= minSum);
        require(unlockTime <= now + 365 days);
        Holder storage acc = accounts[msg.sender];
        acc.balance += msg.value;
        if (unlockTime > acc.unlockTime) {
            acc.unlockTime = unlockTime;
        }
        journal.addMessage(msg.sender, msg.value, "Put");
    }

    function collect(uint256 amount) public {
        Holder storage acc = accounts[msg.sender];
        require(amount > 0);
        if (acc.balance >= amount && now >= acc.unlockTime) {
            if (msg.sender.call.value(amount)()) { // <- bug
                acc.balance -= amount; // <- bug
                journal.addMessage(msg.sender, amount, "Collect");
            }
        }
    }

    function setMinSum(uint256 sum) public onlyOwner {
        require(sum <= 1 ether);
        minSum = sum;
    }

    function setJournal(QuayLog journal_) public onlyOwner {
        journal = journal_;
    }
}

/// @custom:safe
/** The amount leaves the account first, and comes back only if the payment has failed. */
contract QuaySafeGood {
    struct Holder {
        uint256 unlockTime;
        uint256 balance;
    }

    mapping(address => Holder) public accounts;
    QuayLog public journal;
    address public owner;
    uint256 public minSum = 1 finney;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    constructor(QuayLog journal_) public {
        owner = msg.sender;
        journal = journal_;
    }

    // plain transfers are deposits without a lock
    function() public payable {
        put(0);
    }

    function put(uint256 unlockTime) public payable {
        require(msg.value >= minSum);
        require(unlockTime <= now + 365 days);
        Holder storage acc = accounts[msg.sender];
        acc.balance += msg.value;
        if (unlockTime > acc.unlockTime) {
            acc.unlockTime = unlockTime;
        }
        journal.addMessage(msg.sender, msg.value, "Put");
    }

    function collect(uint256 amount) public {
        Holder storage acc = accounts[msg.sender];
        require(amount > 0);
        if (acc.balance >= amount && now >= acc.unlockTime) {
            acc.balance -= amount;
            if (msg.sender.call.value(amount)()) {
                journal.addMessage(msg.sender, amount, "Collect");
            } else {
                acc.balance += amount;
            }
        }
    }

    function setMinSum(uint256 sum) public onlyOwner {
        require(sum <= 1 ether);
        minSum = sum;
    }

    function setJournal(QuayLog journal_) public onlyOwner {
        journal = journal_;
    }
}
