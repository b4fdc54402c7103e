// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable gas-exhaustion withdraw(address)
contract GiftLocksBad {
    struct Lock {
        address giver;
        uint256 amount;
        uint256 unlocksAt;
    }

    uint256 public constant MAX_DAYS = 3650;

    mapping(address => Lock[]) private _locks;

    event Locked(address indexed giver, address indexed receiver, uint256 amount, uint256 unlocksAt);
    event Withdrawn(address indexed receiver, address indexed to, uint256 amount);

    /// money for somebody else, to be opened on a later day
    function lockFor(address receiver, uint256 numDays) external payable {
        require(receiver != address(0), "no receiver");
        require(msg.value > 0, "nothing sent");
        require(numDays <= MAX_DAYS, "too long");
        uint256 unlocksAt = block.timestamp + numDays * 1 days;
        _locks[receiver].push(Lock(msg.sender, msg.value, unlocksAt));
        emit Locked(msg.sender, receiver, msg.value, unlocksAt);
    }

    function lockCount(address receiver) external view returns (uint256) {
        return _locks[receiver].length;
    }

    function lockAt(address receiver, uint256 index) external view returns (Lock memory) {
        require(index < _locks[receiver].length, "no such lock");
        return _locks[receiver][index];
    }

    /// everything that is ripe
    function withdraw(address payable to) external {
        require(to != address(0), "no receiver");
        Lock[] storage list = _locks[msg.sender];
        uint256 total = 0;
        for (uint256 i = 0; i < list.length; ++i) {
            if (list[i].amount > 0 && block.timestamp >= list[i].unlocksAt) {
                total += list[i].amount;
                list[i].amount = 0;
            }
        }
        require(total > 0, "nothing is ripe");
        emit Withdrawn(msg.sender, to, total);
        (bool ok, ) = to.call{value: total}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract GiftLocksGood {
    struct Lock {
        address giver;
        uint256 amount;
        uint256 unlocksAt;
    }

    uint256 public constant MAX_DAYS = 3650;
    uint256 public constant PAGE = 50;

    mapping(address => Lock[]) private _locks;

    event Locked(address indexed giver, address indexed receiver, uint256 amount, uint256 unlocksAt);
    event Withdrawn(address indexed receiver, address indexed to, uint256 amount);

    /// money for somebody else, to be opened on a later day
    function lockFor(address receiver, uint256 numDays) external payable {
        require(receiver != address(0), "no receiver");
        require(msg.value > 0, "nothing sent");
        require(numDays <= MAX_DAYS, "too long");
        uint256 unlocksAt = block.timestamp + numDays * 1 days;
        _locks[receiver].push(Lock(msg.sender, msg.value, unlocksAt));
        emit Locked(msg.sender, receiver, msg.value, unlocksAt);
    }

    function lockCount(address receiver) external view returns (uint256) {
        return _locks[receiver].length;
    }

    function lockAt(address receiver, uint256 index) external view returns (Lock memory) {
        require(index < _locks[receiver].length, "no such lock");
        return _locks[receiver][index];
    }

    /// everything that is ripe among `count` locks from `start`
    function withdraw(address payable to, uint256 start, uint256 count) external {
        require(to != address(0), "no receiver");
        Lock[] storage list = _locks[msg.sender];
        require(start < list.length && count <= PAGE, "bad page");
        uint256 end = start + count;
        if (end > list.length) {
            end = list.length;
        }
        uint256 total = 0;
        for (uint256 i = start; i < end; ) {
            Lock storage item = list[i];
            if (item.amount > 0 && block.timestamp >= item.unlocksAt) {
                total += item.amount;
                item.amount = 0;
            }
            unchecked {
                ++i;
            }
        }
        require(total > 0, "nothing is ripe");
        emit Withdrawn(msg.sender, to, total);
        (bool ok, ) = to.call{value: total}("");
        require(ok, "payment failed");
    }
}
