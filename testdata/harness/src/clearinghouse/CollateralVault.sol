// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {IPriceFeed, ILines, IVault} from "./Interfaces.sol";
import {Units} from "./Units.sol";

/// @notice Holds the collateral tokens and the balance of each account.
contract CollateralVault is IVault, ModuleBase, ReentrancyGuard {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;

    struct Asset {
        ERC20 token;
        uint256 unit;
        uint256 cap;
        uint16 ltv;
        uint16 threshold;
        bool paused;
    }

    IPriceFeed public feed;
    ILines public lines;
    Asset[] internal _assets;
    mapping(address => mapping(uint8 => uint256)) internal _balance;
    mapping(address => uint8[]) internal _held;
    mapping(address => mapping(uint8 => uint256)) internal _heldSlot;
    mapping(uint8 => uint256) public totalOf;

    event Deposited(address indexed account, uint8 indexed asset, uint256 amount);
    event Withdrawn(address indexed account, uint8 indexed asset, uint256 amount, address to);
    event Moved(address indexed from, address indexed to, uint8 indexed asset, uint256 amount);
    event AssetListed(uint8 indexed asset, address token);

    function wire(IPriceFeed feed_, ILines lines_) external onlyOwner {
        require(address(lines) == address(0), "vault: wired");
        feed = feed_;
        lines = lines_;
    }

    function listAsset(ERC20 token, uint256 cap, uint16 ltv, uint16 threshold)
        external
        onlyOwner
        returns (uint8 asset)
    {
        require(_assets.length < 16, "vault: full");
        require(ltv < threshold && threshold < Units.BPS, "vault: ratios");
        asset = uint8(_assets.length);
        _assets.push(Asset(token, 10 ** token.decimals(), cap, ltv, threshold, false));
        emit AssetListed(asset, address(token));
    }

    function setPaused(uint8 asset, bool paused) external onlyOwner {
        _get(asset).paused = paused;
    }

    function setCap(uint8 asset, uint256 cap) external onlyOwner {
        _get(asset).cap = cap;
    }

    // Entry points

    function deposit(uint8 asset, uint256 amount, address onBehalf) external nonReentrant {
        _deposit(msg.sender, asset, amount, onBehalf);
    }

    function depositFrom(address payer, uint8 asset, uint256 amount, address account)
        external
        onlyModule
        nonReentrant
    {
        _deposit(payer, asset, amount, account);
    }

    function withdraw(uint8 asset, uint256 amount, address to) external nonReentrant {
        _withdraw(msg.sender, asset, amount, to);
    }

    function withdrawFor(address account, uint8 asset, uint256 amount, address to) external onlyModule nonReentrant {
        _withdraw(account, asset, amount, to);
    }

    function transferCollateral(address to, uint8 asset, uint256 amount) external nonReentrant {
        require(to != address(0), "vault: to");
        require(amount > 0, "vault: amount");
        require(!_get(asset).paused, "vault: paused");
        require(_balance[msg.sender][asset] >= amount, "vault: balance");
        _move(msg.sender, to, asset, amount);
        lines.checkHealth(msg.sender);
        emit Moved(msg.sender, to, asset, amount);
    }

    function moveCollateral(address from, address to, uint8 asset, uint256 amount) external onlyModule {
        require(from != to, "vault: same");
        require(_balance[from][asset] >= amount, "vault: balance");
        _move(from, to, asset, amount);
        emit Moved(from, to, asset, amount);
    }

    // Internals

    function _deposit(address payer, uint8 asset, uint256 amount, address account) internal {
        Asset storage a = _get(asset);
        require(!a.paused, "vault: paused");
        require(amount > 0, "vault: amount");
        require(account != address(0), "vault: account");
        require(totalOf[asset] + amount <= a.cap, "vault: cap");
        totalOf[asset] += amount;
        _setBalance(account, asset, _balance[account][asset] + amount);
        a.token.safeTransferFrom(payer, address(this), amount);
        emit Deposited(account, asset, amount);
    }

    function _withdraw(address account, uint8 asset, uint256 amount, address to) internal {
        Asset storage a = _get(asset);
        require(!a.paused, "vault: paused");
        require(amount > 0, "vault: amount");
        require(to != address(0) && to != address(this), "vault: to");
        require(_balance[account][asset] >= amount, "vault: balance");
        totalOf[asset] -= amount;
        _setBalance(account, asset, _balance[account][asset] - amount);
        lines.checkHealth(account);
        a.token.safeTransfer(to, amount);
        emit Withdrawn(account, asset, amount, to);
    }

    function _move(address from, address to, uint8 asset, uint256 amount) internal virtual {
        _setBalance(from, asset, _balance[from][asset] - amount);
        _setBalance(to, asset, _balance[to][asset] + amount);
    }

    /// @dev Writes a balance and keeps the account's list of held assets in step.
    function _setBalance(address account, uint8 asset, uint256 amount) internal {
        uint256 slot = _heldSlot[account][asset];
        _balance[account][asset] = amount;
        if (amount > 0 && slot == 0) {
            _held[account].push(asset);
            _heldSlot[account][asset] = _held[account].length;
        } else if (amount == 0 && slot != 0) {
            uint8[] storage held = _held[account];
            uint8 last = held[held.length - 1];
            if (last != asset) {
                held[slot - 1] = last;
                _heldSlot[account][last] = slot;
            }
            held.pop();
            delete _heldSlot[account][asset];
        }
    }

    function _get(uint8 asset) internal view returns (Asset storage) {
        require(asset < _assets.length, "vault: asset");
        return _assets[asset];
    }

    // Views

    function balanceOf(address account, uint8 asset) external view returns (uint256) {
        return _balance[account][asset];
    }

    function assetsOf(address account) external view returns (uint8[] memory) {
        return _held[account];
    }

    function assetCount() external view returns (uint256) {
        return _assets.length;
    }

    function assetInfo(uint8 asset) external view returns (Asset memory) {
        return _get(asset);
    }

    function unitOf(uint8 asset) external view returns (uint256) {
        return _get(asset).unit;
    }

    function collateralValue(address account) external view returns (uint256 sum) {
        uint8[] storage held = _held[account];
        for (uint256 i; i < held.length; ++i) {
            sum += _valueOf(account, held[i]);
        }
    }

    function borrowPower(address account) external view returns (uint256 sum) {
        uint8[] storage held = _held[account];
        for (uint256 i; i < held.length; ++i) {
            sum += _valueOf(account, held[i]).mulDivDown(_assets[held[i]].ltv, Units.BPS);
        }
    }

    function liquidationValue(address account) external view returns (uint256 sum) {
        uint8[] storage held = _held[account];
        for (uint256 i; i < held.length; ++i) {
            sum += _valueOf(account, held[i]).mulDivDown(_assets[held[i]].threshold, Units.BPS);
        }
    }

    function _valueOf(address account, uint8 asset) internal view returns (uint256) {
        return _balance[account][asset].mulDivDown(feed.price(asset), _assets[asset].unit);
    }
}
