// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// A wallet of several owners: a transaction is executed when enough of them have confirmed it. An owner is replaced
/// by such a transaction, too.
contract MultisigWallet {
    struct Transaction {
        address to;
        uint256 value;
        bytes data;
        uint256 confirmations;
        bool executed;
    }

    uint256 public immutable threshold;
    address[] public owners;
    mapping(address => bool) public isOwner;
    Transaction[] public transactions;
    mapping(uint256 id => mapping(address owner => bool)) public confirmed;

    constructor(address[] memory owners_, uint256 threshold_) {
        threshold = threshold_;
        owners = owners_;
        for (uint256 i; i < owners_.length; ++i) {
            isOwner[owners_[i]] = true;
        }
    }

    receive() external payable {}

    modifier onlyOwner() {
        require(isOwner[msg.sender], "not an owner");
        _;
    }

    function submit(address to, uint256 value, bytes calldata data) external onlyOwner returns (uint256 id) {
        id = transactions.length;
        transactions.push(Transaction(to, value, data, 0, false));
        confirm(id);
    }

    function confirm(uint256 id) public onlyOwner {
        require(!confirmed[id][msg.sender], "confirmed already");
        confirmed[id][msg.sender] = true;
        transactions[id].confirmations++;
    }

    function revoke(uint256 id) external onlyOwner {
        require(confirmed[id][msg.sender], "not confirmed");
        confirmed[id][msg.sender] = false;
        transactions[id].confirmations--;
    }

    function execute(uint256 id) external onlyOwner {
        Transaction storage transaction = transactions[id];
        require(!transaction.executed, "executed already");
        require(_isApproved(id), "not enough confirmations");
        transaction.executed = true;
        Address.functionCallWithValue(transaction.to, transaction.data, transaction.value);
    }

    function replaceOwner(uint256 index, address newOwner) external {
        require(msg.sender == address(this), "not the wallet");
        require(newOwner != address(0) && !isOwner[newOwner], "an owner already");
        isOwner[owners[index]] = false;
        isOwner[newOwner] = true;
        owners[index] = newOwner;
    }

    function transactionCount() external view returns (uint256) {
        return transactions.length;
    }

    /// How many of the present owners have confirmed the transaction.
    function confirmationsByOwners(uint256 id) public view returns (uint256 count) {
        for (uint256 i; i < owners.length; ++i) {
            if (confirmed[id][owners[i]]) count++;
        }
    }

    function _isApproved(uint256 id) internal view virtual returns (bool) {
        return confirmationsByOwners(id) >= threshold;
    }
}

/// Bug: confirmations are counted when they are given, so those of a replaced owner go on counting.
contract MultisigWalletBug is MultisigWallet {
    constructor(address[] memory owners_, uint256 threshold_) MultisigWallet(owners_, threshold_) {}

    function _isApproved(uint256 id) internal view override returns (bool) {
        return transactions[id].confirmations >= threshold;
    }
}
