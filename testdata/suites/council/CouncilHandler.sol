// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {Council} from "./Council.sol";

/// Votes and queues concern the newest proposal, executions any.
contract CouncilHandler is Actors {
    Council public immutable council;

    uint256 public ghost_paid;
    uint256 public ghost_earlyPayments;
    mapping(uint256 id => uint256) private queuedAt;

    constructor(Council council_, address[] memory members) {
        council = council_;
        actors = members;
    }

    function propose(uint256 actorSeed, uint256 toSeed, uint256 amount) external {
        amount = bound(amount, 0.01 ether, 100 ether);
        vm.prank(actor(actorSeed));
        council.propose(payable(actor(toSeed)), amount);
    }

    function vote(uint256 actorSeed, bool support) external {
        uint256 id = _newest();
        vm.prank(actor(actorSeed));
        council.vote(id, support);
    }

    function queue() external {
        uint256 id = _newest();
        council.queue(id);
        queuedAt[id] = block.timestamp;
    }

    function execute(uint256 id) external {
        id = bound(id, 0, _newest());
        (, uint256 amount,,,,) = council.proposals(id);
        council.execute(id);
        ghost_paid += amount;
        if (block.timestamp < queuedAt[id] + council.timelock().getMinDelay()) ghost_earlyPayments++;
    }

    function wait(uint256 time) external {
        skip(bound(time, 1, 14 days));
    }

    function _newest() private view returns (uint256) {
        vm.assume(council.proposalCount() != 0);
        return council.proposalCount() - 1;
    }
}
