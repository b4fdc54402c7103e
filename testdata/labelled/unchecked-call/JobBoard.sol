// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable unchecked-call release(uint256)
/** A job counts as paid even though the worker's contract refused the wage, which is then lost to both. */
contract JobBoardBad {
    struct Job {
        address employer;
        address worker;
        uint256 wage;
        bool done;
    }

    mapping(uint256 => Job) private jobs;
    uint256 public count;

    event Posted(uint256 id, address employer, address worker, uint256 wage);
    event Closed(uint256 id, bool paid);

    function post(address worker) public payable returns (uint256 id) {
        require(msg.value > 0 && worker != address(0));
        id = count++;
        jobs[id] = Job(msg.sender, worker, msg.value, false);
        emit Posted(id, msg.sender, worker, msg.value);
    }

    function release(uint256 id) public {
        Job storage job = jobs[id];
        require(msg.sender == job.employer && !job.done);
        job.done = true;
        job.worker.call.value(job.wage)();
        emit Closed(id, true);
    }

    function cancel(uint256 id) public {
        Job storage job = jobs[id];
        require(msg.sender == job.worker && !job.done);
        job.done = true;
        require(job.employer.call.value(job.wage)());
        emit Closed(id, false);
    }
}

/// @custom:safe
/** The job stays open when the wage is refused. */
contract JobBoardGood {
    struct Job {
        address employer;
        address worker;
        uint256 wage;
        bool done;
    }

    mapping(uint256 => Job) private jobs;
    uint256 public count;

    event Posted(uint256 id, address employer, address worker, uint256 wage);
    event Closed(uint256 id, bool paid);

    function post(address worker) public payable returns (uint256 id) {
        require(msg.value > 0 && worker != address(0));
        id = count++;
        jobs[id] = Job(msg.sender, worker, msg.value, false);
        emit Posted(id, msg.sender, worker, msg.value);
    }

    function release(uint256 id) public {
        Job storage job = jobs[id];
        require(msg.sender == job.employer && !job.done);
        job.done = true;
        require(job.worker.call.value(job.wage)());
        emit Closed(id, true);
    }

    function cancel(uint256 id) public {
        Job storage job = jobs[id];
        require(msg.sender == job.worker && !job.done);
        job.done = true;
        require(job.employer.call.value(job.wage)());
        emit Closed(id, false);
    }
}
