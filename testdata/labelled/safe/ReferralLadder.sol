// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A ladder: those who come later pay one and a half tickets to those who came
/// first; who brought somebody gets a tenth. If nobody comes for 30 days,
/// the ladder ends and those who wait share the pot equally.
/// @custom:safe
contract ReferralLadderGood {
    address public immutable host;
    uint256 public immutable ticket;
    address[] public queue;
    uint256 public head;
    uint256 public pot;
    uint256 public lastEntry;
    bool public ended;
    uint256 public share;

    mapping(address => uint256) public entries;
    mapping(address => uint256) public credit;
    mapping(uint256 => bool) public shared;

    event Entered(address indexed who, uint256 place);
    event Climbed(address indexed who, uint256 place, uint256 amount);

    constructor(uint256 ticket_) {
        require(ticket_ >= 1000 && ticket_ <= 100 ether, "ticket");
        host = msg.sender;
        ticket = ticket_;
    }

    function enter(address referrer) external payable {
        require(!ended, "ended");
        require(msg.value == ticket, "price");
        uint256 reward;
        if (referrer != address(0)) {
            require(referrer != msg.sender && entries[referrer] > 0, "referrer");
            reward = ticket / 10;
            credit[referrer] += reward;
        }
        pot += ticket - reward;
        queue.push(msg.sender);
        entries[msg.sender] += 1;
        lastEntry = block.timestamp;
        emit Entered(msg.sender, queue.length - 1);

        // The pot was below the prize before, so one prize at most is due now.
        uint256 prize = ticket * 3 / 2;
        if (pot >= prize) {
            pot -= prize;
            credit[queue[head]] += prize;
            emit Climbed(queue[head], head, prize);
            head += 1;
        }
    }

    function waiting() public view returns (uint256) {
        return queue.length - head;
    }

    function end() external {
        require(!ended, "ended");
        require(waiting() > 0, "nobody waits");
        require(block.timestamp > lastEntry + 30 days, "still open");
        ended = true;
        share = pot / waiting();
        credit[host] += pot - share * waiting();
        pot = 0;
    }

    function claimShare(uint256 place) external {
        require(ended, "not ended");
        require(place >= head && place < queue.length, "place");
        require(!shared[place], "done");
        shared[place] = true;
        credit[queue[place]] += share;
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
