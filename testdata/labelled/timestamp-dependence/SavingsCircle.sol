// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Which of the three members gets the round's pot is computed from the block's time.
/// @custom:vulnerable timestamp-dependence draw()
contract SavingsCircleBad {
    uint256 public immutable contribution;
    address[3] private seats;
    uint256 public taken;
    uint256 public round;
    uint256 public lastDraw;
    mapping(address => uint256) public credit;

    event Drawn(uint256 indexed round, address winner);

    constructor(uint256 contribution_) {
        require(contribution_ > 0 && contribution_ <= 1 ether, "contribution");
        contribution = contribution_;
    }

    function join() external payable {
        require(taken < 3, "full");
        require(msg.value == contribution, "contribution");
        seats[taken] = msg.sender;
        taken += 1;
    }

    function draw() external {
        require(taken == 3, "wait for three");
        uint256 seat = uint256(keccak256(abi.encode(block.timestamp, round))) % 3;
        address winner = seats[seat];
        taken = 0;
        round += 1;
        lastDraw = block.timestamp;
        credit[winner] += 3 * contribution;
        emit Drawn(round, winner);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// The seats get the pot in turn; the time of the draw is only recorded.
/// @custom:safe
contract SavingsCircleGood {
    uint256 public immutable contribution;
    address[3] private seats;
    uint256 public taken;
    uint256 public round;
    uint256 public lastDraw;
    mapping(address => uint256) public credit;

    event Drawn(uint256 indexed round, address winner);

    constructor(uint256 contribution_) {
        require(contribution_ > 0 && contribution_ <= 1 ether, "contribution");
        contribution = contribution_;
    }

    function join() external payable {
        require(taken < 3, "full");
        require(msg.value == contribution, "contribution");
        seats[taken] = msg.sender;
        taken += 1;
    }

    function draw() external {
        require(taken == 3, "wait for three");
        uint256 seat = round % 3;
        address winner = seats[seat];
        taken = 0;
        round += 1;
        lastDraw = block.timestamp;
        credit[winner] += 3 * contribution;
        emit Drawn(round, winner);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}
