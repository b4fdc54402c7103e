// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// One layout for the store and for the code that is borrowed.
abstract contract CraneStorage {
    uint256 public constant LEAST = 0.01 ether;
    address internal operator;
    uint256 internal perLift;
    uint256 internal lifts;
    mapping(address => uint256) internal ballast;
}

/// Runs by delegatecall. Called directly it changes only its own storage, which nobody reads.
contract CraneRules is CraneStorage {
    event PerLift(uint256 value);

    function setPerLift(uint256 value) external {
        require(value >= LEAST, "would lock people in");
        perLift = value;
        emit PerLift(value);
    }

    function resetLifts() external {
        lifts = 0;
    }
}

/// @custom:safe
contract CraneModulesGood is CraneStorage {
    CraneRules public immutable rules;

    event Stored(address indexed who, uint256 amount);
    event Lifted(address indexed who, address to, uint256 amount);

    constructor() {
        operator = msg.sender;
        perLift = 1 ether;
        rules = new CraneRules();
    }

    modifier onlyOperator() {
        require(msg.sender == operator, "not the operator");
        _;
    }

    /// The library is fixed, and its condition is checked here before.
    function setLimit(uint256 value) external onlyOperator {
        require(value >= LEAST, "too low");
        _borrow(abi.encodeCall(CraneRules.setPerLift, (value)));
    }

    function startCountAgain() external onlyOperator {
        _borrow(abi.encodeCall(CraneRules.resetLifts, ()));
    }

    function _borrow(bytes memory order) private {
        (bool ok, ) = address(rules).delegatecall(order);
        if (!ok) revert("refused");
    }

    function store() external payable {
        ballast[msg.sender] += msg.value;
        emit Stored(msg.sender, msg.value);
    }

    /// At most perLift a call; as many calls as one likes.
    function lift(address payable to, uint256 amount) external {
        require(to != address(0), "to");
        require(amount > 0 && amount <= perLift, "limit");
        uint256 have = ballast[msg.sender];
        require(have >= amount, "ballast");
        unchecked {
            ballast[msg.sender] = have - amount;
            lifts++;
        }
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
        emit Lifted(msg.sender, to, amount);
    }

    function ballastOf(address who) external view returns (uint256) {
        return ballast[who];
    }

    function state() external view returns (address, uint256, uint256) {
        return (operator, perLift, lifts);
    }
}
