// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20 as OpenZeppelinERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC20} from "solady/tokens/ERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

contract PairToken is OpenZeppelinERC20 {
    constructor(string memory symbol) OpenZeppelinERC20(symbol, symbol) {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// A constant-product pair with a fee of 0.3 percent, of which a sixth goes to the protocol while its fee is on. The
/// protocol's part is minted as shares when liquidity changes, for the growth since the last such change.
contract Pair is ERC20 {
    using SafeERC20 for IERC20;
    using FixedPointMathLib for uint256;

    uint256 private constant LOCKED_SHARES = 1000;

    IERC20 public immutable token0;
    IERC20 public immutable token1;
    address public immutable governor;

    address public feeTo;
    uint256 public reserve0;
    uint256 public reserve1;
    /// Product of the reserves after the last change of liquidity with the fee on.
    uint256 public kLast;

    constructor(IERC20 token0_, IERC20 token1_) {
        (token0, token1, governor) = (token0_, token1_, msg.sender);
    }

    function name() public pure override returns (string memory) {
        return "Pair Share";
    }

    function symbol() public pure override returns (string memory) {
        return "PAIR";
    }

    function setFeeTo(address feeTo_) external {
        require(msg.sender == governor, "not the governor");
        feeTo = feeTo_;
    }

    function addLiquidity(uint256 amount0, uint256 amount1, address to) external returns (uint256 shares) {
        _mintProtocolFee();
        uint256 supply = totalSupply();
        if (supply == 0) {
            shares = (amount0 * amount1).sqrt() - LOCKED_SHARES;
            _mint(address(0xdead), LOCKED_SHARES);
        } else {
            shares = (amount0 * supply / reserve0).min(amount1 * supply / reserve1);
        }
        require(shares != 0, "no shares");
        token0.safeTransferFrom(msg.sender, address(this), amount0);
        token1.safeTransferFrom(msg.sender, address(this), amount1);
        _mint(to, shares);
        _setReserves(reserve0 + amount0, reserve1 + amount1);
        _noteK();
    }

    function removeLiquidity(uint256 shares, address to) external returns (uint256 amount0, uint256 amount1) {
        _mintProtocolFee();
        uint256 supply = totalSupply();
        (amount0, amount1) = (shares * reserve0 / supply, shares * reserve1 / supply);
        _burn(msg.sender, shares);
        _setReserves(reserve0 - amount0, reserve1 - amount1);
        _noteK();
        token0.safeTransfer(to, amount0);
        token1.safeTransfer(to, amount1);
    }

    function swap(bool zeroForOne, uint256 amountIn, address to) external returns (uint256 amountOut) {
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 afterFee = amountIn * 997;
        amountOut = afterFee * reserveOut / (reserveIn * 1000 + afterFee);
        (IERC20 tokenIn, IERC20 tokenOut) = zeroForOne ? (token0, token1) : (token1, token0);
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        (reserveIn, reserveOut) = (reserveIn + amountIn, reserveOut - amountOut);
        if (zeroForOne) _setReserves(reserveIn, reserveOut);
        else _setReserves(reserveOut, reserveIn);
        tokenOut.safeTransfer(to, amountOut);
    }

    function _setReserves(uint256 reserve0_, uint256 reserve1_) private {
        (reserve0, reserve1) = (reserve0_, reserve1_);
    }

    function _mintProtocolFee() private {
        if (feeTo == address(0)) return _forgetK();
        if (kLast == 0) return;
        uint256 root = (reserve0 * reserve1).sqrt();
        uint256 rootLast = kLast.sqrt();
        if (root <= rootLast) return;
        _mint(feeTo, totalSupply() * (root - rootLast) / (root * 5 + rootLast));
    }

    function _noteK() private {
        if (feeTo != address(0)) kLast = reserve0 * reserve1;
    }

    /// Growth while the fee is off belongs to the providers alone.
    function _forgetK() internal virtual {
        kLast = 0;
    }
}

/// Bug: the old product is kept while the fee is off, so that the protocol is paid for all growth of that time, new
/// deposits included, when the fee is turned on again.
contract PairBug is Pair {
    constructor(IERC20 token0_, IERC20 token1_) Pair(token0_, token1_) {}

    function _forgetK() internal override {}
}
