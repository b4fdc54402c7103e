// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract NameRegistry {
    mapping(bytes32 => address) public ownerOf;

    event Registered(bytes32 indexed name, address indexed owner);

    function register(bytes32 name, address owner) external {
        require(name != 0, "no name");
        require(ownerOf[name] == address(0), "taken");
        ownerOf[name] = owner;
        emit Registered(name, owner);
    }
}

/// The desk passes on names that are taken already, which the registry refuses.
/// @custom:vulnerable requirement-violation claim(bytes32)
contract NameDeskBad {
    NameRegistry public immutable registry;
    uint256 public served;

    constructor(NameRegistry registry_) {
        registry = registry_;
    }

    function claim(bytes32 name) external {
        require(name != 0, "say a name");
        served += 1;
        registry.register(name, msg.sender);
    }

    function isMine(bytes32 name) external view returns (bool) {
        return registry.ownerOf(name) == msg.sender;
    }
}

/// The desk asks the registry first.
/// @custom:safe
contract NameDeskGood {
    NameRegistry public immutable registry;
    uint256 public served;

    constructor(NameRegistry registry_) {
        registry = registry_;
    }

    function claim(bytes32 name) external {
        require(name != 0, "say a name");
        require(registry.ownerOf(name) == address(0), "ask for another name");
        served += 1;
        registry.register(name, msg.sender);
    }

    function isMine(bytes32 name) external view returns (bool) {
        return registry.ownerOf(name) == msg.sender;
    }
}
