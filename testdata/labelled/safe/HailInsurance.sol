// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A premium buys cover of ten times as much for thirty days. The insurer's pool
/// holds all cover that is promised; the insurer decides about damage.
/// @custom:safe
contract HailInsuranceGood {
    struct Policy {
        address holder;
        uint256 cover;
        uint256 until;
        bool open;
    }

    uint256 public constant FACTOR = 10;
    uint256 public constant TERM = 30 days;
    uint256 public constant REPORTING = 7 days;
    address public immutable insurer;
    uint256 public pool;
    uint256 public promised;
    Policy[] public policies;
    mapping(address => uint256) public credit;

    event Insured(uint256 indexed id, address indexed holder, uint256 cover);
    event Settled(uint256 indexed id, uint256 amount);

    constructor() payable {
        insurer = msg.sender;
        pool = msg.value;
    }

    function fund() external payable {
        require(msg.sender == insurer, "not the insurer");
        pool += msg.value;
    }

    function insure() external payable returns (uint256 id) {
        require(msg.value > 0, "nothing");
        uint256 cover = msg.value * FACTOR;
        pool += msg.value;
        promised += cover;
        require(promised <= pool, "pool too small");
        id = policies.length;
        policies.push(Policy(msg.sender, cover, block.timestamp + TERM, true));
        emit Insured(id, msg.sender, cover);
    }

    function approve(uint256 id) external {
        require(msg.sender == insurer, "not the insurer");
        Policy storage p = policies[id];
        require(p.open && block.timestamp <= p.until + REPORTING, "no cover");
        p.open = false;
        promised -= p.cover;
        pool -= p.cover;
        credit[p.holder] += p.cover;
        emit Settled(id, p.cover);
    }

    function expire(uint256 id) external {
        Policy storage p = policies[id];
        require(p.open && block.timestamp > p.until + REPORTING, "still covered");
        p.open = false;
        promised -= p.cover;
        emit Settled(id, 0);
    }

    function takeFree(uint256 amount) external {
        require(msg.sender == insurer, "not the insurer");
        require(amount <= pool - promised, "promised");
        pool -= amount;
        credit[insurer] += amount;
    }

    function withdraw(address to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
