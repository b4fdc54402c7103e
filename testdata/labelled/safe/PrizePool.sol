// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:safe
/** A contest: all pay the fee, the judge names the two best, who share the pool. If the judge does not, everybody gets the fee back. */
contract PrizePoolGood {
    address public judge;
    uint256 public fee;
    uint256 public entryEnd;
    uint256 public judgeEnd;
    uint256 public pool;
    bool public judged;

    mapping(address => bool) public entered;
    mapping(address => uint256) public credit;

    event Entered(address indexed who);
    event Judged(address indexed first, address indexed second, uint256 pool);

    constructor(uint256 fee_, uint256 days_) public {
        require(fee_ > 0 && fee_ <= 100 ether, "fee");
        require(days_ >= 1 && days_ <= 100, "days");
        judge = msg.sender;
        fee = fee_;
        entryEnd = now + days_ * 1 days;
        judgeEnd = entryEnd + 60 days;
    }

    function enter() external payable {
        require(now <= entryEnd, "too late");
        require(!entered[msg.sender], "entered");
        require(msg.value >= fee, "too little");
        entered[msg.sender] = true;
        pool += fee;
        emit Entered(msg.sender);
        if (msg.value > fee) {
            (bool ok, ) = msg.sender.call.value(msg.value - fee)("");
            require(ok, "change failed");
        }
    }

    /// The second gets a fifth, the first all the rest.
    function name(address first, address second) external {
        require(msg.sender == judge, "not the judge");
        require(now > entryEnd && now <= judgeEnd, "not the time");
        require(!judged, "judged");
        require(first != second && entered[first] && entered[second], "not contestants");
        judged = true;
        uint256 part = pool / 5;
        credit[second] += part;
        credit[first] += pool - part;
        emit Judged(first, second, pool);
        pool = 0;
    }

    function refund() external {
        require(now > judgeEnd && !judged, "no refund");
        require(entered[msg.sender], "no fee paid");
        entered[msg.sender] = false;
        pool -= fee;
        credit[msg.sender] += fee;
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
