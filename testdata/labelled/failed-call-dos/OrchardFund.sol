// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on SWC-113 and on audit findings about redemption queues: members are paid in the order of their requests, and a
// head of the queue that refuses its money stops everybody behind it.

contract ManagedFund {
    // the custodian's wallet, to which idle money is lent
    address public constant CUSTODIAN = 0x9Ea8F6eFD3D323C5C10eEB4598f4C857aD890EBD;

    address public manager;
    uint256 public lent;

    event Lent(uint256 amount);
    event GivenBack(address indexed by, uint256 amount);

    constructor() public {
        manager = msg.sender;
    }

    modifier onlyManager() {
        require(msg.sender == manager);
        _;
    }

    function giveBack() public payable {
        emit GivenBack(msg.sender, msg.value);
    }
}

/// @custom:vulnerable failed-call-dos serve(uint256)
/** A member at the head of the queue whose contract refuses the payment blocks all the requests behind it. */
contract OrchardFundBad is ManagedFund {
    struct Request {
        address member;
        uint256 amount;
        uint256 madeAt;
    }

    uint256 public constant MIN_PART = 10 finney;
    uint256 public constant MAX_BATCH = 20;

    mapping(address => uint256) public shares;
    Request[] public queue;
    uint256 public head;

    event Joined(address indexed member, uint256 amount);
    event Requested(uint256 indexed place, address indexed member, uint256 amount);
    event Served(uint256 indexed place, address indexed member, uint256 amount);

    // plain payments buy shares
    function() public payable {
        join();
    }

    function join() public payable {
        require(msg.value >= MIN_PART);
        shares[msg.sender] += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function free() public view returns (uint256) {
        return address(this).balance;
    }

    /** Shares are given up at once; the money follows when it is the member's turn. */
    function requestExit(uint256 amount) public returns (uint256 place) {
        require(amount > 0 && amount <= shares[msg.sender]);
        require(amount >= MIN_PART || amount == shares[msg.sender]);
        shares[msg.sender] -= amount;
        place = queue.length;
        queue.push(Request(msg.sender, amount, now));
        emit Requested(place, msg.sender, amount);
    }

    /** Anybody may have the next requests served, as far as the money goes. */
    function serve(uint256 count) public {
        require(count > 0 && count <= MAX_BATCH);
        for (uint256 i = 0; i < count && head < queue.length; i++) {
            Request memory r = queue[head];
            if (r.amount > free()) return;
            delete queue[head];
            head += 1;
            require(r.member.call.value(r.amount)()); // <- bug
            emit Served(head - 1, r.member, r.amount);
        }
    }

    function lend(uint256 amount) public onlyManager {
        require(amount <= free());
        lent += amount;
        require(CUSTODIAN.call.value(amount)());
        emit Lent(amount);
    }
}

/// @custom:safe
/** A payment that fails is set aside for its member, and the queue moves on. */
contract OrchardFundGood is ManagedFund {
    struct Request {
        address member;
        uint256 amount;
        uint256 madeAt;
    }

    uint256 public constant MIN_PART = 10 finney;
    uint256 public constant MAX_BATCH = 20;

    mapping(address => uint256) public shares;
    Request[] public queue;
    uint256 public head;
    mapping(address => uint256) public setAside;
    uint256 public totalSetAside;

    event Joined(address indexed member, uint256 amount);
    event Requested(uint256 indexed place, address indexed member, uint256 amount);
    event Served(uint256 indexed place, address indexed member, uint256 amount);

    // plain payments buy shares
    function() public payable {
        join();
    }

    function join() public payable {
        require(msg.value >= MIN_PART);
        shares[msg.sender] += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function free() public view returns (uint256) {
        return address(this).balance - totalSetAside;
    }

    /** Shares are given up at once; the money follows when it is the member's turn. */
    function requestExit(uint256 amount) public returns (uint256 place) {
        require(amount > 0 && amount <= shares[msg.sender]);
        require(amount >= MIN_PART || amount == shares[msg.sender]);
        shares[msg.sender] -= amount;
        place = queue.length;
        queue.push(Request(msg.sender, amount, now));
        emit Requested(place, msg.sender, amount);
    }

    /** Anybody may have the next requests served, as far as the money goes. */
    function serve(uint256 count) public {
        require(count > 0 && count <= MAX_BATCH);
        for (uint256 i = 0; i < count && head < queue.length; i++) {
            Request memory r = queue[head];
            if (r.amount > free()) return;
            delete queue[head];
            head += 1;
            if (!r.member.send(r.amount)) {
                setAside[r.member] += r.amount;
                totalSetAside += r.amount;
            }
            emit Served(head - 1, r.member, r.amount);
        }
    }

    function collect(address to) public {
        uint256 amount = setAside[msg.sender];
        require(amount > 0 && to != address(0));
        setAside[msg.sender] = 0;
        totalSetAside -= amount;
        require(to.call.value(amount)());
    }

    function lend(uint256 amount) public onlyManager {
        require(amount <= free());
        lent += amount;
        require(CUSTODIAN.call.value(amount)());
        emit Lent(amount);
    }
}
