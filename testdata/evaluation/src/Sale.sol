// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A sale of tokens up to a cap; who buys gets a bonus of a fifth while the sale is young.
contract Sale {
    uint256 public constant CAP = 5_000_000;

    mapping(address => uint256) public paidBy;
    mapping(address => uint256) public tokensOf;
    uint256 public raised;
    uint256 public sold;
    bool public finished;

    function buy(uint256 amount) external {
        require(!finished, "finished");
        require(amount != 0 && raised + amount <= CAP, "too much");
        paidBy[msg.sender] += amount;
        raised += amount;
        uint256 tokens = raised <= CAP / 5 ? amount + amount / 5 : amount;
        tokensOf[msg.sender] += tokens;
        sold += tokens;
        if (raised == CAP) finished = true;
    }

    function refund() external {
        // The bug: refunds stay open when the sale has finished, and then keep the tokens.
        uint256 amount = paidBy[msg.sender];
        require(amount != 0, "nothing paid");
        paidBy[msg.sender] = 0;
        raised -= amount;
        if (finished) return;
        sold -= tokensOf[msg.sender];
        tokensOf[msg.sender] = 0;
    }
}
