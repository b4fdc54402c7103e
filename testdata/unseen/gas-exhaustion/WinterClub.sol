// Modelled on SWC-128 and on the pyramid of 2016 whose creditor list grew until it could no longer be cleared: everybody can
// lengthen the list for next to nothing, and the settlement goes over all of it in one call.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The season's end credits all memberships in one loop; with enough of them, which are cheap, it never fits into a block.
/// @custom:vulnerable gas-exhaustion endSeason()
contract WinterClubBad {
    struct Membership {
        address holder;
        uint88 dues;
        bool settled;
    }

    address public treasurer;
    bool public ended;
    uint256 public totalDues;
    uint256 public leftOver;
    Membership[] public memberships;
    mapping(address => uint256) public credit;

    event Joined(uint256 indexed number, address indexed holder, uint256 dues);
    event Spent(address indexed to, uint256 amount, string purpose);
    event SeasonEnded(uint256 memberships, uint256 leftOver);
    event Withdrawn(address indexed holder, uint256 amount);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "treasurer only");
        _;
    }

    constructor() {
        treasurer = msg.sender;
    }

    /// Families and firms join together and share the dues equally.
    function join(address[] calldata people) external payable {
        require(!ended, "season is over");
        require(people.length > 0 && msg.value <= type(uint88).max, "bad group");
        uint256 each = msg.value / people.length;
        require(each > 0 && each * people.length == msg.value, "dues do not divide");
        totalDues += msg.value;
        for (uint256 i = 0; i < people.length; i++) {
            require(people[i] != address(0), "nobody");
            memberships.push(Membership(people[i], uint88(each), false));
            emit Joined(memberships.length - 1, people[i], each);
        }
    }

    function spend(address to, uint256 amount, string calldata purpose) external onlyTreasurer {
        require(!ended, "season is over");
        require(address(this).balance >= amount, "not so much there");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "refused");
        emit Spent(to, amount, purpose);
    }

    /// What has not been spent goes back to the members.
    function endSeason() external onlyTreasurer {
        require(!ended, "season is over");
        ended = true;
        leftOver = address(this).balance;
        for (uint256 i = 0; i < memberships.length; i++) { // <- bug
            _settle(memberships[i]); // <- bug
        }
        emit SeasonEnded(memberships.length, leftOver);
    }

    function _settle(Membership storage m) private {
        if (!m.settled) {
            m.settled = true;
            credit[m.holder] += (leftOver * m.dues) / totalDues;
        }
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount, "balance too low");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}

/// The season's end only fixes the rate; the memberships are credited by pages of bounded length, in any order.
/// @custom:safe
contract WinterClubGood {
    struct Membership {
        address holder;
        uint88 dues;
        bool settled;
    }

    uint256 public constant PAGE = 50;

    address public treasurer;
    bool public ended;
    uint256 public totalDues;
    uint256 public leftOver;
    Membership[] public memberships;
    mapping(address => uint256) public credit;

    event Joined(uint256 indexed number, address indexed holder, uint256 dues);
    event Spent(address indexed to, uint256 amount, string purpose);
    event SeasonEnded(uint256 memberships, uint256 leftOver);
    event Withdrawn(address indexed holder, uint256 amount);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "treasurer only");
        _;
    }

    constructor() {
        treasurer = msg.sender;
    }

    /// Families and firms join together and share the dues equally.
    function join(address[] calldata people) external payable {
        require(!ended, "season is over");
        require(people.length > 0 && msg.value <= type(uint88).max, "bad group");
        uint256 each = msg.value / people.length;
        require(each > 0 && each * people.length == msg.value, "dues do not divide");
        totalDues += msg.value;
        for (uint256 i = 0; i < people.length; i++) {
            require(people[i] != address(0), "nobody");
            memberships.push(Membership(people[i], uint88(each), false));
            emit Joined(memberships.length - 1, people[i], each);
        }
    }

    function spend(address to, uint256 amount, string calldata purpose) external onlyTreasurer {
        require(!ended, "season is over");
        require(address(this).balance >= amount, "not so much there");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "refused");
        emit Spent(to, amount, purpose);
    }

    /// What has not been spent goes back to the members.
    function endSeason() external onlyTreasurer {
        require(!ended, "season is over");
        ended = true;
        leftOver = address(this).balance;
        emit SeasonEnded(memberships.length, leftOver);
    }

    function settlePage(uint256 from) external {
        require(ended, "season is on");
        for (uint256 i = from; i < memberships.length && i - from < PAGE; i++) {
            _settle(memberships[i]);
        }
    }

    function _settle(Membership storage m) private {
        if (!m.settled) {
            m.settled = true;
            credit[m.holder] += (leftOver * m.dues) / totalDues;
        }
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount, "balance too low");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}
