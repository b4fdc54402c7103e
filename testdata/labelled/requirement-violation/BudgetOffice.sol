// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract Budget {
    address public immutable office = msg.sender;
    uint256 public remaining;

    constructor(uint256 amount) {
        remaining = amount;
    }

    function spend(uint256 amount) external {
        require(msg.sender == office, "office only");
        require(amount <= remaining, "over budget");
        remaining -= amount;
    }
}

/// @custom:vulnerable requirement-violation order(uint256)
/** The office compares the net price with the budget but has the price with tax paid from it. */
contract BudgetOfficeBad {
    Budget public budget;
    uint256 public orders;

    event Ordered(uint256 indexed id, uint256 gross);

    constructor(uint256 yearly) {
        require(yearly >= 100 && yearly <= 1e24, "implausible budget");
        budget = new Budget(yearly);
    }

    function order(uint256 net) external {
        require(net > 0 && net <= 1e24, "price");
        uint256 gross = net + net / 10;
        require(net <= budget.remaining(), "cannot afford it");
        orders += 1;
        budget.spend(gross);
        emit Ordered(orders, gross);
    }
}

/// @custom:safe
/** The price with tax is compared. */
contract BudgetOfficeGood {
    Budget public budget;
    uint256 public orders;

    event Ordered(uint256 indexed id, uint256 gross);

    constructor(uint256 yearly) {
        require(yearly >= 100 && yearly <= 1e24, "implausible budget");
        budget = new Budget(yearly);
    }

    function order(uint256 net) external {
        require(net > 0 && net <= 1e24, "price");
        uint256 gross = net + net / 10;
        require(gross <= budget.remaining(), "cannot afford it");
        orders += 1;
        budget.spend(gross);
        emit Ordered(orders, gross);
    }
}
