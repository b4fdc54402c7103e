// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;
import {ERC20} from "solmate/tokens/ERC20.sol";
import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {ERC721} from "solmate/tokens/ERC721.sol";
import {WETH} from "solmate/tokens/WETH.sol";
import {Owned} from "solmate/auth/Owned.sol";
import {Auth, Authority} from "solmate/auth/Auth.sol";
import {RolesAuthority} from "solmate/auth/authorities/RolesAuthority.sol";

contract MateCoin is ERC20 {
    constructor(string memory name, string memory symbol, uint8 decimals_) ERC20(name, symbol, decimals_) {}
    function mint(address to, uint256 amount) external { _mint(to, amount); }
    function burn(uint256 amount) external { _burn(msg.sender, amount); }
}
contract MateVault is ERC4626 {
    constructor(ERC20 asset_) ERC4626(asset_, "Vault", "vM") {}
    function totalAssets() public view override returns (uint256) { return asset.balanceOf(address(this)); }
}
contract MateNft is ERC721, Owned {
    uint256 public next = 1;
    constructor(address owner_) ERC721("Nft", "NFT") Owned(owner_) {}
    function tokenURI(uint256) public pure override returns (string memory) { return ""; }
    function mint(address to) external onlyOwner returns (uint256 id) { id = next++; _mint(to, id); }
    function burn(uint256 id) external { require(ownerOf(id) == msg.sender); _burn(id); }
}
contract MateWeth is WETH {}
contract MateRoles is RolesAuthority {
    constructor(address owner_, Authority authority_) RolesAuthority(owner_, authority_) {}
}
