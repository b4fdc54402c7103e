// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Anyone can close the book, which destroys the contract.
/// @custom:vulnerable selfdestruct close()
contract GuestBookBad {
    address payable public immutable host;
    bytes32 public immutable title;
    uint256 public pages;
    mapping(uint256 => bytes32) public page;

    event Signed(uint256 indexed number, address by);

    constructor(bytes32 title_) {
        host = payable(msg.sender);
        title = title_;
    }

    function sign(bytes32 text) external {
        require(text != 0, "write something");
        pages += 1;
        page[pages] = text;
        emit Signed(pages, msg.sender);
    }

    function close() external {
        selfdestruct(host);
    }
}

/// Only the host can close the book.
/// @custom:safe
contract GuestBookGood {
    address payable public immutable host;
    bytes32 public immutable title;
    uint256 public pages;
    mapping(uint256 => bytes32) public page;

    event Signed(uint256 indexed number, address by);

    constructor(bytes32 title_) {
        host = payable(msg.sender);
        title = title_;
    }

    function sign(bytes32 text) external {
        require(text != 0, "write something");
        pages += 1;
        page[pages] = text;
        emit Signed(pages, msg.sender);
    }

    function close() external {
        require(msg.sender == host, "host only");
        selfdestruct(host);
    }
}
