// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on audit findings about vesting and locking contracts (SWC-128): anyone can open a tiny schedule in favour of
// somebody else, whose claim then loops over all of them.

/// Anyone can add tranches of a wei to the list of somebody else, until the loop over it no longer fits in a block.
/// @custom:vulnerable gas-exhaustion claim()
contract GiftVestingBad {
    struct Tranche {
        address giver;
        bool settled;
        uint256 amount;
        uint256 releaseAt;
    }

    uint256 public constant MAX_PARTS = 100;
    uint256 public constant MAX_INTERVAL = 90 days;

    mapping(address => Tranche[]) private tranches;
    mapping(address => uint256) public received;

    event Granted(address indexed giver, address indexed beneficiary, uint256 amount, uint256 parts);
    event Claimed(address indexed beneficiary, uint256 amount);
    event Revoked(address indexed giver, address indexed beneficiary, uint256 amount);

    /// Gives the ether sent in equal parts, the first at once and each further one an interval later.
    function grant(address beneficiary, uint256 parts, uint256 interval) external payable {
        require(beneficiary != address(0), "nobody");
        require(parts > 0 && parts <= MAX_PARTS && interval <= MAX_INTERVAL, "bad schedule");
        uint256 part = msg.value / parts;
        require(part > 0 && part * parts == msg.value, "cannot be divided");
        Tranche[] storage list = tranches[beneficiary];
        for (uint256 i = 0; i < parts; i++) {
            list.push(Tranche(msg.sender, false, part, block.timestamp + i * interval)); // <- bug
        }
        emit Granted(msg.sender, beneficiary, msg.value, parts);
    }

    function claim() external {
        Tranche[] storage list = tranches[msg.sender];
        uint256 total = 0;
        for (uint256 i = 0; i < list.length; i++) { // <- bug
            Tranche storage tranche = list[i];
            if (tranche.settled || tranche.releaseAt > block.timestamp) continue;
            tranche.settled = true;
            total += tranche.amount;
        }
        require(total > 0, "nothing to claim");
        received[msg.sender] += total;
        _pay(msg.sender, total);
        emit Claimed(msg.sender, total);
    }

    /// What is not yet released can be taken back by its giver.
    function revoke(address beneficiary, uint256 index) external {
        require(index < tranches[beneficiary].length, "no such tranche");
        Tranche storage tranche = tranches[beneficiary][index];
        require(tranche.giver == msg.sender && !tranche.settled, "not yours");
        require(tranche.releaseAt > block.timestamp, "released");
        tranche.settled = true;
        _pay(msg.sender, tranche.amount);
        emit Revoked(msg.sender, beneficiary, tranche.amount);
    }

    function trancheCount(address beneficiary) external view returns (uint256) {
        return tranches[beneficiary].length;
    }

    function trancheAt(address beneficiary, uint256 index) external view returns (Tranche memory) {
        require(index < tranches[beneficiary].length, "no such tranche");
        return tranches[beneficiary][index];
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// The beneficiary says which part of the list is gone through.
/// @custom:safe
contract GiftVestingGood {
    struct Tranche {
        address giver;
        bool settled;
        uint256 amount;
        uint256 releaseAt;
    }

    uint256 public constant MAX_PARTS = 100;
    uint256 public constant MAX_INTERVAL = 90 days;

    mapping(address => Tranche[]) private tranches;
    mapping(address => uint256) public received;

    event Granted(address indexed giver, address indexed beneficiary, uint256 amount, uint256 parts);
    event Claimed(address indexed beneficiary, uint256 amount);
    event Revoked(address indexed giver, address indexed beneficiary, uint256 amount);

    /// Gives the ether sent in equal parts, the first at once and each further one an interval later.
    function grant(address beneficiary, uint256 parts, uint256 interval) external payable {
        require(beneficiary != address(0), "nobody");
        require(parts > 0 && parts <= MAX_PARTS && interval <= MAX_INTERVAL, "bad schedule");
        uint256 part = msg.value / parts;
        require(part > 0 && part * parts == msg.value, "cannot be divided");
        Tranche[] storage list = tranches[beneficiary];
        for (uint256 i = 0; i < parts; i++) {
            list.push(Tranche(msg.sender, false, part, block.timestamp + i * interval));
        }
        emit Granted(msg.sender, beneficiary, msg.value, parts);
    }

    function claim(uint256 first, uint256 count) external {
        Tranche[] storage list = tranches[msg.sender];
        require(first < list.length, "no such tranche");
        uint256 end = count < list.length - first ? first + count : list.length;
        uint256 total = 0;
        for (uint256 i = first; i < end; i++) {
            Tranche storage tranche = list[i];
            if (tranche.settled || tranche.releaseAt > block.timestamp) continue;
            tranche.settled = true;
            total += tranche.amount;
        }
        require(total > 0, "nothing to claim");
        received[msg.sender] += total;
        _pay(msg.sender, total);
        emit Claimed(msg.sender, total);
    }

    /// What is not yet released can be taken back by its giver.
    function revoke(address beneficiary, uint256 index) external {
        require(index < tranches[beneficiary].length, "no such tranche");
        Tranche storage tranche = tranches[beneficiary][index];
        require(tranche.giver == msg.sender && !tranche.settled, "not yours");
        require(tranche.releaseAt > block.timestamp, "released");
        tranche.settled = true;
        _pay(msg.sender, tranche.amount);
        emit Revoked(msg.sender, beneficiary, tranche.amount);
    }

    function trancheCount(address beneficiary) external view returns (uint256) {
        return tranches[beneficiary].length;
    }

    function trancheAt(address beneficiary, uint256 index) external view returns (Tranche memory) {
        require(index < tranches[beneficiary].length, "no such tranche");
        return tranches[beneficiary][index];
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}
