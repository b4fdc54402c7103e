// Modelled on audit findings about two-step ownership: the second step compares the caller with the wrong variable, so that
// not only the nominee can take the seat.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract HeronSeat {
    address public owner;
    address public pendingOwner;

    event Nominated(address indexed owner, address indexed nominee);
    event Seated(address indexed before, address indexed owner);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
        emit Seated(address(0), msg.sender);
    }

    function nominate(address nominee) external onlyOwner {
        pendingOwner = nominee;
        emit Nominated(owner, nominee);
    }

    function acceptOwnership() external virtual;

    function _seat(address next) internal {
        emit Seated(owner, next);
        owner = next;
        pendingOwner = address(0);
    }
}

/// Whoever is not the owner yet can accept the ownership, nominated or not.
/// @custom:vulnerable ownership-takeover acceptOwnership()
contract HeronVestBad is HeronSeat {
    address public immutable beneficiary;
    uint256 public immutable start;
    uint256 public immutable duration;

    uint256 public released;
    uint256 public keptAtRevoke;
    bool public revoked;

    event Funded(address indexed from, uint256 amount);
    event Released(uint256 amount);
    event Revoked(uint256 returned);

    constructor(address beneficiary_, uint256 duration_) payable {
        require(beneficiary_ != address(0), "no beneficiary");
        require(duration_ > 0 && duration_ <= 3650 days, "bad duration");
        beneficiary = beneficiary_;
        start = block.timestamp;
        duration = duration_;
        emit Funded(msg.sender, msg.value);
    }

    receive() external payable {
        require(!revoked, "revoked");
        emit Funded(msg.sender, msg.value);
    }

    function acceptOwnership() external override {
        require(msg.sender != owner, "already seated"); // <- bug
        _seat(msg.sender);
    }

    function vested() public view returns (uint256) {
        if (revoked) {
            return keptAtRevoke;
        }
        uint256 total = address(this).balance + released;
        uint256 elapsed = block.timestamp - start;
        return elapsed >= duration ? total : (total * elapsed) / duration;
    }

    function release(uint256 amount) external {
        require(msg.sender == beneficiary, "beneficiary only");
        require(amount <= vested() - released, "not vested yet");
        released += amount;
        (bool ok, ) = beneficiary.call{value: amount}("");
        require(ok, "refused");
        emit Released(amount);
    }

    /// What has not vested goes back to the owner.
    function revoke() external onlyOwner {
        require(!revoked, "revoked");
        uint256 kept = vested();
        uint256 back = address(this).balance + released - kept;
        keptAtRevoke = kept;
        revoked = true;
        (bool ok, ) = owner.call{value: back}("");
        require(ok, "refused");
        emit Revoked(back);
    }
}

/// Only the nominee can accept the ownership.
/// @custom:safe
contract HeronVestGood is HeronSeat {
    address public immutable beneficiary;
    uint256 public immutable start;
    uint256 public immutable duration;

    uint256 public released;
    uint256 public keptAtRevoke;
    bool public revoked;

    event Funded(address indexed from, uint256 amount);
    event Released(uint256 amount);
    event Revoked(uint256 returned);

    constructor(address beneficiary_, uint256 duration_) payable {
        require(beneficiary_ != address(0), "no beneficiary");
        require(duration_ > 0 && duration_ <= 3650 days, "bad duration");
        beneficiary = beneficiary_;
        start = block.timestamp;
        duration = duration_;
        emit Funded(msg.sender, msg.value);
    }

    receive() external payable {
        require(!revoked, "revoked");
        emit Funded(msg.sender, msg.value);
    }

    function acceptOwnership() external override {
        require(msg.sender == pendingOwner, "not nominated");
        _seat(msg.sender);
    }

    function vested() public view returns (uint256) {
        if (revoked) {
            return keptAtRevoke;
        }
        uint256 total = address(this).balance + released;
        uint256 elapsed = block.timestamp - start;
        return elapsed >= duration ? total : (total * elapsed) / duration;
    }

    function release(uint256 amount) external {
        require(msg.sender == beneficiary, "beneficiary only");
        require(amount <= vested() - released, "not vested yet");
        released += amount;
        (bool ok, ) = beneficiary.call{value: amount}("");
        require(ok, "refused");
        emit Released(amount);
    }

    /// What has not vested goes back to the owner.
    function revoke() external onlyOwner {
        require(!revoked, "revoked");
        uint256 kept = vested();
        uint256 back = address(this).balance + released - kept;
        keptAtRevoke = kept;
        revoked = true;
        (bool ok, ) = owner.call{value: back}("");
        require(ok, "refused");
        emit Revoked(back);
    }
}
