// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The player of a block whose time is a multiple of 15 wins the pot, and the miner sets the time.
/// @custom:vulnerable timestamp-dependence play()
contract TickRouletteBad {
    uint256 public constant STAKE = 0.1 ether;

    uint256 public plays;

    event Played(address indexed player, uint256 time, bool won);

    function play() external payable {
        require(msg.value == STAKE, "stake");
        plays += 1;
        bool won = block.timestamp % 15 == 0;
        emit Played(msg.sender, block.timestamp, won);
        if (won) {
            (bool ok, ) = msg.sender.call{value: address(this).balance}("");
            require(ok, "prize refused");
        }
    }
}

/// Every tenth player wins the pot; the time is only reported.
/// @custom:safe
contract TickRouletteGood {
    uint256 public constant STAKE = 0.1 ether;

    uint256 public plays;

    event Played(address indexed player, uint256 time, bool won);

    function play() external payable {
        require(msg.value == STAKE, "stake");
        plays += 1;
        bool won = plays % 10 == 0;
        emit Played(msg.sender, block.timestamp, won);
        if (won) {
            (bool ok, ) = msg.sender.call{value: address(this).balance}("");
            require(ok, "prize refused");
        }
    }
}
