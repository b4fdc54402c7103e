// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Runs by delegatecall on a wallet's ether.
contract PayoutLibrary {
    function payOut(address to, uint256 amount) external returns (bool ok) {
        (ok, ) = to.call{value: amount}("");
    }
}

/// Says where the library is; its maintainer may retire it.
contract LibraryDirectory {
    address public immutable maintainer = msg.sender;
    address public current = address(new PayoutLibrary());

    function retire() external {
        require(msg.sender == maintainer, "maintainer only");
        current = address(0);
    }
}

/// Only the library's code can pay out; once the library is retired, the deposits are frozen (Parity, November
/// 2017).
/// @custom:vulnerable freezing-ether withdraw(uint256)
contract LibraryWalletBad {
    LibraryDirectory public immutable directory;
    mapping(address => uint256) public balanceOf;

    event Withdrawn(address indexed who, uint256 amount, address lib);

    constructor(LibraryDirectory directory_) {
        directory = directory_;
    }

    function deposit() external payable {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        address lib = directory.current();
        require(lib != address(0), "library is gone");
        (bool ok, bytes memory result) = lib.delegatecall(
            abi.encodeCall(PayoutLibrary.payOut, (msg.sender, amount))
        );
        require(ok && abi.decode(result, (bool)), "not paid");
        emit Withdrawn(msg.sender, amount, lib);
    }
}

/// The wallet pays by its own code, with or without the library.
/// @custom:safe
contract LibraryWalletGood {
    LibraryDirectory public immutable directory;
    mapping(address => uint256) public balanceOf;

    event Withdrawn(address indexed who, uint256 amount, address lib);

    constructor(LibraryDirectory directory_) {
        directory = directory_;
    }

    function deposit() external payable {
        require(msg.value > 0, "no ether");
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && amount <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not paid");
        emit Withdrawn(msg.sender, amount, address(this));
    }
}
