// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The hash of the last block decides between two players; either can look at it before it spins.
/// @custom:vulnerable block-number-dependence spin()
contract HashFlipBad {
    uint256 public constant STAKE = 0.5 ether;

    address public immutable croupier = msg.sender;
    address[2] private seats;
    mapping(address => uint256) public credit;

    event Sat(uint256 seat, address player);
    event Spun(uint256 atBlock, address winner);

    function sit(uint256 seat) external payable {
        require(seat < 2 && seats[seat] == address(0), "no seat");
        require(msg.value == STAKE, "stake");
        seats[seat] = msg.sender;
        emit Sat(seat, msg.sender);
    }

    function leave(uint256 seat) external {
        require(seat < 2 && seats[seat] == msg.sender, "not yours");
        seats[seat] = address(0);
        credit[msg.sender] += STAKE;
    }

    function spin() external {
        require(seats[0] != address(0) && seats[1] != address(0), "wait");
        uint256 seat = uint256(blockhash(block.number - 1)) & 1;
        address winner = seats[seat];
        delete seats;
        credit[winner] += 2 * STAKE;
        emit Spun(block.number, winner);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// A croupier whom both trust names the winner; the block's number is only reported.
/// @custom:safe
contract HashFlipGood {
    uint256 public constant STAKE = 0.5 ether;

    address public immutable croupier = msg.sender;
    address[2] private seats;
    mapping(address => uint256) public credit;

    event Sat(uint256 seat, address player);
    event Spun(uint256 atBlock, address winner);

    function sit(uint256 seat) external payable {
        require(seat < 2 && seats[seat] == address(0), "no seat");
        require(msg.value == STAKE, "stake");
        seats[seat] = msg.sender;
        emit Sat(seat, msg.sender);
    }

    function leave(uint256 seat) external {
        require(seat < 2 && seats[seat] == msg.sender, "not yours");
        seats[seat] = address(0);
        credit[msg.sender] += STAKE;
    }

    function spin(uint256 seat) external {
        require(msg.sender == croupier && seat < 2, "croupier only");
        require(seats[0] != address(0) && seats[1] != address(0), "wait");
        address winner = seats[seat];
        delete seats;
        credit[winner] += 2 * STAKE;
        emit Spun(block.number, winner);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
    }
}
