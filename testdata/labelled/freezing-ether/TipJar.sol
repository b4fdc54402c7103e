// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tips come in, and no function pays them out.
/// @custom:vulnerable freezing-ether tip(string)
contract TipJarBad {
    address public immutable owner = msg.sender;
    mapping(address => uint256) public tipped;
    uint256 public total;

    event Tip(address indexed from, uint256 amount, string message);

    function tip(string calldata message) external payable {
        require(msg.value > 0, "no tip");
        require(bytes(message).length <= 80, "too long");
        tipped[msg.sender] += msg.value;
        total += msg.value;
        emit Tip(msg.sender, msg.value, message);
    }
}

/// The owner can collect the tips.
/// @custom:safe
contract TipJarGood {
    address public immutable owner = msg.sender;
    mapping(address => uint256) public tipped;
    uint256 public total;

    event Tip(address indexed from, uint256 amount, string message);

    function tip(string calldata message) external payable {
        require(msg.value > 0, "no tip");
        require(bytes(message).length <= 80, "too long");
        tipped[msg.sender] += msg.value;
        total += msg.value;
        emit Tip(msg.sender, msg.value, message);
    }

    function collect() external {
        require(msg.sender == owner, "owner only");
        (bool ok, ) = owner.call{value: address(this).balance}("");
        require(ok, "rejected");
    }
}
