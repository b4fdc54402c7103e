// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Two of three signers, then a delay, then the call. Approvals are bits of one byte.
/// @custom:safe
contract DelaySafeGood {
    struct Plan {
        address target;
        uint256 value;
        bytes data;
        uint64 readyAt;
        uint8 approvals;
        bool done;
    }

    address[3] public signers;
    uint256 public immutable delay;
    Plan[] private plans;

    event Proposed(uint256 indexed id, address target, uint256 value);
    event Approved(uint256 indexed id, address signer, uint8 approvals);
    event Executed(uint256 indexed id);
    event Dropped(uint256 indexed id);

    constructor(address second, address third, uint256 delay_) {
        require(second != address(0) && third != address(0), "zero");
        require(second != third && second != msg.sender && third != msg.sender, "twice");
        require(delay_ >= 1 days && delay_ <= 30 days, "delay");
        signers = [msg.sender, second, third];
        delay = delay_;
    }

    receive() external payable {}

    function bitOf(address who) public view returns (uint8) {
        for (uint8 i = 0; i < 3; i++) {
            if (signers[i] == who) return uint8(1) << i;
        }
        return 0;
    }

    function propose(address target, uint256 value, bytes calldata data) external returns (uint256 id) {
        require(bitOf(msg.sender) != 0, "not a signer");
        require(target != address(0), "target");
        id = plans.length;
        plans.push(Plan(target, value, data, 0, 0, false));
        emit Proposed(id, target, value);
        approve(id);
    }

    function approve(uint256 id) public {
        uint8 bit = bitOf(msg.sender);
        require(bit != 0, "not a signer");
        require(id < plans.length && !plans[id].done, "no such plan");
        Plan storage plan = plans[id];
        require(plan.approvals & bit == 0, "already");
        uint8 mask = plan.approvals | bit;
        plan.approvals = mask;
        unchecked {
            // more than one bit set <=> mask & (mask - 1) != 0; mask is not 0 here
            if (plan.readyAt == 0 && mask & (mask - 1) != 0) {
                plan.readyAt = uint64(block.timestamp + delay);
            }
        }
        emit Approved(id, msg.sender, mask);
    }

    function drop(uint256 id) external {
        require(bitOf(msg.sender) != 0, "not a signer");
        require(id < plans.length && !plans[id].done, "no such plan");
        plans[id].done = true;
        emit Dropped(id);
    }

    /// Anybody may push a plan that is ripe.
    function execute(uint256 id) external {
        require(id < plans.length && !plans[id].done, "no such plan");
        Plan storage plan = plans[id];
        require(plan.readyAt != 0 && block.timestamp >= plan.readyAt, "not ripe");
        plan.done = true;
        (bool ok, bytes memory why) = plan.target.call{value: plan.value}(plan.data);
        if (!ok) {
            assembly {
                revert(add(why, 32), mload(why))
            }
        }
        emit Executed(id);
    }
}
