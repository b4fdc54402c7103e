// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable ownership-takeover acceptController()
contract NameRegistryBad {
    struct Record {
        address holder;
        address target;
        uint64 expires;
    }

    uint256 public constant YEAR = 365 days;
    uint256 public constant GRACE = 30 days;

    address public controller;
    address public pendingController;
    uint256 public yearlyPrice;
    mapping(bytes32 => Record) private records;

    event Registered(bytes32 indexed label, address indexed holder, uint256 expires);
    event Renewed(bytes32 indexed label, uint256 expires);
    event TargetSet(bytes32 indexed label, address target);
    event HolderChanged(bytes32 indexed label, address indexed holder);
    event ControllerChanged(address indexed controller);

    modifier onlyController() {
        require(msg.sender == controller, "controller only");
        _;
    }

    modifier onlyHolder(bytes32 label) {
        require(records[label].holder == msg.sender, "holder only");
        require(block.timestamp <= records[label].expires, "expired");
        _;
    }

    constructor(uint256 price) {
        require(price > 0 && price <= 10 ether, "price range");
        controller = msg.sender;
        yearlyPrice = price;
    }

    function available(bytes32 label) public view returns (bool) {
        return block.timestamp > uint256(records[label].expires) + GRACE;
    }

    function resolve(bytes32 label) external view returns (address) {
        Record storage r = records[label];
        return block.timestamp <= r.expires ? r.target : address(0);
    }

    function holderOf(bytes32 label) external view returns (address) {
        return records[label].holder;
    }

    function register(bytes32 label, uint256 numYears) external payable {
        require(label != bytes32(0) && available(label), "not available");
        require(numYears > 0 && numYears <= 10, "years");
        require(msg.value == yearlyPrice * numYears, "exact price only");
        uint64 expires = uint64(block.timestamp + numYears * YEAR);
        records[label] = Record(msg.sender, msg.sender, expires);
        emit Registered(label, msg.sender, expires);
    }

    function renew(bytes32 label) external payable {
        Record storage r = records[label];
        require(r.holder != address(0) && !available(label), "not registered");
        require(msg.value == yearlyPrice, "exact price only");
        require(r.expires <= block.timestamp + 10 * YEAR, "far enough");
        r.expires += uint64(YEAR);
        emit Renewed(label, r.expires);
    }

    function setTarget(bytes32 label, address target) external onlyHolder(label) {
        records[label].target = target;
        emit TargetSet(label, target);
    }

    function giveName(bytes32 label, address to) external onlyHolder(label) {
        require(to != address(0), "no receiver");
        records[label].holder = to;
        emit HolderChanged(label, to);
    }

    function setPrice(uint256 price) external onlyController {
        require(price > 0 && price <= 10 ether, "price range");
        yearlyPrice = price;
    }

    function offerController(address next) external onlyController {
        pendingController = next;
    }

    function acceptController() external {
        require(pendingController != address(0), "nothing offered");
        controller = msg.sender;
        pendingController = address(0);
        emit ControllerChanged(msg.sender);
    }

    function withdraw() external onlyController {
        (bool ok, ) = controller.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }
}

/// @custom:safe
contract NameRegistryGood {
    struct Record {
        address holder;
        address target;
        uint64 expires;
    }

    uint256 public constant YEAR = 365 days;
    uint256 public constant GRACE = 30 days;

    address public controller;
    address public pendingController;
    uint256 public yearlyPrice;
    mapping(bytes32 => Record) private records;

    event Registered(bytes32 indexed label, address indexed holder, uint256 expires);
    event Renewed(bytes32 indexed label, uint256 expires);
    event TargetSet(bytes32 indexed label, address target);
    event HolderChanged(bytes32 indexed label, address indexed holder);
    event ControllerChanged(address indexed controller);

    modifier onlyController() {
        require(msg.sender == controller, "controller only");
        _;
    }

    modifier onlyHolder(bytes32 label) {
        require(records[label].holder == msg.sender, "holder only");
        require(block.timestamp <= records[label].expires, "expired");
        _;
    }

    constructor(uint256 price) {
        require(price > 0 && price <= 10 ether, "price range");
        controller = msg.sender;
        yearlyPrice = price;
    }

    function available(bytes32 label) public view returns (bool) {
        return block.timestamp > uint256(records[label].expires) + GRACE;
    }

    function resolve(bytes32 label) external view returns (address) {
        Record storage r = records[label];
        return block.timestamp <= r.expires ? r.target : address(0);
    }

    function holderOf(bytes32 label) external view returns (address) {
        return records[label].holder;
    }

    function register(bytes32 label, uint256 numYears) external payable {
        require(label != bytes32(0) && available(label), "not available");
        require(numYears > 0 && numYears <= 10, "years");
        require(msg.value == yearlyPrice * numYears, "exact price only");
        uint64 expires = uint64(block.timestamp + numYears * YEAR);
        records[label] = Record(msg.sender, msg.sender, expires);
        emit Registered(label, msg.sender, expires);
    }

    function renew(bytes32 label) external payable {
        Record storage r = records[label];
        require(r.holder != address(0) && !available(label), "not registered");
        require(msg.value == yearlyPrice, "exact price only");
        require(r.expires <= block.timestamp + 10 * YEAR, "far enough");
        r.expires += uint64(YEAR);
        emit Renewed(label, r.expires);
    }

    function setTarget(bytes32 label, address target) external onlyHolder(label) {
        records[label].target = target;
        emit TargetSet(label, target);
    }

    function giveName(bytes32 label, address to) external onlyHolder(label) {
        require(to != address(0), "no receiver");
        records[label].holder = to;
        emit HolderChanged(label, to);
    }

    function setPrice(uint256 price) external onlyController {
        require(price > 0 && price <= 10 ether, "price range");
        yearlyPrice = price;
    }

    function offerController(address next) external onlyController {
        pendingController = next;
    }

    function acceptController() external {
        require(msg.sender == pendingController, "not offered to you");
        controller = msg.sender;
        pendingController = address(0);
        emit ControllerChanged(msg.sender);
    }

    function withdraw() external onlyController {
        (bool ok, ) = controller.call{value: address(this).balance}("");
        require(ok, "withdrawal failed");
    }
}
