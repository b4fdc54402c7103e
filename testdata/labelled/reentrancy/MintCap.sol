// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The recipient is notified before its mint is counted, so that it can mint beyond one a head from within the
/// notice.
/// @custom:vulnerable reentrancy mint()
contract MintCapBad {
    uint256 public constant PER_HEAD = 1;

    uint256 public supply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public minted;

    event Minted(uint256 indexed id, address indexed to);

    function mint() external returns (uint256 id) {
        require(minted[msg.sender] < PER_HEAD, "one a head");
        id = ++supply;
        ownerOf[id] = msg.sender;
        if (msg.sender.code.length > 0) {
            (bool ok, ) = msg.sender.call(abi.encodeWithSignature("onMinted(uint256)", id));
            require(ok, "refused");
        }
        minted[msg.sender] += 1;
        emit Minted(id, msg.sender);
    }

    function give(uint256 id, address to) external {
        require(ownerOf[id] == msg.sender && to != address(0), "not yours");
        ownerOf[id] = to;
    }
}

/// The mint is counted before the notice.
/// @custom:safe
contract MintCapGood {
    uint256 public constant PER_HEAD = 1;

    uint256 public supply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public minted;

    event Minted(uint256 indexed id, address indexed to);

    function mint() external returns (uint256 id) {
        require(minted[msg.sender] < PER_HEAD, "one a head");
        id = ++supply;
        ownerOf[id] = msg.sender;
        minted[msg.sender] += 1;
        if (msg.sender.code.length > 0) {
            (bool ok, ) = msg.sender.call(abi.encodeWithSignature("onMinted(uint256)", id));
            require(ok, "refused");
        }
        emit Minted(id, msg.sender);
    }

    function give(uint256 id, address to) external {
        require(ownerOf[id] == msg.sender && to != address(0), "not yours");
        ownerOf[id] = to;
    }
}
