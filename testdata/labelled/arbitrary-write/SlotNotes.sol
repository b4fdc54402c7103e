// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The caller's key is the storage slot itself.
/// @custom:vulnerable arbitrary-write write(uint256,uint256)
contract SlotNotesBad {
    address public librarian = msg.sender;
    uint256 public notes;
    bool public open = true;

    event Written(address indexed by, uint256 key, uint256 value);

    function setOpen(bool open_) external {
        require(msg.sender == librarian, "librarian only");
        open = open_;
    }

    function write(uint256 key, uint256 value) external {
        require(open, "closed");
        uint256 slot = key;
        assembly {
            sstore(slot, value)
        }
        notes += 1;
        emit Written(msg.sender, key, value);
    }

    function read(uint256 key) external view returns (uint256 value) {
        uint256 slot = key;
        assembly {
            value := sload(slot)
        }
    }
}

/// The slot is a hash of the caller and the key.
/// @custom:safe
contract SlotNotesGood {
    address public librarian = msg.sender;
    uint256 public notes;
    bool public open = true;

    event Written(address indexed by, uint256 key, uint256 value);

    function setOpen(bool open_) external {
        require(msg.sender == librarian, "librarian only");
        open = open_;
    }

    function write(uint256 key, uint256 value) external {
        require(open, "closed");
        uint256 slot = uint256(keccak256(abi.encode("notes", msg.sender, key)));
        assembly {
            sstore(slot, value)
        }
        notes += 1;
        emit Written(msg.sender, key, value);
    }

    function read(uint256 key) external view returns (uint256 value) {
        uint256 slot = uint256(keccak256(abi.encode("notes", msg.sender, key)));
        assembly {
            value := sload(slot)
        }
    }
}
