// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tips for creators, who may share what comes in with a partner.
/// @custom:safe
contract CoffeeJarGood {
    struct Deal {
        address partner;
        uint8 percent;
    }

    uint256 public constant FEE_PERCENT = 2;
    address public immutable platform;
    mapping(address => Deal) public deals;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public tipped;

    event Tipped(address indexed from, address indexed creator, uint256 amount, string note);
    event Shared(address indexed creator, address indexed partner, uint256 percent);
    event Withdrawn(address indexed who, address indexed to, uint256 amount);

    constructor() {
        platform = msg.sender;
    }

    function shareWith(address partner, uint8 percent) external {
        require(percent <= 100, "percent");
        require(partner != address(0) && partner != address(this), "partner");
        deals[msg.sender] = Deal(partner, percent);
        emit Shared(msg.sender, partner, percent);
    }

    function stopSharing() external {
        delete deals[msg.sender];
        emit Shared(msg.sender, address(0), 0);
    }

    function tip(address creator, string calldata note) external payable {
        require(creator != address(0) && creator != address(this), "creator");
        require(msg.value > 0, "nothing");
        uint256 fee = msg.value * FEE_PERCENT / 100;
        uint256 net = msg.value - fee;
        Deal memory d = deals[creator];
        uint256 part = net * d.percent / 100;
        balanceOf[platform] += fee;
        if (part > 0) balanceOf[d.partner] += part;
        balanceOf[creator] += net - part;
        tipped[msg.sender] += msg.value;
        emit Tipped(msg.sender, creator, msg.value, note);
    }

    function withdraw(uint256 amount, address to) external {
        require(to != address(0), "to");
        uint256 mine = balanceOf[msg.sender];
        require(amount > 0 && amount <= mine, "amount");
        balanceOf[msg.sender] = mine - amount;
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert("payment failed");
        emit Withdrawn(msg.sender, to, amount);
    }
}
