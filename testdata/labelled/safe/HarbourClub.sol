pragma solidity ^0.5.0;

/// @custom:safe
/** A club of at most 30 skippers. Deposits go back when somebody leaves, is expelled, or at the season's end. */
contract HarbourClubGood {
    uint256 public constant MAX_MEMBERS = 30;

    address public steward;
    address payable[] public members;
    mapping(address => bool) public invited;
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public owed;

    event Joined(address indexed who, uint256 deposit);
    event Left(address indexed who, uint256 deposit, bool paidAtOnce);

    constructor() public {
        steward = msg.sender;
    }

    modifier onlySteward() {
        require(msg.sender == steward, "not the steward");
        _;
    }

    function invite(address who, bool yes) external onlySteward {
        invited[who] = yes;
    }

    function join() external payable {
        require(invited[msg.sender], "not invited");
        require(deposits[msg.sender] == 0, "already in");
        require(msg.value > 0, "deposit");
        require(members.length < MAX_MEMBERS, "full");
        invited[msg.sender] = false;
        deposits[msg.sender] = msg.value;
        members.push(msg.sender);
        emit Joined(msg.sender, msg.value);
    }

    function leave() external {
        removeAt(indexOf(msg.sender));
    }

    function expel(address who) external onlySteward {
        removeAt(indexOf(who));
    }

    /// Pays everybody; who cannot be paid now collects later.
    function endSeason() external onlySteward {
        while (members.length > 0) {
            removeAt(members.length - 1);
        }
    }

    function collect(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing");
        owed[msg.sender] = 0;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment");
    }

    function size() external view returns (uint256) {
        return members.length;
    }

    function indexOf(address who) public view returns (uint256) {
        require(deposits[who] > 0, "no member");
        uint256 i = 0;
        while (members[i] != who) {
            i++; // ends: who is in the list, as he has a deposit
        }
        return i;
    }

    function removeAt(uint256 i) private {
        address payable who = members[i];
        uint256 amount = deposits[who];
        deposits[who] = 0;
        members[i] = members[members.length - 1];
        members.length--;
        bool sent = who.send(amount);
        if (!sent) {
            owed[who] += amount;
        }
        emit Left(who, amount, sent);
    }
}
