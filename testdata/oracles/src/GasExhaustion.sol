// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Raffle {
    address[] internal players;
    mapping(address => uint256) internal points;

    function join() external {
        players.push(msg.sender);
    }
}

contract GasExhaustionBad is Raffle {
    function reward() external {
        for (uint256 i = 0; i < players.length; i++) {
            points[players[i]] += 1;
        }
    }
}

contract GasExhaustionGood is Raffle {
    function reward(uint256 from, uint256 to) external {
        require(to <= players.length);
        for (uint256 i = from; i < to; i++) {
            points[players[i]] += 1;
        }
    }
}
