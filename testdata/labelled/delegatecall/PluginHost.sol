// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Whoever calls names the code that runs on the storage of the host.
/// @custom:vulnerable delegatecall run(address,bytes)
contract PluginHostBad {
    address public owner = msg.sender;
    mapping(address => bool) public approved;
    mapping(bytes32 => bytes32) internal settings;
    uint256 public runs;

    event Ran(address indexed plugin, bytes result);

    function approve(address plugin, bool yes) external {
        require(msg.sender == owner, "owner only");
        approved[plugin] = yes;
    }

    function settingOf(bytes32 key) external view returns (bytes32) {
        return settings[key];
    }

    function run(address plugin, bytes calldata data) external returns (bytes memory) {
        require(plugin.code.length > 0, "no code");
        runs += 1;
        (bool ok, bytes memory result) = plugin.delegatecall(data);
        require(ok, "plugin failed");
        emit Ran(plugin, result);
        return result;
    }
}

/// Only plugins that the owner has approved run.
/// @custom:safe
contract PluginHostGood {
    address public owner = msg.sender;
    mapping(address => bool) public approved;
    mapping(bytes32 => bytes32) internal settings;
    uint256 public runs;

    event Ran(address indexed plugin, bytes result);

    function approve(address plugin, bool yes) external {
        require(msg.sender == owner, "owner only");
        approved[plugin] = yes;
    }

    function settingOf(bytes32 key) external view returns (bytes32) {
        return settings[key];
    }

    function run(address plugin, bytes calldata data) external returns (bytes memory) {
        require(approved[plugin], "not approved");
        runs += 1;
        (bool ok, bytes memory result) = plugin.delegatecall(data);
        require(ok, "plugin failed");
        emit Ran(plugin, result);
        return result;
    }
}
