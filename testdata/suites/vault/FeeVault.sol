// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

contract FeeVaultAsset is ERC20("Dollar", "USD") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}

/// A vault that keeps an exit fee for those who stay: whoever leaves pays a part of what is taken out.
contract FeeVault is ERC4626 {
    using Math for uint256;

    uint256 public constant EXIT_FEE_BPS = 10;

    constructor(IERC20 asset_) ERC4626(asset_) ERC20("Fee Vault", "fvUSD") {}

    function previewWithdraw(uint256 assets) public view virtual override returns (uint256) {
        return super.previewWithdraw(assets + _feeOn(assets));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewRedeem(shares);
        return assets - assets.mulDiv(EXIT_FEE_BPS, 10_000 + EXIT_FEE_BPS, Math.Rounding.Ceil);
    }

    function _feeOn(uint256 assets) internal pure returns (uint256) {
        return assets.mulDiv(EXIT_FEE_BPS, 10_000, Math.Rounding.Ceil);
    }
}

/// Bug: shares to burn are rounded in favour of the one who leaves.
contract FeeVaultBug is FeeVault {
    constructor(IERC20 asset_) FeeVault(asset_) {}

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return convertToShares(assets + assets * EXIT_FEE_BPS / 10_000);
    }
}
