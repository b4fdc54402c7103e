// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable unchecked-call pay(address)
/** What is owed is struck out whether or not the payment went through, for instance when the till is empty. */
contract PayrollBad {
    address public boss = msg.sender;
    mapping(address => uint256) public owed;

    event Paid(address indexed employee, uint256 amount);
    event NotPaid(address indexed employee, uint256 amount);

    modifier onlyBoss() {
        require(msg.sender == boss, "only the boss");
        _;
    }

    function fund() external payable onlyBoss {}

    function owe(address employee, uint256 amount) external onlyBoss {
        require(amount <= 10 ether, "too generous");
        owed[employee] = amount;
    }

    function pay(address employee) external onlyBoss {
        uint256 amount = owed[employee];
        require(amount > 0, "nothing owed");
        owed[employee] = 0;
        employee.call{value: amount}("");
        emit Paid(employee, amount);
    }

    function takeBack(uint256 amount) external onlyBoss {
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// @custom:safe
/** What could not be paid is owed again. */
contract PayrollGood {
    address public boss = msg.sender;
    mapping(address => uint256) public owed;

    event Paid(address indexed employee, uint256 amount);
    event NotPaid(address indexed employee, uint256 amount);

    modifier onlyBoss() {
        require(msg.sender == boss, "only the boss");
        _;
    }

    function fund() external payable onlyBoss {}

    function owe(address employee, uint256 amount) external onlyBoss {
        require(amount <= 10 ether, "too generous");
        owed[employee] = amount;
    }

    function pay(address employee) external onlyBoss {
        uint256 amount = owed[employee];
        require(amount > 0, "nothing owed");
        owed[employee] = 0;
        (bool ok, ) = employee.call{value: amount}("");
        if (ok) {
            emit Paid(employee, amount);
        } else {
            owed[employee] = amount;
            emit NotPaid(employee, amount);
        }
    }

    function takeBack(uint256 amount) external onlyBoss {
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}
