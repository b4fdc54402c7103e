// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Linear vesting of ether after a cliff; the funder may revoke what has not vested yet.
/// @custom:safe
contract PierVestingGood {
    struct Grant {
        address funder;
        address worker;
        uint128 total;
        uint128 claimed;
        uint64 start;
        uint32 cliff;
        uint32 duration;
        bool revoked;
    }

    Grant[] private grants;
    mapping(address => uint256) public returned;

    event Granted(uint256 indexed id, address indexed funder, address indexed worker, uint256 total);
    event Claimed(uint256 indexed id, uint256 amount);
    event Revoked(uint256 indexed id, uint256 unvested);

    function grant(address worker, uint32 cliff, uint32 duration) external payable returns (uint256 id) {
        require(worker != address(0), "worker");
        require(msg.value > 0 && msg.value <= type(uint128).max, "value");
        require(duration >= 30 days && duration <= 3650 days && cliff <= duration, "times");
        id = grants.length;
        grants.push(
            Grant(msg.sender, worker, uint128(msg.value), 0, uint64(block.timestamp), cliff, duration, false)
        );
        emit Granted(id, msg.sender, worker, msg.value);
    }

    function vested(uint256 id) public view returns (uint256) {
        require(id < grants.length, "no such grant");
        Grant storage g = grants[id];
        if (g.revoked) return g.total;
        unchecked {
            // start <= now; 128 + 64 bits fit; duration >= 30 days
            uint256 elapsed = block.timestamp - g.start;
            if (elapsed < g.cliff) return 0;
            if (elapsed >= g.duration) return g.total;
            return uint256(g.total) * elapsed / g.duration;
        }
    }

    function claim(uint256 id, address payable to) external {
        uint256 soFar = vested(id);
        Grant storage g = grants[id];
        require(msg.sender == g.worker, "not yours");
        uint256 due;
        unchecked {
            // vested never falls below what was claimed: revoking pins total to what had vested
            due = soFar - g.claimed;
        }
        require(due > 0, "nothing due");
        g.claimed = uint128(soFar);
        _pay(to, due);
        emit Claimed(id, due);
    }

    function revoke(uint256 id) external {
        uint256 soFar = vested(id);
        Grant storage g = grants[id];
        require(msg.sender == g.funder, "not the funder");
        require(!g.revoked, "revoked");
        uint256 rest;
        unchecked {
            rest = g.total - soFar;
        }
        g.revoked = true;
        g.total = uint128(soFar);
        returned[msg.sender] += rest;
        emit Revoked(id, rest);
    }

    function takeReturned(address payable to) external {
        uint256 amount = returned[msg.sender];
        require(amount > 0, "nothing");
        returned[msg.sender] = 0;
        _pay(to, amount);
    }

    function _pay(address payable to, uint256 amount) private {
        require(to != address(0), "to");
        bool ok;
        assembly {
            ok := call(gas(), to, amount, 0, 0, 0, 0)
            if iszero(ok) {
                revert(0, 0)
            }
        }
    }
}
