// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;
import {ERC20} from "solady/tokens/ERC20.sol";
import {ERC4626} from "solady/tokens/ERC4626.sol";
import {OwnableRoles} from "solady/auth/OwnableRoles.sol";

contract DayVault is ERC4626 {
    address internal immutable token;
    constructor(address asset_) { token = asset_; }
    function asset() public view override returns (address) { return token; }
    function name() public pure override returns (string memory) { return "Vault"; }
    function symbol() public pure override returns (string memory) { return "vD"; }
}
contract DayCoin is ERC20 {
    function name() public pure override returns (string memory) { return "Coin"; }
    function symbol() public pure override returns (string memory) { return "C"; }
    function mint(address to, uint256 amount) external { _mint(to, amount); }
    function burn(uint256 amount) external { _burn(msg.sender, amount); }
}
contract DayRoles is OwnableRoles {
    constructor(address owner_) { _initializeOwner(owner_); }
}
