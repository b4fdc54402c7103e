// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract TxOriginBad {
    address internal immutable owner = msg.sender;
    uint256 public fee;

    function setFee(uint256 fee_) external {
        require(tx.origin == owner);
        fee = fee_;
    }
}

contract TxOriginGood {
    address internal immutable owner = msg.sender;
    uint256 public fee;

    event Changed(address by);

    function setFee(uint256 fee_) external {
        require(msg.sender == owner);
        require(msg.sender == tx.origin);
        fee = fee_;
        emit Changed(tx.origin);
    }
}
