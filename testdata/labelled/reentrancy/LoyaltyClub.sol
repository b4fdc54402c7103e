// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

// Modelled on the bonus that is paid through an inner function before it is marked as taken (the second form of SWC-107 in the
// collections of known attacks): the inner function is in order, the outer one is not.

contract ClubOffice {
    address payable public steward;
    string public motto;

    event MottoChanged(string motto);

    constructor() internal {
        steward = msg.sender;
    }

    modifier onlySteward() {
        require(msg.sender == steward, "steward only");
        _;
    }

    function setMotto(string calldata motto_) external onlySteward {
        motto = motto_;
        emit MottoChanged(motto_);
    }
}

/// @custom:vulnerable reentrancy takeBonus()
/** The bonus is marked as taken only after it has been paid, so that a member takes it again from within the payment. */
contract LoyaltyClubBad is ClubOffice {
    struct Member {
        uint256 savings;
        uint256 payable_;
        bool bonusTaken;
    }

    uint256 public constant DUES = 20 finney;
    uint256 public constant BONUS = 10 finney;

    mapping(address => Member) public members;
    uint256 public bonusPot;

    event Saved(address indexed member, uint256 amount);
    event Bonus(address indexed member);
    event Left(address indexed member, uint256 amount);

    // the founder fills the pot
    constructor() public payable {
        bonusPot = msg.value;
    }

    // gifts
    receive() external payable {
        bonusPot += msg.value;
    }

    /// Of each payment the dues go to the pot.
    function save() external payable {
        require(msg.value > DUES, "too little");
        bonusPot += DUES;
        members[msg.sender].savings += msg.value - DUES;
        emit Saved(msg.sender, msg.value);
    }

    function takeBonus() external {
        Member storage member = members[msg.sender];
        require(member.savings > 0, "members only");
        require(!member.bonusTaken, "already taken");
        require(bonusPot >= BONUS, "pot is empty");
        bonusPot -= BONUS;
        member.payable_ += BONUS;
        settle(msg.sender); // <- bug
        member.bonusTaken = true; // <- bug
        emit Bonus(msg.sender);
    }

    function leave() external {
        Member storage member = members[msg.sender];
        uint256 amount = member.savings;
        require(amount > 0, "nothing saved");
        member.savings = 0;
        member.payable_ += amount;
        settle(msg.sender);
        emit Left(msg.sender, amount);
    }

    /// What is not needed for bonuses is spent on the club's parties.
    function spend(uint256 amount) external onlySteward {
        require(amount <= bonusPot, "not in the pot");
        bonusPot -= amount;
        (bool ok, ) = steward.call{value: amount}("");
        require(ok, "rejected");
    }

    function settle(address payable to) private {
        uint256 amount = members[to].payable_;
        members[to].payable_ = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// @custom:safe
/** The bonus is marked as taken before it is paid. */
contract LoyaltyClubGood is ClubOffice {
    struct Member {
        uint256 savings;
        uint256 payable_;
        bool bonusTaken;
    }

    uint256 public constant DUES = 20 finney;
    uint256 public constant BONUS = 10 finney;

    mapping(address => Member) public members;
    uint256 public bonusPot;

    event Saved(address indexed member, uint256 amount);
    event Bonus(address indexed member);
    event Left(address indexed member, uint256 amount);

    // the founder fills the pot
    constructor() public payable {
        bonusPot = msg.value;
    }

    // gifts
    receive() external payable {
        bonusPot += msg.value;
    }

    /// Of each payment the dues go to the pot.
    function save() external payable {
        require(msg.value > DUES, "too little");
        bonusPot += DUES;
        members[msg.sender].savings += msg.value - DUES;
        emit Saved(msg.sender, msg.value);
    }

    function takeBonus() external {
        Member storage member = members[msg.sender];
        require(member.savings > 0, "members only");
        require(!member.bonusTaken, "already taken");
        require(bonusPot >= BONUS, "pot is empty");
        bonusPot -= BONUS;
        member.payable_ += BONUS;
        member.bonusTaken = true;
        settle(msg.sender);
        emit Bonus(msg.sender);
    }

    function leave() external {
        Member storage member = members[msg.sender];
        uint256 amount = member.savings;
        require(amount > 0, "nothing saved");
        member.savings = 0;
        member.payable_ += amount;
        settle(msg.sender);
        emit Left(msg.sender, amount);
    }

    /// What is not needed for bonuses is spent on the club's parties.
    function spend(uint256 amount) external onlySteward {
        require(amount <= bonusPot, "not in the pot");
        bonusPot -= amount;
        (bool ok, ) = steward.call{value: amount}("");
        require(ok, "rejected");
    }

    function settle(address payable to) private {
        uint256 amount = members[to].payable_;
        members[to].payable_ = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}
