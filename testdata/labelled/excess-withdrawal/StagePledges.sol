// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

// Modelled on the batch functions of 2021 (a sale platform, an options market) that used the whole of msg.value again for each
// element of a loop.

/// @custom:vulnerable excess-withdrawal withdraw(uint256,uint256)
/** One payment is credited in full to each of several shows, and can be withdrawn as often, from the money of the others. */
contract StagePledgesBad {
    struct Show {
        string title;
        uint256 goal;
        uint256 pledged;
        bool staged;
    }

    uint256 public constant MAX_SHOWS_A_CALL = 10;

    address payable public organiser;
    Show[] public shows;
    mapping(uint256 => mapping(address => uint256)) public pledges;

    event Announced(uint256 indexed show, string title, uint256 goal);
    event Pledged(uint256 indexed show, address indexed fan, uint256 amount);
    event Withdrawn(uint256 indexed show, address indexed fan, uint256 amount);
    event Staged(uint256 indexed show, uint256 amount);

    constructor() {
        organiser = msg.sender;
        announce("opening night", 20 ether);
        announce("second night", 10 ether);
    }

    modifier onlyOrganiser() {
        require(msg.sender == organiser, "organiser only");
        _;
    }

    modifier open(uint256 id) {
        require(id < shows.length && !shows[id].staged, "not open");
        _;
    }

    function announce(string memory title, uint256 goal) public onlyOrganiser {
        require(goal > 0, "no goal");
        shows.push(Show(title, goal, 0, false));
        emit Announced(shows.length - 1, title, goal);
    }

    function pledge(uint256 id) external payable {
        credit(id, msg.value);
    }

    /// One payment for several shows.
    function pledgeMany(uint256[] calldata ids) external payable {
        require(ids.length > 0 && ids.length <= MAX_SHOWS_A_CALL, "too many or none");
        for (uint256 i = 0; i < ids.length; i++) {
            credit(ids[i], msg.value); // <- bug
        }
    }

    /// Until a show is staged, pledges may be taken back.
    function withdraw(uint256 id, uint256 amount) external open(id) {
        require(amount > 0 && amount <= pledges[id][msg.sender], "not pledged");
        pledges[id][msg.sender] -= amount;
        shows[id].pledged -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(id, msg.sender, amount);
    }

    function stage(uint256 id) external onlyOrganiser open(id) {
        Show storage show = shows[id];
        require(show.pledged >= show.goal, "goal not reached");
        show.staged = true;
        (bool ok, ) = organiser.call{value: show.pledged}("");
        require(ok, "rejected");
        emit Staged(id, show.pledged);
    }

    function credit(uint256 id, uint256 amount) private open(id) {
        require(amount > 0, "nothing pledged");
        pledges[id][msg.sender] += amount;
        shows[id].pledged += amount;
        emit Pledged(id, msg.sender, amount);
    }
}

/// @custom:safe
/** A payment is divided among the shows; what cannot be divided goes to the first one. */
contract StagePledgesGood {
    struct Show {
        string title;
        uint256 goal;
        uint256 pledged;
        bool staged;
    }

    uint256 public constant MAX_SHOWS_A_CALL = 10;

    address payable public organiser;
    Show[] public shows;
    mapping(uint256 => mapping(address => uint256)) public pledges;

    event Announced(uint256 indexed show, string title, uint256 goal);
    event Pledged(uint256 indexed show, address indexed fan, uint256 amount);
    event Withdrawn(uint256 indexed show, address indexed fan, uint256 amount);
    event Staged(uint256 indexed show, uint256 amount);

    constructor() {
        organiser = msg.sender;
        announce("opening night", 20 ether);
        announce("second night", 10 ether);
    }

    modifier onlyOrganiser() {
        require(msg.sender == organiser, "organiser only");
        _;
    }

    modifier open(uint256 id) {
        require(id < shows.length && !shows[id].staged, "not open");
        _;
    }

    function announce(string memory title, uint256 goal) public onlyOrganiser {
        require(goal > 0, "no goal");
        shows.push(Show(title, goal, 0, false));
        emit Announced(shows.length - 1, title, goal);
    }

    function pledge(uint256 id) external payable {
        credit(id, msg.value);
    }

    /// One payment for several shows.
    function pledgeMany(uint256[] calldata ids) external payable {
        require(ids.length > 0 && ids.length <= MAX_SHOWS_A_CALL, "too many or none");
        uint256 part = msg.value / ids.length;
        for (uint256 i = 0; i < ids.length; i++) {
            credit(ids[i], i == 0 ? msg.value - part * (ids.length - 1) : part);
        }
    }

    /// Until a show is staged, pledges may be taken back.
    function withdraw(uint256 id, uint256 amount) external open(id) {
        require(amount > 0 && amount <= pledges[id][msg.sender], "not pledged");
        pledges[id][msg.sender] -= amount;
        shows[id].pledged -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "rejected");
        emit Withdrawn(id, msg.sender, amount);
    }

    function stage(uint256 id) external onlyOrganiser open(id) {
        Show storage show = shows[id];
        require(show.pledged >= show.goal, "goal not reached");
        show.staged = true;
        (bool ok, ) = organiser.call{value: show.pledged}("");
        require(ok, "rejected");
        emit Staged(id, show.pledged);
    }

    function credit(uint256 id, uint256 amount) private open(id) {
        require(amount > 0, "nothing pledged");
        pledges[id][msg.sender] += amount;
        shows[id].pledged += amount;
        emit Pledged(id, msg.sender, amount);
    }
}
