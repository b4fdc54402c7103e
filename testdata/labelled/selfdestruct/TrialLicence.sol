// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable selfdestruct remove()
/** The condition says "vendor or used up", so that anyone can remove a used-up licence. */
contract TrialLicenceBad {
    address payable public vendor;
    uint8 public uses;
    uint8 public allowed;
    mapping(address => bool) public customer;

    event Used(address indexed by, uint8 uses);

    constructor(uint8 allowed_) public {
        require(allowed_ > 0 && allowed_ <= 3, "1 to 3 uses");
        vendor = msg.sender;
        allowed = allowed_;
    }

    function enlist() external {
        customer[msg.sender] = true;
    }

    function exercise() external {
        require(customer[msg.sender], "enlist first");
        require(uses < allowed, "used up");
        uses += 1;
        emit Used(msg.sender, uses);
    }

    function remove() external {
        require(msg.sender == vendor || uses == allowed, "not now");
        selfdestruct(vendor);
    }
}

/// @custom:safe
/** It says "vendor and used up". */
contract TrialLicenceGood {
    address payable public vendor;
    uint8 public uses;
    uint8 public allowed;
    mapping(address => bool) public customer;

    event Used(address indexed by, uint8 uses);

    constructor(uint8 allowed_) public {
        require(allowed_ > 0 && allowed_ <= 3, "1 to 3 uses");
        vendor = msg.sender;
        allowed = allowed_;
    }

    function enlist() external {
        customer[msg.sender] = true;
    }

    function exercise() external {
        require(customer[msg.sender], "enlist first");
        require(uses < allowed, "used up");
        uses += 1;
        emit Used(msg.sender, uses);
    }

    function remove() external {
        require(msg.sender == vendor && uses == allowed, "not now");
        selfdestruct(vendor);
    }
}
