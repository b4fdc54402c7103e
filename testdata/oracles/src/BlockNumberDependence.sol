// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract BlockNumberDependenceBad {
    address payable[2] internal players;

    function join(uint256 seat) external payable {
        require(msg.value == 1 ether && seat < 2 && players[seat] == address(0));
        players[seat] = payable(msg.sender);
    }

    function draw() external {
        require(players[0] != address(0) && players[1] != address(0));
        address payable winner = players[uint256(blockhash(block.number - 1)) % 2];
        delete players;
        (bool ok,) = winner.call{value: 2 ether}("");
        require(ok);
    }
}

contract BlockNumberDependenceGood {
    address payable[2] internal players;
    uint256 public drawn;

    event Drawn(uint256 number);

    function join(uint256 seat) external payable {
        require(msg.value == 1 ether && seat < 2 && players[seat] == address(0));
        players[seat] = payable(msg.sender);
    }

    function draw() external {
        require(players[0] != address(0) && players[1] != address(0));
        address payable winner = players[drawn % 2];
        drawn += 1;
        delete players;
        emit Drawn(block.number);
        winner.call{value: 2 ether}("");
    }
}
