// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {ModuleBase} from "./ModuleBase.sol";

/// @notice The dollar that credit lines draw. Modules mint and burn it.
contract CreditDollar is ERC20, ModuleBase {
    constructor() ERC20("Clearinghouse Dollar", "chUSD", 18) {}

    function mint(address to, uint256 amount) external onlyModule {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external onlyModule {
        _burn(from, amount);
    }
}

/// @notice The protocol's token, of fixed supply.
contract ClearToken is ERC20 {
    constructor(address holder, uint256 supply) ERC20("Clear", "CLR", 18) {
        _mint(holder, supply);
    }
}

/// @notice A plain token used as collateral.
contract CollateralToken is ERC20 {
    address public immutable minter;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_, decimals_) {
        minter = msg.sender;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter, "token: minter");
        _mint(to, amount);
    }
}
