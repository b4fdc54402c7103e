// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

// Modelled on SWC-107 as it was met in the "private bank" contracts of 2018: a vault that pays before it books and that
// keeps its history in a second contract.

/** Keeps the history of one or several vaults. */
contract MovementLog {
    struct Entry {
        address vault;
        address who;
        uint256 amount;
        bytes32 what;
        uint256 time;
    }

    Entry[] public entries;

    function add(address who, uint256 amount, bytes32 what) external {
        entries.push(Entry(msg.sender, who, amount, what, now));
    }

    function length() external view returns (uint256) {
        return entries.length;
    }
}

/// @custom:vulnerable reentrancy cashOut(uint256)
/** The saver is paid before the balance is written back, so that the same balance can be cashed several times. */
contract PiggyVaultBad {
    uint256 public constant MIN_DEPOSIT = 10 finney;

    MovementLog public history;
    mapping(address => uint256) public balances;

    event Deposit(address indexed saver, uint256 amount);
    event CashedOut(address indexed saver, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier atLeast(uint256 minimum) {
        require(msg.value >= minimum);
        _;
    }

    constructor(MovementLog log) public {
        history = log;
        history.add(msg.sender, 0, "opened");
    }

    // plain payments are deposits
    function() public payable {
        deposit();
    }

    function deposit() public payable atLeast(MIN_DEPOSIT) {
        balances[msg.sender] += msg.value;
        history.add(msg.sender, msg.value, "deposit");
        emit Deposit(msg.sender, msg.value);
    }

    /** Hands a part of the balance to another saver. */
    function move(address to, uint256 amount) public {
        require(to != address(0) && amount <= balances[msg.sender]);
        balances[msg.sender] -= amount;
        balances[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function cashOut(uint256 amount) public {
        uint256 held = balances[msg.sender];
        require(amount > 0 && amount <= held);
        require(msg.sender.call.value(amount)()); // <- bug
        balances[msg.sender] = held - amount; // <- bug
        history.add(msg.sender, amount, "cash out");
        emit CashedOut(msg.sender, amount);
    }
}

/// @custom:safe
/** The balance is written before the saver is paid. */
contract PiggyVaultGood {
    uint256 public constant MIN_DEPOSIT = 10 finney;

    MovementLog public history;
    mapping(address => uint256) public balances;

    event Deposit(address indexed saver, uint256 amount);
    event CashedOut(address indexed saver, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);

    modifier atLeast(uint256 minimum) {
        require(msg.value >= minimum);
        _;
    }

    constructor(MovementLog log) public {
        history = log;
        history.add(msg.sender, 0, "opened");
    }

    // plain payments are deposits
    function() public payable {
        deposit();
    }

    function deposit() public payable atLeast(MIN_DEPOSIT) {
        balances[msg.sender] += msg.value;
        history.add(msg.sender, msg.value, "deposit");
        emit Deposit(msg.sender, msg.value);
    }

    /** Hands a part of the balance to another saver. */
    function move(address to, uint256 amount) public {
        require(to != address(0) && amount <= balances[msg.sender]);
        balances[msg.sender] -= amount;
        balances[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function cashOut(uint256 amount) public {
        uint256 held = balances[msg.sender];
        require(amount > 0 && amount <= held);
        balances[msg.sender] = held - amount;
        require(msg.sender.call.value(amount)());
        history.add(msg.sender, amount, "cash out");
        emit CashedOut(msg.sender, amount);
    }
}
