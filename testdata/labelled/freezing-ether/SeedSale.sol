// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The sale can be closed only above the cap, which investing never allows, so the money never gets out.
/// @custom:vulnerable freezing-ether invest()
contract SeedSaleBad {
    address public immutable founder = msg.sender;
    uint256 public immutable cap;
    uint256 public raised;
    bool public closed;
    mapping(address => uint256) public invested;

    event Invested(address indexed who, uint256 amount);
    event Closed(uint256 raised);

    constructor(uint256 cap_) {
        require(cap_ > 0, "cap");
        cap = cap_;
    }

    function invest() external payable {
        require(!closed, "closed");
        require(msg.value > 0 && msg.value <= cap - raised, "amount");
        raised += msg.value;
        invested[msg.sender] += msg.value;
        emit Invested(msg.sender, msg.value);
    }

    function close() external {
        require(msg.sender == founder && !closed, "founder only");
        require(raised > cap, "too early");
        closed = true;
        emit Closed(raised);
    }

    function payOut() external {
        require(msg.sender == founder && closed, "not yet");
        (bool ok, ) = founder.call{value: address(this).balance}("");
        require(ok, "rejected");
    }
}

/// The sale can be closed as soon as something has been invested.
/// @custom:safe
contract SeedSaleGood {
    address public immutable founder = msg.sender;
    uint256 public immutable cap;
    uint256 public raised;
    bool public closed;
    mapping(address => uint256) public invested;

    event Invested(address indexed who, uint256 amount);
    event Closed(uint256 raised);

    constructor(uint256 cap_) {
        require(cap_ > 0, "cap");
        cap = cap_;
    }

    function invest() external payable {
        require(!closed, "closed");
        require(msg.value > 0 && msg.value <= cap - raised, "amount");
        raised += msg.value;
        invested[msg.sender] += msg.value;
        emit Invested(msg.sender, msg.value);
    }

    function close() external {
        require(msg.sender == founder && !closed, "founder only");
        require(raised > 0, "too early");
        closed = true;
        emit Closed(raised);
    }

    function payOut() external {
        require(msg.sender == founder && closed, "not yet");
        (bool ok, ) = founder.call{value: address(this).balance}("");
        require(ok, "rejected");
    }
}
