// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Till {
    address public immutable landlord;

    constructor(address landlord_) {
        landlord = landlord_;
    }

    function empty(address to, uint256 amount) external {
        require(msg.sender == landlord, "landlord only");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}

contract LedgerTill is Till {
    mapping(uint256 => uint256) public entry;
    uint256 public entries;

    constructor(address landlord_) Till(landlord_) {}

    receive() external payable {
        entries += 1;
        entry[entries] = msg.value;
    }
}

contract PlainTill is Till {
    constructor(address landlord_) Till(landlord_) {}

    receive() external payable {}
}

/// The till writes a ledger on receipt, for which the gas of transfer does not suffice, so the rent stays behind.
/// @custom:vulnerable gasless-send forward()
contract RentTillBad {
    LedgerTill public immutable till;
    address public immutable landlord = msg.sender;
    mapping(address => uint256) public paid;
    uint256 public waiting;

    constructor() {
        till = new LedgerTill(msg.sender);
    }

    function payRent() external payable {
        require(msg.value > 0, "no rent");
        paid[msg.sender] += msg.value;
        waiting += msg.value;
    }

    function forward() external {
        uint256 amount = waiting;
        require(amount > 0, "nothing waiting");
        waiting = 0;
        payable(address(till)).transfer(amount);
    }

    function takeOut() external {
        require(msg.sender == landlord, "landlord only");
        uint256 amount = waiting;
        waiting = 0;
        (bool ok, ) = landlord.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// The till accepts ether without any further work, so that transfer is enough.
/// @custom:safe
contract RentTillGood {
    PlainTill public immutable till;
    address public immutable landlord = msg.sender;
    mapping(address => uint256) public paid;
    uint256 public waiting;

    constructor() {
        till = new PlainTill(msg.sender);
    }

    function payRent() external payable {
        require(msg.value > 0, "no rent");
        paid[msg.sender] += msg.value;
        waiting += msg.value;
    }

    function forward() external {
        uint256 amount = waiting;
        require(amount > 0, "nothing waiting");
        waiting = 0;
        payable(address(till)).transfer(amount);
    }

    function takeOut() external {
        require(msg.sender == landlord, "landlord only");
        uint256 amount = waiting;
        waiting = 0;
        (bool ok, ) = landlord.call{value: amount}("");
        require(ok, "rejected");
    }
}
