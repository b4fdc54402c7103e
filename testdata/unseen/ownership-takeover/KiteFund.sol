// Modelled on the pyramid contract of 2016 that was renamed while its constructor was not, so that the old constructor became
// a function for everybody (SWC-118).
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable ownership-takeover KiteFund()
/** The constructor still has the name that the contract had before, so that anyone can call it and own the fund. */
contract KiteFundBad {
    struct Flyer {
        uint256 balance;
        uint256 flights;
    }

    address private creator;
    uint256 public feePercent = 2;
    uint256 private collectedFees;
    uint256 public flyerCount;
    mapping(address => Flyer) public flyers;

    event Deposit(address indexed flyer, uint256 amount, uint256 fee);
    event Payout(address indexed flyer, uint256 amount);
    event FeesCollected(uint256 amount);

    modifier onlyCreator() {
        require(msg.sender == creator);
        _;
    }

    function KiteFund() public {
        creator = msg.sender; // <- bug
    }

    // deposits come in by plain transfer
    function() public payable {
        deposit();
    }

    function deposit() public payable {
        require(msg.value >= 1 finney);
        Flyer storage f = flyers[msg.sender];
        if (f.flights == 0) {
            flyerCount++;
        }
        uint256 fee = msg.value / 100 * feePercent;
        collectedFees += fee;
        f.balance += msg.value - fee;
        f.flights++;
        emit Deposit(msg.sender, msg.value, fee);
    }

    function land(uint256 amount) public {
        Flyer storage f = flyers[msg.sender];
        require(amount > 0 && f.balance >= amount);
        f.balance -= amount;
        require(msg.sender.call.value(amount)());
        emit Payout(msg.sender, amount);
    }

    function collectFees(uint256 amount) public onlyCreator {
        require(collectedFees >= amount);
        collectedFees -= amount;
        creator.transfer(amount);
        emit FeesCollected(amount);
    }

    function changeFee(uint256 percent) public onlyCreator {
        require(percent <= 10);
        feePercent = percent;
    }

    function changeCreator(address next) public onlyCreator {
        require(next != address(0));
        creator = next;
    }

    function currentFees() public view returns (uint256) {
        return collectedFees;
    }
}

/// @custom:safe
/** The old style constructor has the contract's name, and is no function. */
contract KiteFundGood {
    struct Flyer {
        uint256 balance;
        uint256 flights;
    }

    address private creator;
    uint256 public feePercent = 2;
    uint256 private collectedFees;
    uint256 public flyerCount;
    mapping(address => Flyer) public flyers;

    event Deposit(address indexed flyer, uint256 amount, uint256 fee);
    event Payout(address indexed flyer, uint256 amount);
    event FeesCollected(uint256 amount);

    modifier onlyCreator() {
        require(msg.sender == creator);
        _;
    }

    function KiteFundGood() public {
        creator = msg.sender;
    }

    // deposits come in by plain transfer
    function() public payable {
        deposit();
    }

    function deposit() public payable {
        require(msg.value >= 1 finney);
        Flyer storage f = flyers[msg.sender];
        if (f.flights == 0) {
            flyerCount++;
        }
        uint256 fee = msg.value / 100 * feePercent;
        collectedFees += fee;
        f.balance += msg.value - fee;
        f.flights++;
        emit Deposit(msg.sender, msg.value, fee);
    }

    function land(uint256 amount) public {
        Flyer storage f = flyers[msg.sender];
        require(amount > 0 && f.balance >= amount);
        f.balance -= amount;
        require(msg.sender.call.value(amount)());
        emit Payout(msg.sender, amount);
    }

    function collectFees(uint256 amount) public onlyCreator {
        require(collectedFees >= amount);
        collectedFees -= amount;
        creator.transfer(amount);
        emit FeesCollected(amount);
    }

    function changeFee(uint256 percent) public onlyCreator {
        require(percent <= 10);
        feePercent = percent;
    }

    function changeCreator(address next) public onlyCreator {
        require(next != address(0));
        creator = next;
    }

    function currentFees() public view returns (uint256) {
        return collectedFees;
    }
}
