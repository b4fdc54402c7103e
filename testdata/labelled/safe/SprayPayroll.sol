// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Anybody pays a list of people in one go. What cannot be delivered,
/// and what was too much, comes back in the same transaction.
/// @custom:safe
contract SprayPayrollGood {
    mapping(address => uint256) public delivered;
    mapping(address => uint256) public received;
    uint256 public rounds;

    event Paid(address indexed from, address indexed to, uint256 amount);
    event Undelivered(address indexed from, address indexed to, uint256 amount);

    function spray(address[] calldata to, uint256[] calldata amounts) external payable {
        require(to.length == amounts.length, "lengths differ");
        require(to.length > 0 && to.length <= 100, "list");
        uint256 total;
        for (uint256 i = 0; i < amounts.length; i++) {
            total += amounts[i];
        }
        require(total <= msg.value, "too little");

        uint256 sent;
        for (uint256 i = 0; i < to.length; i++) {
            if (deliver(to[i], amounts[i])) sent += amounts[i];
        }
        finish(sent);
    }

    function sprayEqually(address[] calldata to) external payable {
        require(to.length > 0 && to.length <= 100, "list");
        uint256 each = msg.value / to.length;
        require(each > 0, "too little");
        uint256 sent;
        for (uint256 i = 0; i < to.length; i++) {
            if (deliver(to[i], each)) sent += each;
        }
        finish(sent);
    }

    function deliver(address to, uint256 amount) internal returns (bool) {
        if (to == address(0) || to == address(this)) {
            emit Undelivered(msg.sender, to, amount);
            return false;
        }
        (bool ok, ) = to.call{value: amount}("");
        if (ok) {
            received[to] += amount;
            emit Paid(msg.sender, to, amount);
        } else {
            emit Undelivered(msg.sender, to, amount);
        }
        return ok;
    }

    function finish(uint256 sent) internal {
        uint256 rest = msg.value - sent;
        if (rest > 0) {
            (bool ok, ) = msg.sender.call{value: rest}("");
            require(ok, "refund failed");
        }
        delivered[msg.sender] += sent;
        rounds += 1;
    }
}
