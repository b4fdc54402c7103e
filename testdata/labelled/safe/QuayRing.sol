// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Log of the last 256 moorings at a quay. The cursor and the sequence number wrap on purpose.
/// @custom:safe
contract QuayRingGood {
    struct Entry {
        address ship;
        uint64 at;
        uint32 seq;
    }

    address public immutable harbourMaster;
    uint256 public immutable fee;
    Entry[256] private ring;
    uint8 public cursor;
    uint32 public sequence;
    uint256 public earned;
    mapping(address => uint256) public change;

    event Moored(address indexed ship, address indexed signedBy, uint32 seq);
    event Paid(address indexed to, uint256 amount);

    constructor(uint256 fee_) {
        harbourMaster = msg.sender;
        fee = fee_;
    }

    function moor() external payable {
        require(msg.value >= fee, "fee");
        uint8 at = cursor;
        uint32 seq = sequence;
        unchecked {
            // 255 + 1 == 0: the oldest entry is overwritten
            cursor = at + 1;
            sequence = seq + 1;
            // no underflow: checked above
            change[msg.sender] += msg.value - fee;
            earned += fee;
        }
        ring[at] = Entry(msg.sender, uint64(block.timestamp), seq);
        emit Moored(msg.sender, tx.origin, seq);
    }

    /// back = 0 is the newest entry
    function entry(uint8 back) external view returns (Entry memory) {
        uint8 index;
        unchecked {
            index = cursor - 1 - back;
        }
        return ring[index];
    }

    /// Serial number arithmetic (RFC 1982): right across the wrap.
    function isNewer(uint32 a, uint32 b) public pure returns (bool) {
        unchecked {
            return int32(a - b) > 0;
        }
    }

    function takeChange(address payable to) external {
        uint256 amount = change[msg.sender];
        require(amount > 0, "nothing");
        change[msg.sender] = 0;
        _pay(to, amount);
    }

    function takeFees(address payable to) external {
        require(msg.sender == harbourMaster, "not the master");
        uint256 amount = earned;
        earned = 0;
        _pay(to, amount);
    }

    function _pay(address payable to, uint256 amount) private {
        require(to != address(0), "to");
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert("payment");
        emit Paid(to, amount);
    }
}
