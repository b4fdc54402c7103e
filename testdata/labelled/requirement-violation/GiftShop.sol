// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PointsLedger {
    address public immutable shop = msg.sender;
    mapping(address => uint256) public points;

    function award(address to, uint256 amount) external {
        require(msg.sender == shop, "shop only");
        require(amount > 0 && amount <= 100, "1 to 100 points");
        points[to] += amount;
    }
}

/// The number of purchases goes unchecked to the ledger, whose requirement of 1 to 100 points a time it breaks.
/// @custom:vulnerable requirement-violation visit(uint256)
contract GiftShopBad {
    PointsLedger public immutable ledger = new PointsLedger();
    mapping(address => uint256) public visits;

    function visit(uint256 purchases) external {
        require(purchases <= 1000, "purchases");
        visits[msg.sender] += 1;
        ledger.award(msg.sender, purchases * 5);
    }

    function pointsOf(address customer) external view returns (uint256) {
        return ledger.points(customer);
    }
}

/// The shop accepts only numbers that the ledger takes.
/// @custom:safe
contract GiftShopGood {
    PointsLedger public immutable ledger = new PointsLedger();
    mapping(address => uint256) public visits;

    function visit(uint256 purchases) external {
        require(purchases > 0 && purchases <= 20, "purchases");
        visits[msg.sender] += 1;
        ledger.award(msg.sender, purchases * 5);
    }

    function pointsOf(address customer) external view returns (uint256) {
        return ledger.points(customer);
    }
}
