// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Donations that a council gives away by majority. The chair, who deploys, appoints the council.
/// @custom:safe
contract GrantCouncilGood {
    struct Grant {
        address applicant;
        uint256 amount;
        uint256 votes;
        bool passed;
        bool paid;
    }

    address public immutable chair;
    uint256 public memberCount;
    Grant[] public grants;
    mapping(address => bool) public isMember;
    mapping(uint256 => mapping(address => bool)) public voted;

    event Donated(address indexed from, uint256 amount);
    event Proposed(uint256 indexed id, address indexed applicant, uint256 amount);
    event Passed(uint256 indexed id);
    event Paid(uint256 indexed id, address indexed to, uint256 amount);

    modifier onlyMember() {
        require(isMember[msg.sender], "not a member");
        _;
    }

    constructor() {
        chair = msg.sender;
        isMember[msg.sender] = true;
        memberCount = 1;
    }

    function appoint(address member) external {
        require(msg.sender == chair, "not the chair");
        require(member != address(0) && !isMember[member], "member");
        isMember[member] = true;
        memberCount += 1;
    }

    function donate() external payable {
        require(msg.value > 0, "nothing");
        emit Donated(msg.sender, msg.value);
    }

    function propose(address applicant, uint256 amount) external onlyMember returns (uint256 id) {
        require(applicant != address(0) && applicant != address(this), "applicant");
        require(amount > 0, "amount");
        id = grants.length;
        grants.push(Grant(applicant, amount, 0, false, false));
        emit Proposed(id, applicant, amount);
    }

    function vote(uint256 id) external onlyMember {
        Grant storage g = grants[id];
        require(!g.passed, "passed");
        require(!voted[id][msg.sender], "voted");
        voted[id][msg.sender] = true;
        g.votes += 1;
        if (g.votes * 2 > memberCount) {
            g.passed = true;
            emit Passed(id);
        }
    }

    /// The applicant fetches the money, once, as soon as there is enough of it.
    function fetch(uint256 id, address to) external {
        Grant storage g = grants[id];
        require(msg.sender == g.applicant, "not the applicant");
        require(g.passed && !g.paid, "not due");
        require(to != address(0), "to");
        require(address(this).balance >= g.amount, "treasury too small");
        g.paid = true;
        (bool ok, ) = to.call{value: g.amount}("");
        require(ok, "payment failed");
        emit Paid(id, to, g.amount);
    }
}
