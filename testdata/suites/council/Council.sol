// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

contract Treasury is Ownable {
    constructor(address owner_) Ownable(owner_) {}

    receive() external payable {}

    function pay(address payable to, uint256 amount) external onlyOwner {
        Address.sendValue(to, amount);
    }
}

/// A council votes on payments from a treasury that a timelock owns, one proposal at a time. The larger the payment,
/// the longer the vote.
contract Council {
    struct Proposal {
        address payable to;
        uint256 amount;
        uint256 createdAt;
        uint256 votesFor;
        uint256 votesAgainst;
        bool queued;
    }

    uint256 public constant BASE_PERIOD = 2 days;
    uint256 public constant PERIOD_PER_ETHER = 1 hours;

    TimelockController public immutable timelock;
    Treasury public immutable treasury;

    mapping(address member => uint256) public seats;
    mapping(uint256 id => mapping(address member => bool)) public hasVoted;
    Proposal[] public proposals;

    constructor(address[] memory members, uint256[] memory seats_, uint256 delay) {
        for (uint256 i; i < members.length; ++i) {
            seats[members[i]] = seats_[i];
        }
        address[] memory self = new address[](1);
        self[0] = address(this);
        timelock = new TimelockController(delay, self, self, address(0));
        treasury = new Treasury(address(timelock));
    }

    modifier onlyMember() {
        require(seats[msg.sender] != 0, "not a member");
        _;
    }

    function propose(address payable to, uint256 amount) external onlyMember returns (uint256 id) {
        id = proposals.length;
        require(id == 0 || _isClosed(id - 1), "another vote is open");
        proposals.push(Proposal(to, amount, block.timestamp, 0, 0, false));
    }

    function vote(uint256 id, bool support) external onlyMember {
        require(block.timestamp <= deadline(id), "the vote is closed");
        require(!hasVoted[id][msg.sender], "voted already");
        hasVoted[id][msg.sender] = true;
        if (support) proposals[id].votesFor += seats[msg.sender];
        else proposals[id].votesAgainst += seats[msg.sender];
    }

    function queue(uint256 id) external {
        Proposal storage proposal = proposals[id];
        require(_isClosed(id), "the vote is open");
        require(proposal.votesFor > proposal.votesAgainst, "not won");
        require(!proposal.queued, "queued already");
        proposal.queued = true;
        timelock.schedule(address(treasury), 0, _payment(id), 0, bytes32(id), timelock.getMinDelay());
    }

    function execute(uint256 id) external {
        timelock.execute(address(treasury), 0, _payment(id), 0, bytes32(id));
    }

    /// The last second in which votes count.
    function deadline(uint256 id) public view returns (uint256) {
        Proposal storage proposal = proposals[id];
        return proposal.createdAt + BASE_PERIOD + proposal.amount * PERIOD_PER_ETHER / 1 ether;
    }

    function proposalCount() external view returns (uint256) {
        return proposals.length;
    }

    function _isClosed(uint256 id) internal view virtual returns (bool) {
        return block.timestamp > deadline(id);
    }

    function _payment(uint256 id) private view returns (bytes memory) {
        return abi.encodeCall(Treasury.pay, (proposals[id].to, proposals[id].amount));
    }
}

/// Bug: off by one. In the second of the deadline the vote is both open and closed, so that a proposal can be queued
/// and then lose.
contract CouncilBug is Council {
    constructor(address[] memory members, uint256[] memory seats_, uint256 delay) Council(members, seats_, delay) {}

    function _isClosed(uint256 id) internal view override returns (bool) {
        return block.timestamp >= deadline(id);
    }
}
