// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable excess-withdrawal multicall(bytes[])
contract LaunchLotsBad {
    uint256 public constant LOTS = 10;

    address public immutable owner;
    uint256 public immutable minimum;
    uint256 public immutable closesAt;

    mapping(uint256 => uint256) public lotTotal;
    mapping(uint256 => bool) public collected;
    mapping(uint256 => mapping(address => uint256)) public committed;

    event Committed(uint256 indexed lot, address indexed buyer, uint256 amount);
    event Uncommitted(uint256 indexed lot, address indexed buyer, uint256 amount);
    event Collected(uint256 indexed lot, uint256 amount);

    constructor(uint256 lotMinimum, uint256 daysOpen) {
        require(daysOpen >= 1 && daysOpen <= 90, "duration out of range");
        owner = msg.sender;
        minimum = lotMinimum;
        closesAt = block.timestamp + daysOpen * 1 days;
    }

    function commit(uint256 lot) external payable {
        _commit(lot, msg.value);
    }

    /// back out while the sale is open, or when the lot has missed its minimum
    function uncommit(uint256 lot, uint256 amount) external {
        require(block.timestamp < closesAt || lotTotal[lot] < minimum, "lot is sold");
        require(committed[lot][msg.sender] >= amount, "not that much");
        committed[lot][msg.sender] -= amount;
        lotTotal[lot] -= amount;
        emit Uncommitted(lot, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// the proceeds of a lot that has reached its minimum
    function collect(uint256 lot, address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(block.timestamp >= closesAt, "sale is open");
        require(lotTotal[lot] >= minimum && !collected[lot], "nothing to collect");
        collected[lot] = true;
        emit Collected(lot, lotTotal[lot]);
        (bool ok, ) = to.call{value: lotTotal[lot]}("");
        require(ok, "payment failed");
    }

    /// commit to several lots in one transaction
    function multicall(bytes[] calldata steps) external payable {
        require(steps.length > 0, "nothing to do");
        for (uint256 i = 0; i < steps.length; ++i) {
            (bool ok, ) = address(this).delegatecall(steps[i]);
            require(ok, "step failed");
        }
    }

    function _commit(uint256 lot, uint256 amount) internal {
        require(block.timestamp < closesAt, "sale is over");
        require(lot < LOTS, "no such lot");
        committed[lot][msg.sender] += amount;
        lotTotal[lot] += amount;
        emit Committed(lot, msg.sender, amount);
    }
}

/// @custom:safe
contract LaunchLotsGood {
    uint256 public constant LOTS = 10;

    address public immutable owner;
    uint256 public immutable minimum;
    uint256 public immutable closesAt;

    mapping(uint256 => uint256) public lotTotal;
    mapping(uint256 => bool) public collected;
    mapping(uint256 => mapping(address => uint256)) public committed;

    event Committed(uint256 indexed lot, address indexed buyer, uint256 amount);
    event Uncommitted(uint256 indexed lot, address indexed buyer, uint256 amount);
    event Collected(uint256 indexed lot, uint256 amount);

    constructor(uint256 lotMinimum, uint256 daysOpen) {
        require(daysOpen >= 1 && daysOpen <= 90, "duration out of range");
        owner = msg.sender;
        minimum = lotMinimum;
        closesAt = block.timestamp + daysOpen * 1 days;
    }

    function commit(uint256 lot) external payable {
        _commit(lot, msg.value);
    }

    function commitMany(uint256[] calldata lots, uint256[] calldata amounts) external payable {
        require(lots.length == amounts.length, "lengths differ");
        uint256 sum = 0;
        for (uint256 i = 0; i < lots.length; ++i) {
            sum += amounts[i];
            _commit(lots[i], amounts[i]);
        }
        require(sum == msg.value, "wrong payment");
    }

    /// back out while the sale is open, or when the lot has missed its minimum
    function uncommit(uint256 lot, uint256 amount) external {
        require(block.timestamp < closesAt || lotTotal[lot] < minimum, "lot is sold");
        require(committed[lot][msg.sender] >= amount, "not that much");
        committed[lot][msg.sender] -= amount;
        lotTotal[lot] -= amount;
        emit Uncommitted(lot, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// the proceeds of a lot that has reached its minimum
    function collect(uint256 lot, address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        require(block.timestamp >= closesAt, "sale is open");
        require(lotTotal[lot] >= minimum && !collected[lot], "nothing to collect");
        collected[lot] = true;
        emit Collected(lot, lotTotal[lot]);
        (bool ok, ) = to.call{value: lotTotal[lot]}("");
        require(ok, "payment failed");
    }

    /// change several commitments in one transaction; no ether comes with it
    function multicall(bytes[] calldata steps) external {
        require(steps.length > 0, "nothing to do");
        for (uint256 i = 0; i < steps.length; ++i) {
            (bool ok, ) = address(this).delegatecall(steps[i]);
            require(ok, "step failed");
        }
    }

    function _commit(uint256 lot, uint256 amount) internal {
        require(block.timestamp < closesAt, "sale is over");
        require(lot < LOTS, "no such lot");
        committed[lot][msg.sender] += amount;
        lotTotal[lot] += amount;
        emit Committed(lot, msg.sender, amount);
    }
}
