// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Everybody keeps a short list of jobs with tips; the keeper named in a job ticks it off when it is due.
/// @custom:safe
contract KeeperDiaryGood {
    struct Job {
        address keeper;
        uint64 due;
        uint128 tip;
        bytes32 what;
    }

    uint256 public constant MAX_JOBS = 16;
    uint256 public constant GRACE = 7 days;

    mapping(address => Job[]) private diary;
    mapping(address => uint256) public credit;

    event Posted(address indexed poster, address indexed keeper, bytes32 what, uint256 tip);
    event Done(address indexed poster, address indexed keeper, bytes32 what);
    event Expired(address indexed poster, bytes32 what);

    function post(address keeper, bytes32 what, uint64 due) external payable {
        require(keeper != address(0), "keeper");
        require(msg.value <= type(uint128).max, "tip");
        require(due >= block.timestamp && due <= block.timestamp + 365 days, "due");
        Job[] storage jobs = diary[msg.sender];
        require(jobs.length < MAX_JOBS, "diary full");
        for (uint256 i = 0; i < jobs.length; i++) {
            require(jobs[i].what != what, "twice");
        }
        jobs.push(Job(keeper, due, uint128(msg.value), what));
        emit Posted(msg.sender, keeper, what, msg.value);
    }

    /// Jobs are found by name, since indices move when others are removed.
    function tickOff(address poster, bytes32 what) external {
        Job[] storage jobs = diary[poster];
        uint256 i = _find(jobs, what);
        require(i < jobs.length, "no such job");
        require(msg.sender == jobs[i].keeper, "not the keeper");
        require(block.timestamp >= jobs[i].due, "not due");
        credit[msg.sender] += jobs[i].tip;
        _remove(jobs, i);
        emit Done(poster, msg.sender, what);
    }

    /// Takes back the tips of all the jobs that nobody did in time.
    function expire() external {
        Job[] storage jobs = diary[msg.sender];
        uint256 back;
        unchecked {
            // counts down to 0 and stops before it wraps
            for (uint256 i = jobs.length; i-- > 0; ) {
                if (block.timestamp > jobs[i].due + GRACE) {
                    back += jobs[i].tip;
                    emit Expired(msg.sender, jobs[i].what);
                    _remove(jobs, i);
                }
            }
        }
        credit[msg.sender] += back;
    }

    function count(address poster) external view returns (uint256) {
        return diary[poster].length;
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function _find(Job[] storage jobs, bytes32 what) private view returns (uint256 i) {
        uint256 n = jobs.length;
        while (i < n && jobs[i].what != what) i++;
    }

    function _remove(Job[] storage jobs, uint256 i) private {
        unchecked {
            uint256 last = jobs.length - 1;
            if (i != last) jobs[i] = jobs[last];
        }
        jobs.pop();
    }
}
