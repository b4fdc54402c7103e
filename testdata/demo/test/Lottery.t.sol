// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Lottery} from "../src/Lottery.sol";

/// Plays as one of three players, so that the lucky number finds its owner.
contract Player {
    Lottery public immutable lottery;

    constructor(Lottery lottery_) {
        lottery = lottery_;
    }

    function buy(uint256 amount) external {
        lottery.buy(amount % 1_000 + 1);
    }

    function close(uint256 seed) external {
        lottery.close(seed);
    }

    function claim() external {
        lottery.claim(lottery.luckyNumber());
    }
}

contract LotteryTest {
    Lottery lottery;

    function setUp() public {
        lottery = new Lottery();
        new Player(lottery);
        new Player(lottery);
    }

    /// What was sold for the running round is what the pot holds.
    function invariant_potIsWhatWasSold() public view {
        require(lottery.pot() == lottery.sold(), "pot and tickets sold differ");
    }

    function invariant_roundsStartAtOne() public view {
        require(lottery.round() >= 1, "round zero");
    }
}
