// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// @custom:vulnerable reentrancy splitShare()
/** The share is paid out before it is struck out (The DAO), so a recipient that calls back is paid repeatedly. */
contract DaoFundBad {
    struct Proposal {
        address author;
        uint256 votes;
    }

    mapping(address => uint256) private shares;
    mapping(uint256 => Proposal) private proposals;
    mapping(uint256 => mapping(address => bool)) private voted;
    uint256 public proposalCount;

    event Joined(address indexed member, uint256 amount);
    event Split(address indexed member, uint256 amount);

    function join() public payable {
        require(msg.value >= 1 finney);
        shares[msg.sender] += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function shareOf(address member) public view returns (uint256) {
        return shares[member];
    }

    function propose() public returns (uint256 id) {
        require(shares[msg.sender] > 0);
        id = proposalCount++;
        proposals[id].author = msg.sender;
    }

    function vote(uint256 id) public {
        require(shares[msg.sender] > 0 && id < proposalCount && !voted[id][msg.sender]);
        voted[id][msg.sender] = true;
        proposals[id].votes += 1;
    }

    function splitShare() public {
        uint256 amount = shares[msg.sender];
        require(amount > 0);
        require(msg.sender.call.value(amount)());
        shares[msg.sender] = 0;
        emit Split(msg.sender, amount);
    }
}

/// @custom:safe
/** The share is struck out first. */
contract DaoFundGood {
    struct Proposal {
        address author;
        uint256 votes;
    }

    mapping(address => uint256) private shares;
    mapping(uint256 => Proposal) private proposals;
    mapping(uint256 => mapping(address => bool)) private voted;
    uint256 public proposalCount;

    event Joined(address indexed member, uint256 amount);
    event Split(address indexed member, uint256 amount);

    function join() public payable {
        require(msg.value >= 1 finney);
        shares[msg.sender] += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function shareOf(address member) public view returns (uint256) {
        return shares[member];
    }

    function propose() public returns (uint256 id) {
        require(shares[msg.sender] > 0);
        id = proposalCount++;
        proposals[id].author = msg.sender;
    }

    function vote(uint256 id) public {
        require(shares[msg.sender] > 0 && id < proposalCount && !voted[id][msg.sender]);
        voted[id][msg.sender] = true;
        proposals[id].votes += 1;
    }

    function splitShare() public {
        uint256 amount = shares[msg.sender];
        require(amount > 0);
        shares[msg.sender] = 0;
        require(msg.sender.call.value(amount)());
        emit Split(msg.sender, amount);
    }
}
