// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:safe
/** An employer sets money aside for staff; it vests evenly, but nothing before the cliff. */
contract StaffVestingGood {
    struct Award {
        address staff;
        uint256 amount;
        uint256 taken;
        uint256 start;
        uint256 cliff;
        uint256 length;
    }

    address public immutable employer;
    uint256 public count;
    mapping(uint256 => Award) public awards;
    mapping(address => uint256) public credit;

    event Awarded(uint256 indexed id, address indexed staff, uint256 amount);
    event Ended(uint256 indexed id, uint256 toStaff, uint256 toEmployer);

    constructor() {
        employer = msg.sender;
    }

    function award(address staff, uint256 cliffDays, uint256 lengthDays) external payable returns (uint256 id) {
        require(msg.sender == employer, "not the employer");
        require(staff != address(0) && staff != address(this), "staff");
        require(lengthDays >= 1 && lengthDays <= 3650 && cliffDays <= lengthDays, "time");
        require(msg.value > 0, "nothing");
        id = count++;
        awards[id] = Award(staff, msg.value, 0, block.timestamp, cliffDays * 1 days, lengthDays * 1 days);
        emit Awarded(id, staff, msg.value);
    }

    function vested(uint256 id) public view returns (uint256) {
        Award storage a = awards[id];
        uint256 elapsed = block.timestamp - a.start;
        if (a.staff == address(0) || elapsed < a.cliff) return 0;
        if (elapsed >= a.length) return a.amount;
        return a.amount * elapsed / a.length;
    }

    function take(uint256 id, address to) external {
        Award storage a = awards[id];
        require(msg.sender == a.staff, "not yours");
        require(to != address(0), "to");
        uint256 due = vested(id) - a.taken;
        require(due > 0, "nothing");
        a.taken += due;
        (bool ok, ) = to.call{value: due}("");
        require(ok, "payment failed");
    }

    /// Dismissal by the employer or notice by the staff: what has vested stays theirs.
    function end(uint256 id) external {
        Award memory a = awards[id];
        require(a.staff != address(0), "no award");
        require(msg.sender == employer || msg.sender == a.staff, "not a party");
        uint256 sum = vested(id);
        delete awards[id];
        credit[a.staff] += sum - a.taken;
        credit[employer] += a.amount - sum;
        emit Ended(id, sum - a.taken, a.amount - sum);
    }

    function withdrawCredit(address to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
