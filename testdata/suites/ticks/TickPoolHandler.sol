// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {TickPool} from "./TickPool.sol";

contract TickPoolHandler is Actors {
    struct Position {
        address owner;
        uint256 lower;
        uint256 upper;
        uint256 amount;
    }

    TickPool public immutable pool;
    Position[] public positions;

    constructor(TickPool pool_) {
        pool = pool_;
        _addActors("provider", 2);
    }

    /// At most eight positions at a time, so that the sum over them stays cheap.
    function addPosition(uint256 actorSeed, uint256 lower, uint256 upper, uint256 amount) external {
        if (positions.length == 8) return;
        lower = bound(lower, 0, 9);
        upper = bound(upper, lower + 1, 10);
        amount = bound(amount, 1e12, 1e24);
        vm.prank(actor(actorSeed));
        pool.addPosition(lower, upper, amount);
        positions.push(Position(actor(actorSeed), lower, upper, amount));
    }

    function removePosition(uint256 index) external {
        vm.assume(positions.length != 0);
        index = bound(index, 0, positions.length - 1);
        Position memory position = positions[index];
        positions[index] = positions[positions.length - 1];
        positions.pop();
        vm.prank(position.owner);
        pool.removePosition(position.lower, position.upper, position.amount);
    }

    function swapUp(uint256 amount) external {
        pool.swapUp(bound(amount, 1, 1e25));
    }

    function swapDown(uint256 amount) external {
        pool.swapDown(bound(amount, 1, 1e25));
    }

    /// What the pool should have in use, by its definition.
    function liquidityInUse() external view returns (uint256 sum) {
        uint256 price = pool.price();
        for (uint256 i; i < positions.length; ++i) {
            Position memory position = positions[i];
            if (position.lower * pool.SPACING() <= price && price < position.upper * pool.SPACING()) {
                sum += position.amount;
            }
        }
    }
}
