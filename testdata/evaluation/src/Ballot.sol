// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Votes by weight; every account registers once and votes once a proposal.
contract Ballot {
    uint256 public constant SUPPLY = 1_000_000;

    mapping(address => uint256) public weightOf;
    mapping(uint256 proposal => mapping(address => bool)) public voted;
    uint256 public registered;
    uint256 public proposal;
    uint256 public yes;
    uint256 public no;
    uint256 public passed;
    uint256 public passedByMajority;

    function register(uint8 percent) external {
        uint256 weight = uint256(percent) * SUPPLY / 100;
        require(weightOf[msg.sender] == 0 && weight != 0, "registered");
        require(registered + weight <= SUPPLY, "too much");
        weightOf[msg.sender] = weight;
        registered += weight;
    }

    function propose() external {
        require(weightOf[msg.sender] > SUPPLY / 100, "too light");
        require(yes + no == 0, "a vote is going on");
        proposal += 1;
    }

    function vote(bool support) external {
        require(proposal != 0 && !voted[proposal][msg.sender], "voted");
        voted[proposal][msg.sender] = true;
        if (support) yes += weightOf[msg.sender];
        else no += weightOf[msg.sender];
    }

    function close() external {
        require(yes + no > SUPPLY / 2, "no quorum");
        // The bug: a tie passes.
        if (yes >= no) passed += 1;
        if (yes > no) passedByMajority += 1;
        (yes, no) = (0, 0);
    }
}
