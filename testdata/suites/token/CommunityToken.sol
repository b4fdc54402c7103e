// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A token with permit that counts its holders on chain, as a quorum by heads needs it.
contract CommunityToken is ERC20, ERC20Permit, Ownable {
    /// How many accounts have a balance above zero.
    uint256 public holders;

    constructor() ERC20("Community", "COM") ERC20Permit("Community") Ownable(msg.sender) {}

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }

    function _update(address from, address to, uint256 value) internal virtual override {
        if (value != 0 && to != address(0) && balanceOf(to) == 0) holders++;
        super._update(from, to, value);
        if (value != 0 && from != address(0) && balanceOf(from) == 0) holders--;
    }
}

/// Bug: both ends are counted before the balances move, so an account that sends its whole balance to itself is
/// counted out and never in again.
contract CommunityTokenBug is CommunityToken {
    function _update(address from, address to, uint256 value) internal override {
        if (value != 0) {
            if (from != address(0) && balanceOf(from) == value) holders--;
            if (to != address(0) && balanceOf(to) == 0) holders++;
        }
        ERC20._update(from, to, value);
    }
}
