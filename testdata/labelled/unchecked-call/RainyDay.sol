// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A withdrawal that the saver's contract rejects is booked all the same, and the savings are lost.
/// @custom:vulnerable unchecked-call withdraw()
contract RainyDayBad {
    mapping(address => uint256) public savings;

    event Saved(address indexed saver, uint256 amount);
    event Withdrawn(address indexed saver, uint256 amount);

    function save() external payable {
        require(msg.value > 0, "nothing to save");
        savings[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function withdraw() external {
        uint256 amount = savings[msg.sender];
        require(amount > 0, "no savings");
        savings[msg.sender] = 0;
        msg.sender.call{value: amount}("");
        emit Withdrawn(msg.sender, amount);
    }
}

/// A rejected payment reverts.
/// @custom:safe
contract RainyDayGood {
    mapping(address => uint256) public savings;

    event Saved(address indexed saver, uint256 amount);
    event Withdrawn(address indexed saver, uint256 amount);

    function save() external payable {
        require(msg.value > 0, "nothing to save");
        savings[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function withdraw() external {
        uint256 amount = savings[msg.sender];
        require(amount > 0, "no savings");
        savings[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment rejected");
        emit Withdrawn(msg.sender, amount);
    }
}
