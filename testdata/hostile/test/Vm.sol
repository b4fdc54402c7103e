// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assume(bool condition) external pure;
    function blobBaseFee(uint256 fee) external;
    function copyStorage(address from, address to) external;
    function createFork(string calldata url) external returns (uint256);
    function deal(address account, uint256 balance) external;
    function deriveKey(string calldata mnemonic, uint32 index) external pure returns (uint256);
    function dumpState(string calldata path) external;
    function envOr(string calldata name, string calldata otherwise) external view returns (string memory);
    function eip712HashStruct(string calldata kind, bytes calldata data) external pure returns (bytes32);
    function eip712HashTypedData(string calldata json) external pure returns (bytes32);
    function envString(string calldata name) external view returns (string memory);
    function envString(string calldata name, string calldata delimiter) external view returns (string[] memory);
    function envUint(string calldata name, string calldata delimiter) external view returns (uint256[] memory);
    function etch(address account, bytes calldata code) external;
    function executeTransaction(bytes calldata transaction) external returns (bytes memory);
    function expectRevert() external;
    function ffi(string[] calldata command) external returns (bytes memory);
    function getCode(string calldata artifact) external view returns (bytes memory);
    function label(address account, string calldata name) external;
    function loadAllocs(string calldata path) external;
    function mockCall(address callee, bytes calldata data, bytes calldata result) external;
    function parseJson(string calldata json) external pure returns (bytes memory);
    function parseJson(string calldata json, string calldata path) external pure returns (bytes memory);
    function parseToml(string calldata toml) external pure returns (bytes memory);
    function pauseGasMetering() external;
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function rememberKeys(string calldata mnemonic, string calldata path, uint32 count)
        external
        returns (address[] memory);
    function removeFile(string calldata path) external;
    function replace(string calldata text, string calldata from, string calldata to)
        external
        pure
        returns (string memory);
    function resolveEnv(string calldata text) external returns (string memory);
    function roll(uint256 number) external;
    function rpc(string calldata url, string calldata method, string calldata params) external returns (bytes memory);
    function serializeJsonType(string calldata kind, bytes calldata value) external pure returns (string memory);
    function setEnv(string calldata name, string calldata value) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8, bytes32, bytes32);
    function skip(bool skipped, string calldata reason) external;
    function sleep(uint256 milliseconds) external;
    function snapshotState() external returns (uint256);
    function split(string calldata text, string calldata delimiter) external pure returns (string[] memory);
    function startBroadcast() external;
    function store(address account, bytes32 slot, bytes32 value) external;
    function toString(bytes calldata value) external pure returns (string memory);
    function toRlp(bytes[] calldata data) external pure returns (bytes memory);
    function warp(uint256 timestamp) external;
    function writeFile(string calldata path, string calldata data) external;
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
address constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;

/// A suite whose only invariant holds, and whose only target is the contract itself that attacks.
abstract contract Hostile {
    function targetContracts() external view virtual returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function invariant_holds() external virtual {}
}

/// A power of huge numbers, which takes minutes where the gas suffices for it (before Osaka), and nothing can interrupt it.
library Power {
    function raise(uint256 size) internal view {
        bytes memory input = abi.encodePacked(size, size, size, new bytes(3 * size));
        for (uint256 i = 96; i < input.length; i++) {
            input[i] = 0xff;
        }
        assembly {
            pop(staticcall(gas(), 5, add(input, 32), mload(input), 0, 0))
        }
    }
}
