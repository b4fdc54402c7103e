// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Representation of a token of the other chain. Only the bridge mints and burns.
contract BridgedToken is ERC20 {
    error OnlyBridge();

    address public immutable bridge;
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address bridge_) ERC20(name_, symbol_) {
        bridge = bridge_;
        _decimals = decimals_;
    }

    modifier onlyBridge() {
        if (msg.sender != bridge) revert OnlyBridge();
        _;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external onlyBridge {
        _mint(to, amount);
    }

    function burn(uint256 amount) external onlyBridge {
        _burn(msg.sender, amount);
    }
}
