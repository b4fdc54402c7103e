// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// The code of all wallets; it runs on their storage.
contract ParityWalletLibrary {
    address internal owner;
    address internal library_;
    mapping(bytes32 => uint256) internal confirmations;
    mapping(bytes32 => mapping(address => bool)) internal confirmedBy;

    event Confirmed(bytes32 indexed operation, address by);

    function confirm(bytes32 operation) public {
        if (!confirmedBy[operation][msg.sender]) {
            confirmedBy[operation][msg.sender] = true;
            confirmations[operation] += 1;
            emit Confirmed(operation, msg.sender);
        }
    }
}

/// @custom:vulnerable delegatecall confirm(bytes32)
/**
 * The wallet runs its operations in a shared library by delegatecall (Parity), and anyone can point it to
 * another library.
 */
contract ParityWalletBad {
    address internal owner;
    address internal library_;
    mapping(bytes32 => uint256) internal confirmations;
    mapping(bytes32 => mapping(address => bool)) internal confirmedBy;

    event LibraryChanged(address to);

    constructor() public {
        owner = msg.sender;
        library_ = new ParityWalletLibrary();
    }

    function changeLibrary(address to) public {
        require(to != address(0));
        library_ = to;
        emit LibraryChanged(to);
    }

    function confirm(bytes32 operation) public {
        require(library_.delegatecall(abi.encodeWithSignature("confirm(bytes32)", operation)));
    }

    function hasConfirmed(bytes32 operation, address who) public view returns (bool) {
        return confirmedBy[operation][who];
    }

    function countOf(bytes32 operation) public view returns (uint256) {
        return confirmations[operation];
    }
}

/// @custom:safe
/** Only the owner can change the library. */
contract ParityWalletGood {
    address internal owner;
    address internal library_;
    mapping(bytes32 => uint256) internal confirmations;
    mapping(bytes32 => mapping(address => bool)) internal confirmedBy;

    event LibraryChanged(address to);

    constructor() public {
        owner = msg.sender;
        library_ = new ParityWalletLibrary();
    }

    function changeLibrary(address to) public {
        require(msg.sender == owner && to != address(0));
        library_ = to;
        emit LibraryChanged(to);
    }

    function confirm(bytes32 operation) public {
        require(library_.delegatecall(abi.encodeWithSignature("confirm(bytes32)", operation)));
    }

    function hasConfirmed(bytes32 operation, address who) public view returns (bool) {
        return confirmedBy[operation][who];
    }

    function countOf(bytes32 operation) public view returns (uint256) {
        return confirmations[operation];
    }
}
