// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Stock {
    uint256 public left = 100;

    function take(uint256 amount) external {
        require(amount <= left, "out of stock");
        left -= amount;
    }

    function fill() external {
        left = 100;
    }
}

contract RequirementViolationBad {
    Stock internal stock = new Stock();

    function order(uint256 amount) external {
        stock.take(amount);
    }
}

contract RequirementViolationGood {
    Stock internal stock = new Stock();

    function order(uint256 amount) external {
        require(amount <= stock.left(), "too much");
        stock.take(amount);
    }

    function refill() external {
        stock.fill();
    }
}
