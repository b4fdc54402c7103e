// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Whoever enrols in a lucky second gets half of the fee back, and the miner knows the second.
/// @custom:vulnerable timestamp-dependence enrol()
contract HappySecondBad {
    uint256 public constant FEE = 0.2 ether;

    address public immutable treasurer = msg.sender;
    uint256 public members;
    mapping(address => uint256) public since;

    event Enrolled(address indexed member, uint256 paid);

    function enrol() external payable {
        require(since[msg.sender] == 0, "member already");
        require(msg.value == FEE, "fee");
        since[msg.sender] = block.timestamp;
        members += 1;
        uint256 paid = FEE;
        if (block.timestamp % 7 == 0) {
            paid = FEE / 2;
            (bool ok, ) = msg.sender.call{value: FEE - paid}("");
            require(ok, "rebate refused");
        }
        emit Enrolled(msg.sender, paid);
    }

    function isSenior(address member) external view returns (bool) {
        return since[member] != 0 && block.timestamp - since[member] > 365 days;
    }

    function collect(uint256 amount) external {
        require(msg.sender == treasurer, "treasurer only");
        (bool ok, ) = treasurer.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// Every fourth member gets half of the fee back; the time of enrolment only gives seniority.
/// @custom:safe
contract HappySecondGood {
    uint256 public constant FEE = 0.2 ether;

    address public immutable treasurer = msg.sender;
    uint256 public members;
    mapping(address => uint256) public since;

    event Enrolled(address indexed member, uint256 paid);

    function enrol() external payable {
        require(since[msg.sender] == 0, "member already");
        require(msg.value == FEE, "fee");
        since[msg.sender] = block.timestamp;
        members += 1;
        uint256 paid = FEE;
        if (members % 4 == 0) {
            paid = FEE / 2;
            (bool ok, ) = msg.sender.call{value: FEE - paid}("");
            require(ok, "rebate refused");
        }
        emit Enrolled(msg.sender, paid);
    }

    function isSenior(address member) external view returns (bool) {
        return since[member] != 0 && block.timestamp - since[member] > 365 days;
    }

    function collect(uint256 amount) external {
        require(msg.sender == treasurer, "treasurer only");
        (bool ok, ) = treasurer.call{value: amount}("");
        require(ok, "rejected");
    }
}
