// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable gas-exhaustion closeSeason()
contract SeasonReferralBad {
    address public immutable operator;
    uint256 public immutable ticketPrice;
    uint256 public immutable seasonEnds;

    uint256 public treasury;
    uint256 public bonusPot;
    uint256 public bonusPerReferral;
    uint256 public totalReferrals;
    bool public closed;
    address[] public members;
    mapping(address => bool) public isMember;
    mapping(address => uint256) public referrals;
    mapping(address => uint256) public credits;

    event Joined(address indexed member, address indexed referrer);
    event SeasonClosed(uint256 bonusPerReferral);
    event Withdrawn(address indexed member, uint256 amount);

    constructor(uint256 price, uint256 seasonDays) {
        require(price >= 1000 && price <= 10 ether, "price range");
        require(seasonDays > 0 && seasonDays <= 365, "days range");
        operator = msg.sender;
        ticketPrice = price;
        seasonEnds = block.timestamp + seasonDays * 1 days;
    }

    function memberCount() external view returns (uint256) {
        return members.length;
    }

    function join(address referrer) external payable {
        require(block.timestamp < seasonEnds, "season over");
        require(!isMember[msg.sender], "already a member");
        require(msg.value == ticketPrice, "exact price only");
        isMember[msg.sender] = true;
        members.push(msg.sender);

        uint256 half = msg.value / 2;
        bonusPot += half;
        treasury += msg.value - half;
        if (referrer != msg.sender && isMember[referrer]) {
            referrals[referrer] += 1;
            totalReferrals += 1;
        }
        emit Joined(msg.sender, referrer);
    }

    function closeSeason() external {
        require(block.timestamp >= seasonEnds && !closed, "not closable");
        closed = true;
        uint256 pot = bonusPot;
        bonusPot = 0;
        if (totalReferrals > 0) {
            uint256 share = pot / totalReferrals;
            uint256 most = ticketPrice * 9 / 10;
            bonusPerReferral = share < most ? share : most;
            treasury += pot - bonusPerReferral * totalReferrals;
        } else {
            treasury += pot;
        }
        for (uint256 i = 0; i < members.length; i++) {
            address member = members[i];
            credits[member] += referrals[member] * bonusPerReferral;
        }
        emit SeasonClosed(bonusPerReferral);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        _pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function drawTreasury() external {
        require(msg.sender == operator, "operator only");
        uint256 amount = treasury;
        treasury = 0;
        _pay(operator, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract SeasonReferralGood {
    address public immutable operator;
    uint256 public immutable ticketPrice;
    uint256 public immutable seasonEnds;

    uint256 public treasury;
    uint256 public bonusPot;
    uint256 public bonusPerReferral;
    uint256 public totalReferrals;
    bool public closed;
    uint256 public cursor;
    address[] public members;
    mapping(address => bool) public isMember;
    mapping(address => uint256) public referrals;
    mapping(address => uint256) public credits;

    event Joined(address indexed member, address indexed referrer);
    event SeasonClosed(uint256 bonusPerReferral);
    event Withdrawn(address indexed member, uint256 amount);

    constructor(uint256 price, uint256 seasonDays) {
        require(price >= 1000 && price <= 10 ether, "price range");
        require(seasonDays > 0 && seasonDays <= 365, "days range");
        operator = msg.sender;
        ticketPrice = price;
        seasonEnds = block.timestamp + seasonDays * 1 days;
    }

    function memberCount() external view returns (uint256) {
        return members.length;
    }

    function join(address referrer) external payable {
        require(block.timestamp < seasonEnds, "season over");
        require(!isMember[msg.sender], "already a member");
        require(msg.value == ticketPrice, "exact price only");
        isMember[msg.sender] = true;
        members.push(msg.sender);

        uint256 half = msg.value / 2;
        bonusPot += half;
        treasury += msg.value - half;
        if (referrer != msg.sender && isMember[referrer]) {
            referrals[referrer] += 1;
            totalReferrals += 1;
        }
        emit Joined(msg.sender, referrer);
    }

    function closeSeason() external {
        require(block.timestamp >= seasonEnds && !closed, "not closable");
        closed = true;
        uint256 pot = bonusPot;
        bonusPot = 0;
        if (totalReferrals > 0) {
            uint256 share = pot / totalReferrals;
            uint256 most = ticketPrice * 9 / 10;
            bonusPerReferral = share < most ? share : most;
            treasury += pot - bonusPerReferral * totalReferrals;
        } else {
            treasury += pot;
        }
        emit SeasonClosed(bonusPerReferral);
    }

    function creditBonuses(uint256 count) external {
        require(closed, "season running");
        uint256 start = cursor;
        uint256 left = members.length - start;
        uint256 end = start + (count < left ? count : left);
        cursor = end;
        for (uint256 i = start; i < end; i++) {
            address member = members[i];
            credits[member] += referrals[member] * bonusPerReferral;
        }
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        _pay(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function drawTreasury() external {
        require(msg.sender == operator, "operator only");
        uint256 amount = treasury;
        treasury = 0;
        _pay(operator, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
