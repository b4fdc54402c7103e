// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable excess-withdrawal withdraw()
contract TermSavingsBad {
    struct Account {
        uint256 amount;
        uint256 bonus;
        uint256 since;
    }

    uint256 public constant BONUS_PERCENT = 5;
    uint256 public constant TERM = 90 days;

    address public immutable sponsor;
    uint256 public bonusPool;
    mapping(address => Account) public accounts;

    event Saved(address indexed saver, uint256 amount, uint256 bonus);
    event Paid(address indexed saver, uint256 amount, uint256 bonus);

    constructor() payable {
        sponsor = msg.sender;
        bonusPool = msg.value;
    }

    function addBonus() external payable {
        require(msg.sender == sponsor, "not the sponsor");
        bonusPool += msg.value;
    }

    /// only what has not been promised to savers
    function takeBonus(address payable to, uint256 amount) external {
        require(msg.sender == sponsor, "not the sponsor");
        require(to != address(0), "no receiver");
        require(amount <= bonusPool, "promised to savers");
        bonusPool -= amount;
        _send(to, amount);
    }

    /// the bonus is set aside at once, as far as the pool goes
    function save() external payable {
        require(msg.value > 0, "nothing sent");
        uint256 bonus = msg.value * BONUS_PERCENT / 100;
        if (bonus > bonusPool) {
            bonus = bonusPool;
        }
        bonusPool -= bonus;

        Account storage account = accounts[msg.sender];
        if (account.amount == 0) {
            account.since = block.timestamp;
        }
        account.amount += msg.value;
        account.bonus += bonus;
        emit Saved(msg.sender, msg.value, bonus);
    }

    /// money is free at any time; the bonus is for those who stayed for the term
    function withdraw() external {
        Account memory account = accounts[msg.sender];
        require(account.amount > 0, "no savings");
        delete accounts[msg.sender];

        uint256 bonus = account.bonus;
        if (block.timestamp < account.since + TERM) {
            bonusPool += bonus;
            bonus = 0;
        }
        emit Paid(msg.sender, account.amount, bonus);
        _send(msg.sender, account.amount + bonus);
    }

    function _send(address to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract TermSavingsGood {
    struct Position {
        address saver;
        uint256 amount;
        uint256 bonus;
        uint256 since;
    }

    uint256 public constant BONUS_PERCENT = 5;
    uint256 public constant TERM = 90 days;

    address public immutable sponsor;
    uint256 public bonusPool;
    uint256 public positionCount;
    mapping(uint256 => Position) public positions;

    event Saved(uint256 indexed id, address indexed saver, uint256 amount, uint256 bonus);
    event Paid(uint256 indexed id, address indexed saver, uint256 amount, uint256 bonus);

    constructor() payable {
        sponsor = msg.sender;
        bonusPool = msg.value;
    }

    function addBonus() external payable {
        require(msg.sender == sponsor, "not the sponsor");
        bonusPool += msg.value;
    }

    /// only what has not been promised to savers
    function takeBonus(address payable to, uint256 amount) external {
        require(msg.sender == sponsor, "not the sponsor");
        require(to != address(0), "no receiver");
        require(amount <= bonusPool, "promised to savers");
        bonusPool -= amount;
        _send(to, amount);
    }

    /// the bonus is set aside at once, as far as the pool goes
    function save() external payable returns (uint256 id) {
        require(msg.value > 0, "nothing sent");
        uint256 bonus = msg.value * BONUS_PERCENT / 100;
        if (bonus > bonusPool) {
            bonus = bonusPool;
        }
        bonusPool -= bonus;

        id = positionCount++;
        positions[id] = Position(msg.sender, msg.value, bonus, block.timestamp);
        emit Saved(id, msg.sender, msg.value, bonus);
    }

    /// money is free at any time; the bonus is for those who stayed for the term
    function withdraw(uint256 id) external {
        Position memory position = positions[id];
        require(position.saver == msg.sender, "not yours");
        delete positions[id];

        uint256 bonus = position.bonus;
        if (block.timestamp < position.since + TERM) {
            bonusPool += bonus;
            bonus = 0;
        }
        emit Paid(id, msg.sender, position.amount, bonus);
        _send(msg.sender, position.amount + bonus);
    }

    function _send(address to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
