// Modelled on findings about revenue splitters in which the caller who matches none of the known partners falls through to the
// branch of the manager (SWC-105).
// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract PurseBook {
    struct Payment {
        uint256 total;
        uint256 count;
        uint256 lastAt;
    }

    mapping(address => Payment) public payments;
    uint256 public received;

    event Paid(address indexed from, uint256 amount, bytes32 invoice);

    function _enter(address from, uint256 amount, bytes32 invoice) internal {
        Payment storage p = payments[from];
        p.total += amount;
        p.count++;
        p.lastAt = now;
        received += amount;
        emit Paid(from, amount, invoice);
    }
}

/// @custom:vulnerable ether-leak draw(uint256)
/** Whoever is not one of the two partners has the manager's share. */
contract JointPurseBad is PurseBook {
    // the two studios, as agreed
    address public constant STUDIO_A = 0x3F587e7afF38980307D434CCd99255C4487f8F69;
    address public constant STUDIO_B = 0xA9472B7fa6c0eE2248BE7A94c670998fa8dF558c;

    uint256 public constant MANAGER_PERCENT = 50;
    uint256 public constant STUDIO_PERCENT = 25;

    address public manager;
    bool public paused;
    mapping(address => uint256) public drawn;

    event Drawn(address indexed by, uint256 amount);
    event Paused(bool paused);

    modifier onlyManager() {
        require(msg.sender == manager);
        _;
    }

    constructor() public payable {
        manager = msg.sender;
        _enter(msg.sender, msg.value, "opening");
    }

    // customers pay by plain transfer
    function() public payable {
        require(msg.value > 0);
        _enter(msg.sender, msg.value, "");
    }

    function payInvoice(bytes32 invoice) public payable {
        require(msg.value > 0 && invoice != 0);
        _enter(msg.sender, msg.value, invoice);
    }

    function percentOf(address who) public view returns (uint256) {
        if (who == STUDIO_A || who == STUDIO_B) {
            return STUDIO_PERCENT;
        }
        return MANAGER_PERCENT; // <- bug
    }

    function available(address who) public view returns (uint256) {
        uint256 share = received * percentOf(who) / 100;
        return share > drawn[who] ? share - drawn[who] : 0;
    }

    function draw(uint256 amount) public {
        require(!paused);
        require(amount > 0 && available(msg.sender) >= amount);
        drawn[msg.sender] += amount;
        require(msg.sender.call.value(amount)()); // <- bug
        emit Drawn(msg.sender, amount);
    }

    // against stolen keys
    function pause(bool on) public onlyManager {
        paused = on;
        emit Paused(on);
    }
}

/// @custom:safe
/** Whoever is neither the manager nor a partner has no share. */
contract JointPurseGood is PurseBook {
    // the two studios, as agreed
    address public constant STUDIO_A = 0x3F587e7afF38980307D434CCd99255C4487f8F69;
    address public constant STUDIO_B = 0xA9472B7fa6c0eE2248BE7A94c670998fa8dF558c;

    uint256 public constant MANAGER_PERCENT = 50;
    uint256 public constant STUDIO_PERCENT = 25;

    address public manager;
    bool public paused;
    mapping(address => uint256) public drawn;

    event Drawn(address indexed by, uint256 amount);
    event Paused(bool paused);

    modifier onlyManager() {
        require(msg.sender == manager);
        _;
    }

    constructor() public payable {
        manager = msg.sender;
        _enter(msg.sender, msg.value, "opening");
    }

    // customers pay by plain transfer
    function() public payable {
        require(msg.value > 0);
        _enter(msg.sender, msg.value, "");
    }

    function payInvoice(bytes32 invoice) public payable {
        require(msg.value > 0 && invoice != 0);
        _enter(msg.sender, msg.value, invoice);
    }

    function percentOf(address who) public view returns (uint256) {
        if (who == STUDIO_A || who == STUDIO_B) {
            return STUDIO_PERCENT;
        }
        return who == manager ? MANAGER_PERCENT : 0;
    }

    function available(address who) public view returns (uint256) {
        uint256 share = received * percentOf(who) / 100;
        return share > drawn[who] ? share - drawn[who] : 0;
    }

    function draw(uint256 amount) public {
        require(!paused);
        require(amount > 0 && available(msg.sender) >= amount);
        drawn[msg.sender] += amount;
        require(msg.sender.call.value(amount)());
        emit Drawn(msg.sender, amount);
    }

    // against stolen keys
    function pause(bool on) public onlyManager {
        paused = on;
        emit Paused(on);
    }
}
