// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// @custom:vulnerable reentrancy mint()
contract MembersPassBad {
    uint256 public constant PRICE = 0.02 ether;
    uint256 public constant MAX_SUPPLY = 300;

    address public immutable owner;
    uint256 public totalSupply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => bool) public hasMinted;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed holder, address indexed spender, uint256 indexed id);

    constructor() {
        owner = msg.sender;
    }

    /// one pass for each member
    function mint() external payable {
        require(!hasMinted[msg.sender], "one per member");
        require(msg.value == PRICE, "wrong price");
        _safeMint(msg.sender);
        hasMinted[msg.sender] = true;
    }

    function approve(address spender, uint256 id) external {
        require(msg.sender == ownerOf[id], "not yours");
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && to != address(0), "bad transfer");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function withdraw(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }

    function _safeMint(address to) internal {
        require(totalSupply < MAX_SUPPLY, "sold out");
        uint256 id = ++totalSupply;
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);

        if (to.code.length > 0) {
            try IERC721Receiver(to).onERC721Received(msg.sender, address(0), id, "") returns (bytes4 answer) {
                require(answer == IERC721Receiver.onERC721Received.selector, "pass refused");
            } catch {
                revert("pass refused");
            }
        }
    }
}

/// @custom:safe
contract MembersPassGood {
    uint256 public constant PRICE = 0.02 ether;
    uint256 public constant MAX_SUPPLY = 300;

    address public immutable owner;
    uint256 public totalSupply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => bool) public hasMinted;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed holder, address indexed spender, uint256 indexed id);

    constructor() {
        owner = msg.sender;
    }

    /// one pass for each member
    function mint() external payable {
        require(!hasMinted[msg.sender], "one per member");
        require(msg.value == PRICE, "wrong price");
        hasMinted[msg.sender] = true;
        _safeMint(msg.sender);
    }

    function approve(address spender, uint256 id) external {
        require(msg.sender == ownerOf[id], "not yours");
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && to != address(0), "bad transfer");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function withdraw(address payable to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: address(this).balance}("");
        require(ok, "payment failed");
    }

    function _safeMint(address to) internal {
        require(totalSupply < MAX_SUPPLY, "sold out");
        uint256 id = ++totalSupply;
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);

        if (to.code.length > 0) {
            try IERC721Receiver(to).onERC721Received(msg.sender, address(0), id, "") returns (bytes4 answer) {
                require(answer == IERC721Receiver.onERC721Received.selector, "pass refused");
            } catch {
                revert("pass refused");
            }
        }
    }
}
