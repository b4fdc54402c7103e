// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A guild of porters: members whom the master admits put in a stake and share what the guild earns.
/// @custom:safe
contract GuildPagesGood {
    uint256 public constant STAKE = 0.1 ether;

    address public immutable master;
    address[] private members;
    mapping(address => uint256) private place; // index + 1
    mapping(address => bool) public admitted;
    mapping(address => uint256) private seen; // perHead when last settled
    mapping(address => uint256) public credit;
    uint256 public perHead;

    event Joined(address indexed who);
    event Gone(address indexed who, bool kicked);
    event Earned(uint256 amount, uint256 each);

    constructor() {
        master = msg.sender;
    }

    function admit(address who, bool yes) external {
        require(msg.sender == master, "not the master");
        admitted[who] = yes;
    }

    function join() external payable {
        require(admitted[msg.sender], "not admitted");
        require(place[msg.sender] == 0, "already in");
        require(msg.value == STAKE, "exact stake");
        admitted[msg.sender] = false;
        members.push(msg.sender);
        place[msg.sender] = members.length;
        seen[msg.sender] = perHead;
        emit Joined(msg.sender);
    }

    /// A customer pays. What cannot be divided, or has no members to go to, is the master's.
    function earn() external payable {
        uint256 n = members.length;
        uint256 each = n == 0 ? 0 : msg.value / n;
        perHead += each;
        unchecked {
            credit[master] += msg.value - each * n;
        }
        emit Earned(msg.value, each);
    }

    function leave() external {
        _remove(msg.sender, false);
    }

    function kick(address who) external {
        require(msg.sender == master, "not the master");
        _remove(who, true);
    }

    /// Books the earnings of a page of members; pages beyond the end are empty.
    function settlePage(uint256 from, uint256 count) external {
        uint256 n = members.length;
        if (from >= n) return;
        uint256 end = count < n - from ? from + count : n;
        for (uint256 i = from; i < end; i++) _settle(members[i]);
    }

    function settle() external {
        require(place[msg.sender] != 0, "no member");
        _settle(msg.sender);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) credit[msg.sender] += amount;
    }

    function size() external view returns (uint256) {
        return members.length;
    }

    function _settle(address who) private {
        unchecked {
            // perHead only grows
            credit[who] += perHead - seen[who];
        }
        seen[who] = perHead;
    }

    function _remove(address who, bool kicked) private {
        uint256 p = place[who];
        require(p != 0, "no member");
        _settle(who);
        credit[who] += STAKE;
        address last = members[members.length - 1];
        members[p - 1] = last;
        place[last] = p;
        place[who] = 0;
        members.pop();
        emit Gone(who, kicked);
    }
}
