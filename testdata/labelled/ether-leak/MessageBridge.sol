// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable ether-leak process(address,uint256,uint256)
contract MessageBridgeBad {
    uint256 public constant OPTIMISTIC_DELAY = 1 days;
    uint256 public constant MIN_TRANSFER = 0.001 ether;
    uint256 public constant MAX_DEPTH = 32;

    address public immutable updater;
    bytes32 public committedRoot;
    uint256 public outboundNonce;
    uint256 public totalOwed;
    mapping(bytes32 => uint256) public confirmAt;
    mapping(bytes32 => bytes32) public provenUnder;
    mapping(bytes32 => bool) public processed;
    mapping(address => uint256) public owed;

    event Dispatched(uint256 indexed nonce, address indexed sender, bytes32 recipient, uint256 amount);
    event RootCommitted(bytes32 indexed root, uint256 confirmAt);
    event Proven(bytes32 indexed leaf, bytes32 indexed root);
    event Processed(bytes32 indexed leaf, address indexed recipient, uint256 amount, bool delivered);

    constructor() {
        updater = msg.sender;
        confirmAt[committedRoot] = 1;
    }

    function dispatch(bytes32 recipient) external payable {
        require(msg.value >= MIN_TRANSFER, "too little");
        require(recipient != bytes32(0), "no recipient");
        emit Dispatched(outboundNonce++, msg.sender, recipient, msg.value);
    }

    function update(bytes32 root) external {
        require(msg.sender == updater, "updater only");
        require(root != bytes32(0) && confirmAt[root] == 0, "root");
        committedRoot = root;
        confirmAt[root] = block.timestamp + OPTIMISTIC_DELAY;
        emit RootCommitted(root, confirmAt[root]);
    }

    function leafOf(address recipient, uint256 amount, uint256 nonce) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), recipient, amount, nonce));
    }

    function prove(bytes32 leaf, bytes32[] calldata path) external {
        require(provenUnder[leaf] == bytes32(0), "already proven");
        require(path.length <= MAX_DEPTH, "path too long");
        bytes32 node = leaf;
        for (uint256 i = 0; i < path.length; i++) {
            node = node < path[i]
                ? keccak256(abi.encodePacked(node, path[i]))
                : keccak256(abi.encodePacked(path[i], node));
        }
        require(node != bytes32(0) && confirmAt[node] != 0, "unknown root");
        provenUnder[leaf] = node;
        emit Proven(leaf, node);
    }

    function acceptableRoot(bytes32 root) public view returns (bool) {
        uint256 time = confirmAt[root];
        if (time == 0) return false;
        return block.timestamp >= time;
    }

    // Anybody may deliver; the ether goes to the recipient that the message names.
    function process(address recipient, uint256 amount, uint256 nonce) external {
        require(recipient != address(0) && recipient != address(this), "bad recipient");
        bytes32 leaf = leafOf(recipient, amount, nonce);
        require(!processed[leaf], "already processed");
        require(acceptableRoot(provenUnder[leaf]), "not proven");
        require(amount <= address(this).balance - totalOwed, "liquidity");
        processed[leaf] = true;

        (bool delivered, ) = recipient.call{value: amount}("");
        if (!delivered) {
            owed[recipient] += amount;
            totalOwed += amount;
        }
        emit Processed(leaf, recipient, amount, delivered);
    }

    function collect(address to) external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        totalOwed -= amount;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract MessageBridgeGood {
    uint256 public constant OPTIMISTIC_DELAY = 1 days;
    uint256 public constant MIN_TRANSFER = 0.001 ether;
    uint256 public constant MAX_DEPTH = 32;

    address public immutable updater;
    bytes32 public committedRoot;
    uint256 public outboundNonce;
    uint256 public totalOwed;
    mapping(bytes32 => uint256) public confirmAt;
    mapping(bytes32 => bytes32) public provenUnder;
    mapping(bytes32 => bool) public processed;
    mapping(address => uint256) public owed;

    event Dispatched(uint256 indexed nonce, address indexed sender, bytes32 recipient, uint256 amount);
    event RootCommitted(bytes32 indexed root, uint256 confirmAt);
    event Proven(bytes32 indexed leaf, bytes32 indexed root);
    event Processed(bytes32 indexed leaf, address indexed recipient, uint256 amount, bool delivered);

    constructor() {
        updater = msg.sender;
    }

    function dispatch(bytes32 recipient) external payable {
        require(msg.value >= MIN_TRANSFER, "too little");
        require(recipient != bytes32(0), "no recipient");
        emit Dispatched(outboundNonce++, msg.sender, recipient, msg.value);
    }

    function update(bytes32 root) external {
        require(msg.sender == updater, "updater only");
        require(root != bytes32(0) && confirmAt[root] == 0, "root");
        committedRoot = root;
        confirmAt[root] = block.timestamp + OPTIMISTIC_DELAY;
        emit RootCommitted(root, confirmAt[root]);
    }

    function leafOf(address recipient, uint256 amount, uint256 nonce) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), recipient, amount, nonce));
    }

    function prove(bytes32 leaf, bytes32[] calldata path) external {
        require(provenUnder[leaf] == bytes32(0), "already proven");
        require(path.length <= MAX_DEPTH, "path too long");
        bytes32 node = leaf;
        for (uint256 i = 0; i < path.length; i++) {
            node = node < path[i]
                ? keccak256(abi.encodePacked(node, path[i]))
                : keccak256(abi.encodePacked(path[i], node));
        }
        require(node != bytes32(0) && confirmAt[node] != 0, "unknown root");
        provenUnder[leaf] = node;
        emit Proven(leaf, node);
    }

    function acceptableRoot(bytes32 root) public view returns (bool) {
        if (root == bytes32(0)) return false;
        uint256 time = confirmAt[root];
        if (time == 0) return false;
        return block.timestamp >= time;
    }

    // Anybody may deliver; the ether goes to the recipient that the message names.
    function process(address recipient, uint256 amount, uint256 nonce) external {
        require(recipient != address(0) && recipient != address(this), "bad recipient");
        bytes32 leaf = leafOf(recipient, amount, nonce);
        require(!processed[leaf], "already processed");
        require(acceptableRoot(provenUnder[leaf]), "not proven");
        require(amount <= address(this).balance - totalOwed, "liquidity");
        processed[leaf] = true;

        (bool delivered, ) = recipient.call{value: amount}("");
        if (!delivered) {
            owed[recipient] += amount;
            totalOwed += amount;
        }
        emit Processed(leaf, recipient, amount, delivered);
    }

    function collect(address to) external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        totalOwed -= amount;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
