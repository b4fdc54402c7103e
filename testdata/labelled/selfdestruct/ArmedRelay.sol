// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Anyone can arm the emergency stop and, having armed it, fire it.
/// @custom:vulnerable selfdestruct fire()
contract ArmedRelayBad {
    address private immutable deployer = msg.sender;
    address public guardian;
    address public armedBy;
    mapping(bytes32 => address) public relayedBy;
    uint256 public relayed;

    event Armed(address indexed by);
    event Relayed(bytes32 indexed message, address by);

    modifier ready() {
        require(guardian != address(0), "initialize first");
        _;
    }

    function initialize(address guardian_) external {
        require(msg.sender == deployer, "deployer only");
        require(guardian == address(0) && guardian_ != address(0), "once");
        guardian = guardian_;
    }

    function relay(bytes32 message) external ready {
        require(armedBy == address(0), "stopped");
        require(relayedBy[message] == address(0), "known");
        relayedBy[message] = msg.sender;
        relayed += 1;
        emit Relayed(message, msg.sender);
    }

    function arm() external ready {
        armedBy = msg.sender;
        emit Armed(msg.sender);
    }

    function fire() external ready {
        require(armedBy == msg.sender, "arm first");
        selfdestruct(payable(guardian));
    }
}

/// Only the guardian can arm it, and so only the guardian can fire it.
/// @custom:safe
contract ArmedRelayGood {
    address private immutable deployer = msg.sender;
    address public guardian;
    address public armedBy;
    mapping(bytes32 => address) public relayedBy;
    uint256 public relayed;

    event Armed(address indexed by);
    event Relayed(bytes32 indexed message, address by);

    modifier ready() {
        require(guardian != address(0), "initialize first");
        _;
    }

    function initialize(address guardian_) external {
        require(msg.sender == deployer, "deployer only");
        require(guardian == address(0) && guardian_ != address(0), "once");
        guardian = guardian_;
    }

    function relay(bytes32 message) external ready {
        require(armedBy == address(0), "stopped");
        require(relayedBy[message] == address(0), "known");
        relayedBy[message] = msg.sender;
        relayed += 1;
        emit Relayed(message, msg.sender);
    }

    function arm() external ready {
        require(msg.sender == guardian, "guardian only");
        armedBy = msg.sender;
        emit Armed(msg.sender);
    }

    function fire() external ready {
        require(armedBy == msg.sender, "arm first");
        selfdestruct(payable(guardian));
    }
}
