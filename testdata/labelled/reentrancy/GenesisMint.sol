// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface INftReceiver {
    function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data)
        external
        returns (bytes4);
}

/// @custom:vulnerable reentrancy mint(uint256)
contract GenesisMintBad {
    string public constant name = "Genesis";
    string public constant symbol = "GEN";
    uint256 public constant MAX_PER_WALLET = 2;

    address public immutable artist;
    uint256 public immutable price;
    uint256 public immutable maxSupply;
    uint256 public totalSupply;

    mapping(uint256 => address) private _owners;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public mintedBy;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor(uint256 _price, uint256 _maxSupply) {
        require(_price >= 0.001 ether && _price <= 10 ether, "price range");
        require(_maxSupply > 0 && _maxSupply <= 10000, "supply range");
        artist = msg.sender;
        price = _price;
        maxSupply = _maxSupply;
    }

    function ownerOf(uint256 tokenId) public view returns (address) {
        address holder = _owners[tokenId];
        require(holder != address(0), "no such token");
        return holder;
    }

    function mint(uint256 count) external payable {
        require(count > 0 && mintedBy[msg.sender] + count <= MAX_PER_WALLET, "wallet limit");
        require(totalSupply + count <= maxSupply, "sold out");
        require(msg.value == count * price, "exact price only");

        uint256 firstId = totalSupply + 1;
        totalSupply += count;
        for (uint256 i = 0; i < count; i++) {
            _owners[firstId + i] = msg.sender;
            emit Transfer(address(0), msg.sender, firstId + i);
        }
        balanceOf[msg.sender] += count;
        for (uint256 i = 0; i < count; i++) {
            _checkReceiver(address(0), msg.sender, firstId + i, "");
        }
        mintedBy[msg.sender] += count;
    }

    function approve(address to, uint256 tokenId) external {
        address holder = ownerOf(tokenId);
        require(msg.sender == holder || isApprovedForAll[holder][msg.sender], "not allowed");
        getApproved[tokenId] = to;
        emit Approval(holder, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from, "wrong holder");
        require(to != address(0), "no receiver");
        require(
            msg.sender == from || getApproved[tokenId] == msg.sender || isApprovedForAll[from][msg.sender],
            "not allowed"
        );
        delete getApproved[tokenId];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        _owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external {
        transferFrom(from, to, tokenId);
        _checkReceiver(from, to, tokenId, data);
    }

    function withdraw() external {
        require(msg.sender == artist, "artist only");
        (bool ok, ) = artist.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }

    function _checkReceiver(address from, address to, uint256 tokenId, bytes memory data) private {
        if (to.code.length == 0) return;
        try INftReceiver(to).onERC721Received(msg.sender, from, tokenId, data) returns (bytes4 answer) {
            require(answer == INftReceiver.onERC721Received.selector, "refused");
        } catch {
            revert("receiver failed");
        }
    }
}

/// @custom:safe
contract GenesisMintGood {
    string public constant name = "Genesis";
    string public constant symbol = "GEN";
    uint256 public constant MAX_PER_WALLET = 2;

    address public immutable artist;
    uint256 public immutable price;
    uint256 public immutable maxSupply;
    uint256 public totalSupply;

    mapping(uint256 => address) private _owners;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public mintedBy;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor(uint256 _price, uint256 _maxSupply) {
        require(_price >= 0.001 ether && _price <= 10 ether, "price range");
        require(_maxSupply > 0 && _maxSupply <= 10000, "supply range");
        artist = msg.sender;
        price = _price;
        maxSupply = _maxSupply;
    }

    function ownerOf(uint256 tokenId) public view returns (address) {
        address holder = _owners[tokenId];
        require(holder != address(0), "no such token");
        return holder;
    }

    function mint(uint256 count) external payable {
        require(count > 0 && mintedBy[msg.sender] + count <= MAX_PER_WALLET, "wallet limit");
        require(totalSupply + count <= maxSupply, "sold out");
        require(msg.value == count * price, "exact price only");

        uint256 firstId = totalSupply + 1;
        totalSupply += count;
        mintedBy[msg.sender] += count;
        for (uint256 i = 0; i < count; i++) {
            _owners[firstId + i] = msg.sender;
            emit Transfer(address(0), msg.sender, firstId + i);
        }
        balanceOf[msg.sender] += count;
        for (uint256 i = 0; i < count; i++) {
            _checkReceiver(address(0), msg.sender, firstId + i, "");
        }
    }

    function approve(address to, uint256 tokenId) external {
        address holder = ownerOf(tokenId);
        require(msg.sender == holder || isApprovedForAll[holder][msg.sender], "not allowed");
        getApproved[tokenId] = to;
        emit Approval(holder, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from, "wrong holder");
        require(to != address(0), "no receiver");
        require(
            msg.sender == from || getApproved[tokenId] == msg.sender || isApprovedForAll[from][msg.sender],
            "not allowed"
        );
        delete getApproved[tokenId];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        _owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external {
        transferFrom(from, to, tokenId);
        _checkReceiver(from, to, tokenId, data);
    }

    function withdraw() external {
        require(msg.sender == artist, "artist only");
        (bool ok, ) = artist.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }

    function _checkReceiver(address from, address to, uint256 tokenId, bytes memory data) private {
        if (to.code.length == 0) return;
        try INftReceiver(to).onERC721Received(msg.sender, from, tokenId, data) returns (bytes4 answer) {
            require(answer == INftReceiver.onERC721Received.selector, "refused");
        } catch {
            revert("receiver failed");
        }
    }
}
