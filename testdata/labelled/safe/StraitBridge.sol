// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether is locked here for the other shore; two of three validators release what comes back.
/// @custom:safe
contract StraitBridgeGood {
    address[3] public validators;
    uint256 public locked;
    uint256 public sent;
    mapping(address => uint256) public credit;
    mapping(bytes32 => uint8) public confirmations;
    mapping(bytes32 => bool) public released;
    mapping(address => bool) public watcher;

    event Locked(address indexed from, address indexed farSide, uint256 amount, uint256 nonce, uint8 lane);
    event Confirmed(bytes32 indexed key, address validator);
    event Released(address indexed to, uint256 amount, uint256 farNonce);
    event Alert(address indexed watcher, bytes32 note);

    constructor(address second, address third) {
        require(second != address(0) && third != address(0), "zero");
        require(second != third && second != msg.sender && third != msg.sender, "twice");
        validators = [msg.sender, second, third];
    }

    function lock(address farSide) external payable {
        require(msg.value > 0 && farSide != address(0), "nothing");
        locked += msg.value;
        uint256 nonce = sent++;
        // the lane is a hint for relayers and goes round; messages are told apart by the nonce
        uint8 lane = uint8(nonce);
        unchecked {
            lane = lane * 5 + 251;
        }
        emit Locked(msg.sender, farSide, msg.value, nonce, lane);
    }

    function release(address to, uint256 amount, uint256 farNonce) external {
        uint8 bit = _bit(msg.sender);
        require(bit != 0, "not a validator");
        require(to != address(0) && to != address(this), "to");
        bytes32 key = keccak256(abi.encode(to, amount, farNonce));
        require(!released[key], "released");
        uint8 mask = confirmations[key] | bit;
        confirmations[key] = mask;
        emit Confirmed(key, msg.sender);
        // with one confirmation only, or too little ether yet, a validator calls again later
        if (mask == 1 || mask == 2 || mask == 4 || amount > locked) return;
        released[key] = true;
        unchecked {
            locked -= amount;
        }
        credit[to] += amount;
        emit Released(to, amount, farNonce);
    }

    /// Anybody may call himself a watcher: all he can do is to speak up.
    function becomeWatcher() external {
        watcher[msg.sender] = true;
    }

    function alert(bytes32 note) external {
        require(watcher[msg.sender], "not a watcher");
        emit Alert(msg.sender, note);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function _bit(address who) private view returns (uint8) {
        if (who == validators[0]) return 1;
        if (who == validators[1]) return 2;
        return who == validators[2] ? 4 : 0;
    }
}
