// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Two counters in one word: open shifts below, finished ones above.
contract ShiftLedger {
    address public immutable planner;
    mapping(address => uint256) private packed;

    constructor() {
        planner = msg.sender;
    }

    function opened(address employer) external {
        require(msg.sender == planner, "only the planner");
        packed[employer] += 1; // 2**128 shifts do not happen
    }

    function closed(address employer) external {
        require(msg.sender == planner, "only the planner");
        require(uint128(packed[employer]) > 0, "none open");
        packed[employer] += (1 << 128) - 1; // one up above, one down below
    }

    function counts(address employer) external view returns (uint128 open, uint128 done) {
        return (uint128(packed[employer]), uint128(packed[employer] >> 128));
    }
}

/// @custom:safe
/** A contract that is right. */
contract ShiftPlannerGood {
    struct Shift {
        address employer;
        address worker;
        uint256 pay;
        uint256 starts;
        bool open;
    }

    uint256 public constant PATIENCE = 7 days;

    ShiftLedger public immutable ledger;
    address public immutable dispatcher;
    uint256 public lastId = uint256(-1);
    uint256 public tips;
    mapping(uint256 => Shift) public shifts;
    mapping(address => uint256) public credit;

    event Planned(uint256 indexed id, address indexed employer, address indexed worker, uint256 pay);
    event Closed(uint256 indexed id, address paid, uint256 amount);

    constructor() {
        dispatcher = msg.sender;
        ledger = new ShiftLedger();
    }

    function plan(address worker, uint256 starts) external payable returns (uint256 id) {
        require(worker != address(0) && msg.value > 0, "worker and pay");
        require(starts > block.timestamp && starts - block.timestamp <= 365 days, "starts");
        id = lastId--; // ids count down from the top
        shifts[id] = Shift(msg.sender, worker, msg.value, starts, true);
        ledger.opened(msg.sender);
        emit Planned(id, msg.sender, worker, msg.value);
    }

    function cancel(uint256 id) external {
        require(msg.sender == shifts[id].employer && block.timestamp < shifts[id].starts, "too late");
        _close(id, msg.sender);
    }

    function confirm(uint256 id) external {
        require(msg.sender == shifts[id].employer, "not the employer");
        _close(id, shifts[id].worker);
    }

    /// The worker, when nobody has complained for a week.
    function claim(uint256 id) external {
        require(msg.sender == shifts[id].worker, "not the worker");
        require(block.timestamp >= shifts[id].starts + PATIENCE, "too early");
        _close(id, msg.sender);
    }

    function overrule(uint256 id, bool worked) external {
        require(msg.sender == dispatcher, "not the dispatcher");
        _close(id, worked ? shifts[id].worker : shifts[id].employer);
    }

    function withdraw(address payable to) external {
        uint256 amount = credit[msg.sender];
        require(to != address(0) && amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function tip() external payable {
        tips += msg.value;
    }

    /// At once to a person, for whom 2300 gas are plenty; as credit to a contract.
    function takeTips() external {
        require(msg.sender == dispatcher, "not the dispatcher");
        uint256 amount = tips;
        tips = 0;
        if (tx.origin == msg.sender) msg.sender.transfer(amount);
        else credit[msg.sender] += amount;
    }

    function _close(uint256 id, address to) private {
        Shift storage s = shifts[id];
        require(s.open, "not open");
        s.open = false;
        credit[to] += s.pay;
        ledger.closed(s.employer);
        emit Closed(id, to, s.pay);
    }
}
