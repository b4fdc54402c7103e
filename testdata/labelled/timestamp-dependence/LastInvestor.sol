// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable timestamp-dependence claim()
/** The last investor takes the pot if a minute passes without another, which a miner can arrange (GovernMental). */
contract LastInvestorBad {
    uint256 public constant SHARE = 100 finney;

    address payable public last;
    uint256 public lastTime;
    uint256 public count;

    event Invested(address indexed who, uint256 count);
    event Claimed(address indexed who, uint256 pot);

    function invest() external payable {
        require(msg.value == SHARE, "share");
        last = msg.sender;
        lastTime = now;
        count += 1;
        emit Invested(msg.sender, count);
    }

    function claim() external {
        require(msg.sender == last, "not the last");
        require(now >= lastTime + 1 minutes, "too early");
        uint256 pot = address(this).balance;
        last = address(0);
        count = 0;
        (bool ok, ) = msg.sender.call.value(pot)("");
        require(ok, "rejected");
        emit Claimed(msg.sender, pot);
    }
}

/// @custom:safe
/** The investor that is last when five have paid may take it; the time of the investment is kept for the record. */
contract LastInvestorGood {
    uint256 public constant SHARE = 100 finney;

    address payable public last;
    uint256 public lastTime;
    uint256 public count;

    event Invested(address indexed who, uint256 count);
    event Claimed(address indexed who, uint256 pot);

    function invest() external payable {
        require(msg.value == SHARE, "share");
        last = msg.sender;
        lastTime = now;
        count += 1;
        emit Invested(msg.sender, count);
    }

    function claim() external {
        require(msg.sender == last, "not the last");
        require(count >= 5, "too early");
        uint256 pot = address(this).balance;
        last = address(0);
        count = 0;
        (bool ok, ) = msg.sender.call.value(pot)("");
        require(ok, "rejected");
        emit Claimed(msg.sender, pot);
    }
}
