// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {CreditDollar} from "./Tokens.sol";
import {IInsurance} from "./Interfaces.sol";
import {Units} from "./Units.sol";

/// @notice Backers' dollars that cover losses. They earn a part of the interest and leave through a weekly queue.
contract InsuranceFund is IInsurance, ModuleBase, ReentrancyGuard {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;

    uint256 internal constant VIRTUAL_SHARES = 1e3;
    uint256 public constant MIN_DEPOSIT = 1e15;

    struct Request {
        uint256 shares;
        uint64 week;
    }

    CreditDollar public immutable dollar;

    uint256 public totalAssets;
    uint256 public totalShares;
    uint256 public queuedShares;
    uint256 public coveredTotal;
    mapping(address => uint256) public sharesOf;
    mapping(address => Request) internal _requests;

    event Backed(address indexed account, uint256 assets, uint256 shares);
    event ExitQueued(address indexed account, uint256 shares, uint256 week);
    event ExitCancelled(address indexed account, uint256 shares);
    event Exited(address indexed account, uint256 shares, uint256 assets);
    event Covered(uint256 wanted, uint256 covered);

    constructor(CreditDollar dollar_) {
        dollar = dollar_;
    }

    function deposit(uint256 assets) external nonReentrant returns (uint256 shares) {
        require(assets >= MIN_DEPOSIT, "fund: small");
        shares = convertToShares(assets);
        require(shares > 0, "fund: shares");
        totalAssets += assets;
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        ERC20(dollar).safeTransferFrom(msg.sender, address(this), assets);
        emit Backed(msg.sender, assets, shares);
    }

    /// @notice Queues shares; they stay exposed to losses until they are claimed in a later week.
    function requestExit(uint256 shares) external nonReentrant {
        Request storage r = _requests[msg.sender];
        require(shares > 0, "fund: shares");
        require(sharesOf[msg.sender] >= r.shares + shares, "fund: balance");
        r.shares += shares;
        r.week = uint64(Units.weekOf(block.timestamp));
        queuedShares += shares;
        emit ExitQueued(msg.sender, shares, r.week);
    }

    function cancelExit(uint256 shares) external nonReentrant {
        Request storage r = _requests[msg.sender];
        require(shares > 0, "fund: shares");
        require(r.shares >= shares, "fund: queued");
        r.shares -= shares;
        _unqueue(shares);
        emit ExitCancelled(msg.sender, shares);
    }

    function claimExit() external nonReentrant returns (uint256 assets) {
        Request storage r = _requests[msg.sender];
        uint256 shares = r.shares;
        require(shares > 0, "fund: nothing");
        require(Units.weekOf(block.timestamp) > r.week, "fund: week");
        assets = convertToAssets(shares);
        r.shares = 0;
        queuedShares -= shares;
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        totalAssets -= assets;
        ERC20(dollar).safeTransfer(msg.sender, assets);
        emit Exited(msg.sender, shares, assets);
    }

    function onPremium(uint256 amount) external onlyModule {
        totalAssets += amount;
    }

    function cover(uint256 amount) external onlyModule returns (uint256 covered) {
        covered = Units.min(amount, totalAssets);
        totalAssets -= covered;
        coveredTotal += covered;
        if (covered > 0) dollar.burn(address(this), covered);
        emit Covered(amount, covered);
    }

    function _unqueue(uint256 shares) internal virtual {
        queuedShares -= shares;
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets.mulDivDown(totalShares + VIRTUAL_SHARES, totalAssets + 1);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares.mulDivDown(totalAssets + 1, totalShares + VIRTUAL_SHARES);
    }

    function requestOf(address account) external view returns (Request memory) {
        return _requests[account];
    }
}
