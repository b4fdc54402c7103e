// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Shop {
    uint256 internal stock = 10;
    uint256 public sold;

    function buy(uint256 amount) external {
        require(amount <= stock);
        stock -= amount;
        sold += amount;
    }
}

contract PanicBad is Shop {
    uint256 public share;

    function count() external {
        share = 1000 / stock;
    }
}

contract PanicGood is Shop {
    uint256 public share;

    function count() external {
        share = stock == 0 ? 0 : 1000 / stock;
    }
}
