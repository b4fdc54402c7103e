// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";

contract YieldAsset is ERC20 {
    constructor() ERC20("Yield Asset", "YA", 18) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// Bug: the vault as solmate gives it. Whoever deposits first can take one wei of shares and then donate, so that the
/// next depositor's shares are rounded down by up to half of what he pays.
contract YieldVaultBug is ERC4626 {
    constructor(ERC20 asset_) ERC4626(asset_, "Yield Vault", "yvYA") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}

/// The remedy: a million virtual shares and one virtual asset in every conversion.
contract YieldVault is YieldVaultBug {
    using FixedPointMathLib for uint256;

    uint256 private constant VIRTUAL_SHARES = 1e6;

    constructor(ERC20 asset_) YieldVaultBug(asset_) {}

    function convertToShares(uint256 assets) public view override returns (uint256) {
        return assets.mulDivDown(totalSupply + VIRTUAL_SHARES, totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public view override returns (uint256) {
        return shares.mulDivDown(totalAssets() + 1, totalSupply + VIRTUAL_SHARES);
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        return shares.mulDivUp(totalAssets() + 1, totalSupply + VIRTUAL_SHARES);
    }

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return assets.mulDivUp(totalSupply + VIRTUAL_SHARES, totalAssets() + 1);
    }
}
