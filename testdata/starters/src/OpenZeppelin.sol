// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

contract Coin is ERC20 {
    constructor() ERC20("Coin", "COIN") {}
    function mint(address to, uint256 amount) external { _mint(to, amount); }
}
contract CappedCoin is ERC20Capped, ERC20Burnable, Ownable {
    constructor(address owner, uint256 cap) ERC20("Capped", "CAP") ERC20Capped(cap) Ownable(owner) {}
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) { super._update(from, to, value); }
}
contract OzVault is ERC4626 {
    constructor(IERC20 asset) ERC4626(asset) ERC20("Vault", "vC") {}
}
contract OzNft is ERC721, Ownable {
    uint256 public next;
    constructor(address owner) ERC721("Nft", "NFT") Ownable(owner) {}
    function mint(address to) external onlyOwner returns (uint256 id) { id = next++; _mint(to, id); }
    function burn(uint256 id) external { _update(address(0), id, msg.sender); }
}
contract OzMulti is ERC1155 {
    constructor() ERC1155("uri") {}
    function mint(address to, uint256 id, uint256 amount) external { _mint(to, id, amount, ""); }
    function burn(address from, uint256 id, uint256 amount) external { require(from == msg.sender); _burn(from, id, amount); }
}
contract Vesting is VestingWallet {
    constructor(address beneficiary, uint64 start, uint64 duration) VestingWallet(beneficiary, start, duration) payable {}
}
contract Timelock is TimelockController {
    constructor(uint256 minDelay, address[] memory proposers, address[] memory executors, address admin) TimelockController(minDelay, proposers, executors, admin) {}
}
