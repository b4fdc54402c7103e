// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable integer-overflow buyHint(uint256)
/** The price of a hint is taken off the score without a look whether the score suffices. */
contract ScoreBoardBad {
    mapping(address => uint256) public score;
    mapping(address => uint256) public hints;
    uint256 public digest = 7;

    event Played(address indexed player, uint256 points);
    event Hint(address indexed player, uint256 price);

    function play(uint256 points) external {
        require(points > 0 && points <= 50, "points");
        score[msg.sender] += points;
        mix(points);
        emit Played(msg.sender, points);
    }

    function buyHint(uint256 price) external {
        require(price >= 10 && price <= 100, "price");
        score[msg.sender] -= price;
        hints[msg.sender] += price / 10;
        mix(price);
        emit Hint(msg.sender, price);
    }

    /// A rolling polynomial hash modulo 2**256.
    function mix(uint256 value) private {
        digest = digest * 0x9e3779b97f4a7c15f39cc0605cedc835 + value + uint256(msg.sender);
    }
}

/// @custom:safe
/** The score must cover the price; the digest of the history wraps on purpose in both twins. */
contract ScoreBoardGood {
    mapping(address => uint256) public score;
    mapping(address => uint256) public hints;
    uint256 public digest = 7;

    event Played(address indexed player, uint256 points);
    event Hint(address indexed player, uint256 price);

    function play(uint256 points) external {
        require(points > 0 && points <= 50, "points");
        score[msg.sender] += points;
        mix(points);
        emit Played(msg.sender, points);
    }

    function buyHint(uint256 price) external {
        require(price >= 10 && price <= 100, "price");
        require(price <= score[msg.sender], "score too low");
        score[msg.sender] -= price;
        hints[msg.sender] += price / 10;
        mix(price);
        emit Hint(msg.sender, price);
    }

    /// A rolling polynomial hash modulo 2**256.
    function mix(uint256 value) private {
        digest = digest * 0x9e3779b97f4a7c15f39cc0605cedc835 + value + uint256(msg.sender);
    }
}
