// Modelled on the lending pool incidents of 2021 and 2022 (pools that paid a loan out before the debt was written, while
// the borrower left the market from within the payment): cross-function reentrancy, SWC-107.
// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable reentrancy borrow(uint256)
/** A loan is paid before the debt is written, so that the borrower can take another, or release the pledge, from within. */
contract ShareLoansBad {
    struct Member {
        uint256 shares;
        uint256 debt;
        bool pledged;
    }

    mapping(address => Member) public members;
    uint256 public totalShares;
    uint256 public totalDebt;

    event Deposited(address indexed member, uint256 amount);
    event Pledged(address indexed member, bool pledged);
    event Borrowed(address indexed member, uint256 amount);
    event Repaid(address indexed member, uint256 amount);
    event Withdrawn(address indexed member, uint256 amount);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        require(msg.value > 0, "nothing");
        members[msg.sender].shares += msg.value;
        totalShares += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function pledge() external {
        require(members[msg.sender].shares > 0, "no shares");
        members[msg.sender].pledged = true;
        emit Pledged(msg.sender, true);
    }

    function release() external {
        require(members[msg.sender].debt == 0, "in debt");
        members[msg.sender].pledged = false;
        emit Pledged(msg.sender, false);
    }

    /// Half of the pledged shares, less what is owed already.
    function limit(address member) public view returns (uint256) {
        Member storage m = members[member];
        uint256 half = m.shares / 2;
        return m.pledged && half > m.debt ? half - m.debt : 0;
    }

    function borrow(uint256 amount) external {
        Member storage m = members[msg.sender];
        require(amount > 0 && amount <= limit(msg.sender), "over the limit");
        require(address(this).balance >= amount, "no liquidity");
        (bool ok, ) = msg.sender.call{value: amount}(""); // <- bug
        require(ok, "refused");
        m.debt += amount; // <- bug
        totalDebt += amount;
        emit Borrowed(msg.sender, amount);
    }

    function repay() external payable {
        Member storage m = members[msg.sender];
        require(msg.value > 0 && msg.value <= m.debt, "not owed");
        m.debt -= msg.value;
        totalDebt -= msg.value;
        emit Repaid(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        Member storage m = members[msg.sender];
        require(!m.pledged, "pledged");
        require(amount > 0 && m.shares >= amount, "balance too low");
        m.shares -= amount;
        totalShares -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}

/// @custom:safe
/** The debt is written first, and a lock covers every function that moves ether or pledges. */
contract ShareLoansGood {
    struct Member {
        uint256 shares;
        uint256 debt;
        bool pledged;
    }

    mapping(address => Member) public members;
    uint256 public totalShares;
    uint256 public totalDebt;
    bool private locked;

    event Deposited(address indexed member, uint256 amount);
    event Pledged(address indexed member, bool pledged);
    event Borrowed(address indexed member, uint256 amount);
    event Repaid(address indexed member, uint256 amount);
    event Withdrawn(address indexed member, uint256 amount);

    modifier nonReentrant() {
        require(!locked, "locked");
        locked = true;
        _;
        locked = false;
    }

    receive() external payable {
        deposit();
    }

    function deposit() public payable nonReentrant {
        require(msg.value > 0, "nothing");
        members[msg.sender].shares += msg.value;
        totalShares += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function pledge() external nonReentrant {
        require(members[msg.sender].shares > 0, "no shares");
        members[msg.sender].pledged = true;
        emit Pledged(msg.sender, true);
    }

    function release() external nonReentrant {
        require(members[msg.sender].debt == 0, "in debt");
        members[msg.sender].pledged = false;
        emit Pledged(msg.sender, false);
    }

    /// Half of the pledged shares, less what is owed already.
    function limit(address member) public view returns (uint256) {
        Member storage m = members[member];
        uint256 half = m.shares / 2;
        return m.pledged && half > m.debt ? half - m.debt : 0;
    }

    function borrow(uint256 amount) external nonReentrant {
        Member storage m = members[msg.sender];
        require(amount > 0 && amount <= limit(msg.sender), "over the limit");
        require(address(this).balance >= amount, "no liquidity");
        m.debt += amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        totalDebt += amount;
        emit Borrowed(msg.sender, amount);
    }

    function repay() external payable nonReentrant {
        Member storage m = members[msg.sender];
        require(msg.value > 0 && msg.value <= m.debt, "not owed");
        m.debt -= msg.value;
        totalDebt -= msg.value;
        emit Repaid(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external nonReentrant {
        Member storage m = members[msg.sender];
        require(!m.pledged, "pledged");
        require(amount > 0 && m.shares >= amount, "balance too low");
        m.shares -= amount;
        totalShares -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}
