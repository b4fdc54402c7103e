// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on the pots and lotteries of 2015 and 2016 (SWC-104) that marked a prize as cashed although the send to the
// winner's wallet contract had failed.

contract Bookmaker {
    address public bookmaker;

    constructor() public {
        bookmaker = msg.sender;
    }

    modifier onlyBookmaker() {
        require(msg.sender == bookmaker);
        _;
    }
}

/// @custom:vulnerable unchecked-call claim(uint256)
/** A stake counts as settled even if the send to the winner has failed; the prize then stays behind for good. */
contract MatchBookBad is Bookmaker {
    struct Match {
        bytes32 title;
        uint256[2] pools;
        uint8 winner; // 0, 1, or 2 if the match is void
        bool open;
        bool declared;
    }

    Match[] public matches;
    mapping(uint256 => mapping(address => uint256[2])) private stakes;

    event Opened(uint256 indexed id, bytes32 title);
    event Staked(uint256 indexed id, address indexed punter, uint8 side, uint256 amount);
    event Declared(uint256 indexed id, uint8 winner);
    event Prize(uint256 indexed id, address indexed punter, uint256 amount);

    function openMatch(bytes32 title) public onlyBookmaker returns (uint256 id) {
        id = matches.length++;
        matches[id].title = title;
        matches[id].open = true;
        emit Opened(id, title);
    }

    function stake(uint256 id, uint8 side) public payable {
        require(id < matches.length && side < 2 && matches[id].open);
        require(msg.value >= 1 finney);
        matches[id].pools[side] += msg.value;
        stakes[id][msg.sender][side] += msg.value;
        emit Staked(id, msg.sender, side, msg.value);
    }

    // A match that nobody has won is void, and so is one that the bookmaker calls so.
    function declare(uint256 id, uint8 winner) public onlyBookmaker {
        require(id < matches.length && matches[id].open && winner <= 2);
        Match storage m = matches[id];
        m.open = false;
        m.declared = true;
        m.winner = (winner < 2 && m.pools[winner] == 0) ? 2 : winner;
        emit Declared(id, m.winner);
    }

    function prizeOf(uint256 id, address punter) public view returns (uint256) {
        Match storage m = matches[id];
        uint256[2] storage mine = stakes[id][punter];
        if (!m.declared) return 0;
        if (m.winner == 2) return mine[0] + mine[1];
        return mine[m.winner] + mine[m.winner] * m.pools[1 - m.winner] / m.pools[m.winner];
    }

    function claim(uint256 id) public {
        require(id < matches.length);
        uint256 prize = prizeOf(id, msg.sender);
        require(prize > 0);
        delete stakes[id][msg.sender];
        msg.sender.send(prize); // <- bug
        emit Prize(id, msg.sender, prize);
    }
}

/// @custom:safe
/** A prize that cannot be sent is kept, and its winner can have it sent elsewhere. */
contract MatchBookGood is Bookmaker {
    struct Match {
        bytes32 title;
        uint256[2] pools;
        uint8 winner; // 0, 1, or 2 if the match is void
        bool open;
        bool declared;
    }

    Match[] public matches;
    mapping(uint256 => mapping(address => uint256[2])) private stakes;
    mapping(address => uint256) public kept;

    event Opened(uint256 indexed id, bytes32 title);
    event Staked(uint256 indexed id, address indexed punter, uint8 side, uint256 amount);
    event Declared(uint256 indexed id, uint8 winner);
    event Prize(uint256 indexed id, address indexed punter, uint256 amount);

    function openMatch(bytes32 title) public onlyBookmaker returns (uint256 id) {
        id = matches.length++;
        matches[id].title = title;
        matches[id].open = true;
        emit Opened(id, title);
    }

    function stake(uint256 id, uint8 side) public payable {
        require(id < matches.length && side < 2 && matches[id].open);
        require(msg.value >= 1 finney);
        matches[id].pools[side] += msg.value;
        stakes[id][msg.sender][side] += msg.value;
        emit Staked(id, msg.sender, side, msg.value);
    }

    // A match that nobody has won is void, and so is one that the bookmaker calls so.
    function declare(uint256 id, uint8 winner) public onlyBookmaker {
        require(id < matches.length && matches[id].open && winner <= 2);
        Match storage m = matches[id];
        m.open = false;
        m.declared = true;
        m.winner = (winner < 2 && m.pools[winner] == 0) ? 2 : winner;
        emit Declared(id, m.winner);
    }

    function prizeOf(uint256 id, address punter) public view returns (uint256) {
        Match storage m = matches[id];
        uint256[2] storage mine = stakes[id][punter];
        if (!m.declared) return 0;
        if (m.winner == 2) return mine[0] + mine[1];
        return mine[m.winner] + mine[m.winner] * m.pools[1 - m.winner] / m.pools[m.winner];
    }

    function claim(uint256 id) public {
        require(id < matches.length);
        uint256 prize = prizeOf(id, msg.sender);
        require(prize > 0);
        delete stakes[id][msg.sender];
        if (!msg.sender.send(prize)) {
            kept[msg.sender] += prize;
        }
        emit Prize(id, msg.sender, prize);
    }

    function collect(address to) public {
        uint256 amount = kept[msg.sender];
        require(amount > 0 && to != address(0));
        kept[msg.sender] = 0;
        require(to.call.value(amount)());
    }
}
