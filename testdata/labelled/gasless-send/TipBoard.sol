// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable gasless-send payOut(address)
/** send leaves 2300 gas, so the tips of an artist whose contract splits its income on receipt stay here for ever. */
contract TipBoardBad {
    mapping(address => uint256) public due;
    uint256 public tips;

    event Tipped(address indexed artist, uint256 amount);
    event PaidOut(address indexed artist, uint256 amount);
    event StillDue(address indexed artist, uint256 amount);

    function tip(address artist) external payable {
        require(artist != address(0) && msg.value >= 1 finney, "tip");
        due[artist] += msg.value;
        tips += 1;
        emit Tipped(artist, msg.value);
    }

    function payOut(address payable artist) external {
        uint256 amount = due[artist];
        require(amount > 0, "nothing due");
        due[artist] = 0;
        bool ok = artist.send(amount);
        if (ok) {
            emit PaidOut(artist, amount);
        } else {
            due[artist] += amount;
            emit StillDue(artist, amount);
        }
    }
}

/// @custom:safe
/** The payment passes on all gas; what is refused stays due in both twins. */
contract TipBoardGood {
    mapping(address => uint256) public due;
    uint256 public tips;

    event Tipped(address indexed artist, uint256 amount);
    event PaidOut(address indexed artist, uint256 amount);
    event StillDue(address indexed artist, uint256 amount);

    function tip(address artist) external payable {
        require(artist != address(0) && msg.value >= 1 finney, "tip");
        due[artist] += msg.value;
        tips += 1;
        emit Tipped(artist, msg.value);
    }

    function payOut(address payable artist) external {
        uint256 amount = due[artist];
        require(amount > 0, "nothing due");
        due[artist] = 0;
        (bool ok, ) = artist.call.value(amount)("");
        if (ok) {
            emit PaidOut(artist, amount);
        } else {
            due[artist] += amount;
            emit StillDue(artist, amount);
        }
    }
}
