// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// How much of the pot goes to either player is computed from the last block's hash, which the caller of split()
/// can await.
/// @custom:vulnerable block-number-dependence split()
contract PooledPotBad {
    error NotNow();
    error WrongAmount();

    uint256 public immutable stake;
    address public first;
    address public second;
    mapping(address => uint256) public credit;

    event Split(uint256 indexed atBlock, uint256 toFirst, uint256 toSecond);

    constructor(uint256 stake_) {
        if (stake_ < 100 || stake_ > 1 ether) revert WrongAmount();
        stake = stake_;
    }

    function join() external payable {
        if (msg.value != stake) revert WrongAmount();
        if (first == address(0)) {
            first = msg.sender;
        } else if (second == address(0)) {
            second = msg.sender;
        } else {
            revert NotNow();
        }
    }

    function split() external {
        if (second == address(0)) revert NotNow();
        uint256 pot = 2 * stake;
        uint256 percent = uint256(blockhash(block.number - 1)) % 101;
        uint256 part = (pot * percent) / 100;
        credit[first] += part;
        credit[second] += pot - part;
        first = address(0);
        second = address(0);
        emit Split(block.number, part, pot - part);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        if (amount == 0) revert NotNow();
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) revert NotNow();
    }
}

/// Both get half; the block is only reported.
/// @custom:safe
contract PooledPotGood {
    error NotNow();
    error WrongAmount();

    uint256 public immutable stake;
    address public first;
    address public second;
    mapping(address => uint256) public credit;

    event Split(uint256 indexed atBlock, uint256 toFirst, uint256 toSecond);

    constructor(uint256 stake_) {
        if (stake_ < 100 || stake_ > 1 ether) revert WrongAmount();
        stake = stake_;
    }

    function join() external payable {
        if (msg.value != stake) revert WrongAmount();
        if (first == address(0)) {
            first = msg.sender;
        } else if (second == address(0)) {
            second = msg.sender;
        } else {
            revert NotNow();
        }
    }

    function split() external {
        if (second == address(0)) revert NotNow();
        uint256 pot = 2 * stake;
        uint256 percent = 50;
        uint256 part = (pot * percent) / 100;
        credit[first] += part;
        credit[second] += pot - part;
        first = address(0);
        second = address(0);
        emit Split(block.number, part, pot - part);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        if (amount == 0) revert NotNow();
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) revert NotNow();
    }
}
