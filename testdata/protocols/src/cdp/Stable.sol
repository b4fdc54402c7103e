// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";

/// @notice The stablecoin: minted and burned by the position manager.
contract Stable is ERC20("Harbour Dollar", "HUSD", 18) {
    address public immutable manager;

    error NotManager();

    modifier onlyManager() {
        if (msg.sender != manager) revert NotManager();
        _;
    }

    constructor(address manager_) {
        manager = manager_;
    }

    function mint(address to, uint256 amount) external onlyManager {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external onlyManager {
        _burn(from, amount);
    }
}
