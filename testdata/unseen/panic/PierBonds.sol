// Modelled on audit findings about sales whose last payment may go beyond the goal: what is left, the goal less what was
// raised, then fails the compiler's check of subtraction, and the sale can never be closed.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The payment that reaches the goal may exceed it, whereupon closing subtracts more than there is.
/// @custom:vulnerable panic closeSale()
contract PierBondsBad {
    enum Stage {
        Open,
        Sold,
        Failed
    }

    struct Holder {
        uint256 paid;
        uint256 bonusUnits;
    }

    uint256 public constant EARLY_BONUS = 5; // percent of units, in the first half of the sale

    address public immutable issuer;
    uint256 public immutable goal;
    uint256 public immutable deadline;

    Stage public stage;
    uint256 public raised;
    uint256 public proceeds;
    uint256 public retiredUnits;
    mapping(address => Holder) public holders;

    event Bought(address indexed holder, uint256 paid, uint256 bonusUnits);
    event SaleClosed(Stage stage, uint256 raised, uint256 retiredUnits);
    event Collected(uint256 amount);

    constructor(uint256 goal_, uint256 days_) {
        require(goal_ >= 1e15 && goal_ <= 10 ether, "goal");
        require(days_ > 0 && days_ <= 60, "days");
        issuer = msg.sender;
        goal = goal_;
        deadline = block.timestamp + days_ * 1 days;
    }

    receive() external payable {
        buy();
    }

    function buy() public payable {
        require(stage == Stage.Open && block.timestamp < deadline, "sale is over");
        require(msg.value > 0, "nothing");
        require(raised < goal, "sold out");
        Holder storage h = holders[msg.sender];
        uint256 paid = msg.value;
        uint256 bonus = raised < goal / 2 ? (paid * EARLY_BONUS) / 100 : 0;
        h.paid += paid;
        h.bonusUnits += bonus;
        raised += paid;
        emit Bought(msg.sender, paid, bonus);
    }

    /// When sold out or late; less than half of the goal is a failure.
    function closeSale() external {
        require(stage == Stage.Open, "closed");
        require(raised >= goal || block.timestamp >= deadline, "too early");
        retiredUnits = goal - raised; // <- bug
        if (raised >= goal / 2) {
            stage = Stage.Sold;
            proceeds = raised;
        } else {
            stage = Stage.Failed;
        }
        emit SaleClosed(stage, raised, retiredUnits);
    }

    function collect(uint256 amount) external {
        require(msg.sender == issuer, "issuer only");
        require(proceeds >= amount, "not so much there");
        proceeds -= amount;
        (bool ok, ) = issuer.call{value: amount}("");
        require(ok, "refused");
        emit Collected(amount);
    }

    function refund(uint256 amount) external {
        Holder storage h = holders[msg.sender];
        require(stage == Stage.Failed && h.paid >= amount, "no refund");
        h.paid -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }
}

/// The payment that reaches the goal is accepted in part, and the rest can be taken back.
/// @custom:safe
contract PierBondsGood {
    enum Stage {
        Open,
        Sold,
        Failed
    }

    struct Holder {
        uint256 paid;
        uint256 bonusUnits;
        uint256 change;
    }

    uint256 public constant EARLY_BONUS = 5; // percent of units, in the first half of the sale

    address public immutable issuer;
    uint256 public immutable goal;
    uint256 public immutable deadline;

    Stage public stage;
    uint256 public raised;
    uint256 public proceeds;
    uint256 public retiredUnits;
    mapping(address => Holder) public holders;

    event Bought(address indexed holder, uint256 paid, uint256 bonusUnits);
    event SaleClosed(Stage stage, uint256 raised, uint256 retiredUnits);
    event Collected(uint256 amount);

    constructor(uint256 goal_, uint256 days_) {
        require(goal_ >= 1e15 && goal_ <= 10 ether, "goal");
        require(days_ > 0 && days_ <= 60, "days");
        issuer = msg.sender;
        goal = goal_;
        deadline = block.timestamp + days_ * 1 days;
    }

    receive() external payable {
        buy();
    }

    function buy() public payable {
        require(stage == Stage.Open && block.timestamp < deadline, "sale is over");
        require(msg.value > 0, "nothing");
        require(raised < goal, "sold out");
        Holder storage h = holders[msg.sender];
        uint256 paid = msg.value;
        if (paid > goal - raised) {
            h.change += paid - (goal - raised);
            paid = goal - raised;
        }
        uint256 bonus = raised < goal / 2 ? (paid * EARLY_BONUS) / 100 : 0;
        h.paid += paid;
        h.bonusUnits += bonus;
        raised += paid;
        emit Bought(msg.sender, paid, bonus);
    }

    /// When sold out or late; less than half of the goal is a failure.
    function closeSale() external {
        require(stage == Stage.Open, "closed");
        require(raised >= goal || block.timestamp >= deadline, "too early");
        retiredUnits = goal - raised;
        if (raised >= goal / 2) {
            stage = Stage.Sold;
            proceeds = raised;
        } else {
            stage = Stage.Failed;
        }
        emit SaleClosed(stage, raised, retiredUnits);
    }

    function collect(uint256 amount) external {
        require(msg.sender == issuer, "issuer only");
        require(proceeds >= amount, "not so much there");
        proceeds -= amount;
        (bool ok, ) = issuer.call{value: amount}("");
        require(ok, "refused");
        emit Collected(amount);
    }

    function refund(uint256 amount) external {
        Holder storage h = holders[msg.sender];
        require(stage == Stage.Failed && h.paid >= amount, "no refund");
        h.paid -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function takeChange() external {
        uint256 amount = holders[msg.sender].change;
        holders[msg.sender].change = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }
}
