// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @notice Ownership and the list of sibling modules that may call restricted functions.
abstract contract ModuleBase is Ownable {
    mapping(address => bool) public isModule;

    event ModuleSet(address indexed module, bool allowed);

    error NotModule(address caller);

    constructor() Ownable(msg.sender) {}

    modifier onlyModule() {
        if (!isModule[msg.sender]) revert NotModule(msg.sender);
        _;
    }

    function setModule(address module, bool allowed) external onlyOwner {
        require(module != address(0), "module: zero");
        isModule[module] = allowed;
        emit ModuleSet(module, allowed);
    }
}
