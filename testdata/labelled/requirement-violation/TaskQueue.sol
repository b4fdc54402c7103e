// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Backlog {
    address public immutable foreman = msg.sender;
    uint256 public waiting;
    uint256 public done;

    function put(uint256 count) external {
        require(msg.sender == foreman, "foreman only");
        waiting += count;
    }

    function take(uint256 count) external {
        require(msg.sender == foreman, "foreman only");
        require(count <= waiting, "not that many");
        waiting -= count;
        done += count;
    }
}

/// A shift takes two tasks although only one may be waiting, which the queue refuses.
/// @custom:vulnerable requirement-violation work()
contract TaskQueueBad {
    uint256 private constant SHIFT = 2;

    Backlog private immutable backlog;

    event Shift(uint256 tasks);

    constructor() {
        backlog = new Backlog();
    }

    function file(uint8 count) external {
        require(count > 0, "no task");
        backlog.put(count);
    }

    function work() external {
        uint256 waiting = backlog.waiting();
        require(waiting > 0, "nothing to do");
        uint256 count = SHIFT;
        backlog.take(count);
        emit Shift(count);
    }
}

/// A shift takes as many as there are, at most two.
/// @custom:safe
contract TaskQueueGood {
    uint256 private constant SHIFT = 2;

    Backlog private immutable backlog;

    event Shift(uint256 tasks);

    constructor() {
        backlog = new Backlog();
    }

    function file(uint8 count) external {
        require(count > 0, "no task");
        backlog.put(count);
    }

    function work() external {
        uint256 waiting = backlog.waiting();
        require(waiting > 0, "nothing to do");
        uint256 count = waiting < SHIFT ? waiting : SHIFT;
        backlog.take(count);
        emit Shift(count);
    }
}
