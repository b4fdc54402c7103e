// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Whoever started the transaction must be the steward, which says nothing about who calls.
/// @custom:vulnerable tx-origin setSteward(address)
contract StewardBad {
    address public steward;
    uint256 public rate = 250;
    bool public paused;

    event Changed(address indexed origin, address indexed caller, bytes32 what);

    error NotTheSteward();

    constructor(address steward_) {
        steward = steward_;
    }

    modifier bySteward(bytes32 what) {
        if (tx.origin != steward) revert NotTheSteward();
        _;
        emit Changed(tx.origin, msg.sender, what);
    }

    function setRate(uint256 rate_) external bySteward("rate") {
        require(rate_ <= 1000, "rate");
        rate = rate_;
    }

    function setPaused(bool paused_) external bySteward("paused") {
        paused = paused_;
    }

    function setSteward(address steward_) external bySteward("steward") {
        require(steward_ != address(0), "nobody");
        steward = steward_;
    }

    function quote(uint256 price) external view returns (uint256) {
        require(!paused && price <= 1e30, "no quote");
        return (price * rate) / 10_000;
    }
}

/// The caller must be the steward; tx.origin is only reported.
/// @custom:safe
contract StewardGood {
    address public steward;
    uint256 public rate = 250;
    bool public paused;

    event Changed(address indexed origin, address indexed caller, bytes32 what);

    error NotTheSteward();

    constructor(address steward_) {
        steward = steward_;
    }

    modifier bySteward(bytes32 what) {
        if (msg.sender != steward) revert NotTheSteward();
        _;
        emit Changed(tx.origin, msg.sender, what);
    }

    function setRate(uint256 rate_) external bySteward("rate") {
        require(rate_ <= 1000, "rate");
        rate = rate_;
    }

    function setPaused(bool paused_) external bySteward("paused") {
        paused = paused_;
    }

    function setSteward(address steward_) external bySteward("steward") {
        require(steward_ != address(0), "nobody");
        steward = steward_;
    }

    function quote(uint256 price) external view returns (uint256) {
        require(!paused && price <= 1e30, "no quote");
        return (price * rate) / 10_000;
    }
}
