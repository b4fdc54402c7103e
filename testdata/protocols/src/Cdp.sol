// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "solady/auth/Ownable.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {PriceFeed} from "./cdp/PriceFeed.sol";
import {SortedList} from "./cdp/SortedList.sol";
import {StabilityPool} from "./cdp/StabilityPool.sol";

/// @notice Stablecoins against one collateral. Positions are sorted by collateral ratio; redemptions take from the
/// lowest. Liquidated debt goes to the stability pool first, the rest to the other positions.
contract Cdp is Ownable, SortedList, StabilityPool {
    using FixedPointMathLib for uint256;

    /// Collateral is kept in shares of a growing index; redistributed debt is added when a position is touched.
    struct Position {
        uint256 shares;
        uint256 debt;
        uint256 debtIndex;
    }

    uint256 internal constant WAD = 1e18;
    uint256 public constant MCR = 1.1e18;
    uint256 public constant MIN_OPEN_RATIO = 1.15e18;
    uint256 public constant SYSTEM_RATIO = 1.25e18;
    uint256 public constant MIN_DEBT = 500e18;
    uint256 public constant FEE_FLOOR = 0.005e18;
    uint256 public constant MAX_BORROW_FEE = 0.05e18;
    uint256 public constant MINUTE_DECAY = 999037758833783388471717720;
    uint256 public constant BOOTSTRAP = 3 days;
    uint256 public constant LIQUIDATOR_SHARE = 200;

    PriceFeed public immutable feed;
    address public immutable feeReceiver;
    uint256 public immutable redeemableFrom;

    uint256 public debtCeiling;
    uint256 public totalShares;
    uint256 public totalCollateral;
    uint256 public totalDebt;
    uint256 public totalSurplus;
    uint256 public collIndex = RAY;
    uint256 public debtIndex;
    uint256 public baseRate;
    uint256 public rateUpdatedAt;

    mapping(address owner => Position) public positions;
    mapping(address owner => uint256) public surplusOf;

    event Opened(address indexed owner, uint256 collateral, uint256 debt);
    event Adjusted(address indexed owner, uint256 collateral, uint256 debt);
    event Closed(address indexed owner);
    event Liquidated(address indexed owner, uint256 collateral, uint256 debt, uint256 offset);
    event Redistributed(uint256 collateral, uint256 debt);
    event Redeemed(address indexed redeemer, uint256 amount, uint256 collateral, uint256 fee);

    error ActivePosition();
    error NoPosition();
    error RatioTooLow();
    error SystemRatioTooLow();
    error DebtTooLow();
    error Ceiling();
    error LastPosition();
    error Healthy();
    error Bootstrap();
    error NothingRedeemed();
    error ZeroAmount();

    constructor(address collateral_, PriceFeed feed_, address feeReceiver_, uint256 ceiling)
        StabilityPool(collateral_)
    {
        _initializeOwner(msg.sender);
        feed = feed_;
        feeReceiver = feeReceiver_;
        debtCeiling = ceiling;
        redeemableFrom = block.timestamp + BOOTSTRAP;
        rateUpdatedAt = block.timestamp;
    }

    function setDebtCeiling(uint256 ceiling) external onlyOwner {
        debtCeiling = ceiling;
    }

    // ---- positions

    function open(uint256 coll, uint256 amount, address hint) external {
        if (inList[msg.sender]) revert ActivePosition();
        Position storage p = positions[msg.sender];
        p.debtIndex = debtIndex;
        _pullCollateral(msg.sender, coll);
        _drawDebt(msg.sender, amount);
        _checkOwner(msg.sender, hint, MIN_OPEN_RATIO);
        emit Opened(msg.sender, coll, p.debt);
    }

    function addCollateral(uint256 coll, address hint) external {
        _begin(msg.sender);
        if (coll == 0) revert ZeroAmount();
        _pullCollateral(msg.sender, coll);
        _place(msg.sender, hint);
    }

    function withdrawCollateral(uint256 coll, address hint) external {
        _begin(msg.sender);
        if (coll == 0) revert ZeroAmount();
        _takeShares(msg.sender, coll);
        totalCollateral -= coll;
        _checkOwner(msg.sender, hint, MIN_OPEN_RATIO);
        SafeTransferLib.safeTransfer(collateral, msg.sender, coll);
    }

    function borrow(uint256 amount, address hint) external {
        _begin(msg.sender);
        if (amount == 0) revert ZeroAmount();
        _drawDebt(msg.sender, amount);
        _checkOwner(msg.sender, hint, MIN_OPEN_RATIO);
    }

    function repay(uint256 amount, address hint) external {
        _begin(msg.sender);
        Position storage p = positions[msg.sender];
        if (amount == 0) revert ZeroAmount();
        if (amount + MIN_DEBT > p.debt) revert DebtTooLow();
        p.debt -= amount;
        totalDebt -= amount;
        stable.burn(msg.sender, amount);
        _place(msg.sender, hint);
    }

    function close() external {
        _begin(msg.sender);
        if (listSize == 0) revert LastPosition();
        Position memory p = positions[msg.sender];
        uint256 coll = collateralOf(msg.sender);
        _wipe(msg.sender);
        totalCollateral -= coll;
        totalDebt -= p.debt;
        if (systemRatio() < SYSTEM_RATIO) revert SystemRatioTooLow();
        stable.burn(msg.sender, p.debt);
        emit Closed(msg.sender);
        SafeTransferLib.safeTransfer(collateral, msg.sender, coll);
    }

    function claimSurplus() external {
        uint256 amount = surplusOf[msg.sender];
        if (amount == 0) revert ZeroAmount();
        delete surplusOf[msg.sender];
        totalSurplus -= amount;
        SafeTransferLib.safeTransfer(collateral, msg.sender, amount);
    }

    /// @dev Takes the owner out of the list and adds its part of the redistributed debt.
    function _begin(address owner) internal {
        if (!inList[owner]) revert NoPosition();
        _remove(owner);
        Position storage p = positions[owner];
        p.debt = debtOf(owner);
        p.debtIndex = debtIndex;
    }

    function _place(address owner, address hint) internal {
        _insert(owner, _key(owner), hint);
        emit Adjusted(owner, collateralOf(owner), positions[owner].debt);
    }

    function _checkOwner(address owner, address hint, uint256 minRatio) internal {
        if (positions[owner].debt < MIN_DEBT) revert DebtTooLow();
        _place(owner, hint);
        if (ratioOf(owner) < minRatio) revert RatioTooLow();
        if (systemRatio() < SYSTEM_RATIO) revert SystemRatioTooLow();
    }

    function _pullCollateral(address owner, uint256 coll) internal {
        uint256 shares = coll.fullMulDiv(RAY, collIndex);
        positions[owner].shares += shares;
        totalShares += shares;
        totalCollateral += coll;
        SafeTransferLib.safeTransferFrom(collateral, owner, address(this), coll);
    }

    function _takeShares(address owner, uint256 coll) internal {
        uint256 shares = coll.fullMulDivUp(RAY, collIndex);
        positions[owner].shares -= shares;
        totalShares -= shares;
    }

    function _drawDebt(address owner, uint256 amount) internal {
        _decayRate();
        uint256 fee = amount * (FEE_FLOOR + baseRate).min(MAX_BORROW_FEE) / WAD;
        positions[owner].debt += amount + fee;
        totalDebt += amount + fee;
        if (totalDebt > debtCeiling) revert Ceiling();
        stable.mint(owner, amount);
        stable.mint(feeReceiver, fee);
    }

    function _wipe(address owner) internal {
        totalShares -= positions[owner].shares;
        delete positions[owner];
    }

    // ---- liquidation

    function liquidate(address owner) external {
        if (!inList[owner]) revert NoPosition();
        if (ratioOf(owner) >= MCR) revert Healthy();
        _begin(owner);
        if (listSize == 0) revert LastPosition();
        uint256 debt = positions[owner].debt;
        uint256 coll = collateralOf(owner);
        _wipe(owner);
        uint256 reward = coll / LIQUIDATOR_SHARE;
        totalCollateral -= coll;
        coll -= reward;

        uint256 offset = _absorbable(debt);
        emit Liquidated(owner, coll, debt, offset);
        if (offset != 0) {
            uint256 part = coll.fullMulDiv(offset, debt);
            _offset(offset, part);
            totalDebt -= offset;
            debt -= offset;
            coll -= part;
        }
        if (debt != 0) _redistribute(debt, coll);
        SafeTransferLib.safeTransfer(collateral, msg.sender, reward);
    }

    function _redistribute(uint256 debt, uint256 coll) internal {
        collIndex = collIndex.fullMulDiv(totalCollateral + coll, totalCollateral);
        totalCollateral += coll;
        debtIndex += debt.fullMulDiv(RAY, totalShares);
        emit Redistributed(coll, debt);
    }

    // ---- redemption

    /// @notice Burns stablecoins for collateral at the price, from the positions with the lowest ratio.
    function redeem(uint256 amount) external {
        if (block.timestamp < redeemableFrom) revert Bootstrap();
        uint256 price = feed.price();
        if (systemRatio() < MCR) revert SystemRatioTooLow();
        address owner = tail;
        while (owner != address(0) && ratioOf(owner) < MCR) {
            owner = prevOf[owner];
        }
        uint256 left = amount;
        uint256 drawn;
        while (owner != address(0) && left != 0) {
            address above = prevOf[owner];
            (uint256 paid, uint256 lot) = _redeemFrom(owner, left, price);
            if (paid == 0) break;
            left -= paid;
            drawn += lot;
            if (inList[owner]) break;
            owner = above;
        }
        uint256 redeemed = amount - left;
        if (redeemed == 0 || drawn == 0) revert NothingRedeemed();

        _decayRate();
        baseRate = (baseRate + redeemed * WAD / (2 * stable.totalSupply())).min(WAD / 2);
        uint256 fee = drawn * (FEE_FLOOR + baseRate).min(WAD) / WAD;
        totalDebt -= redeemed;
        stable.burn(msg.sender, redeemed);
        emit Redeemed(msg.sender, redeemed, drawn, fee);
        SafeTransferLib.safeTransfer(collateral, msg.sender, drawn - fee);
        SafeTransferLib.safeTransfer(collateral, feeReceiver, fee);
    }

    function _redeemFrom(address owner, uint256 left, uint256 price) internal returns (uint256 paid, uint256 lot) {
        uint256 debt = debtOf(owner);
        if (left >= debt && listSize > 1) {
            lot = debt * WAD / price;
            uint256 coll = collateralOf(owner);
            _begin(owner);
            _wipe(owner);
            _leaveSurplus(owner, coll, lot);
            emit Closed(owner);
            return (debt, lot);
        }
        paid = left.min(debt.zeroFloorSub(MIN_DEBT));
        if (paid == 0) return (0, 0);
        lot = paid * WAD / price;
        _begin(owner);
        positions[owner].debt -= paid;
        _takeShares(owner, lot);
        totalCollateral -= lot;
        _place(owner, address(0));
    }

    /// @dev The owner of a redeemed position keeps what is above its debt.
    function _leaveSurplus(address owner, uint256 coll, uint256 lot) internal virtual {
        totalCollateral -= coll;
        surplusOf[owner] += coll - lot;
        totalSurplus += coll - lot;
    }

    /// @dev The base rate halves every twelve hours, counted in whole minutes.
    function _decayRate() internal {
        uint256 passed = (block.timestamp - rateUpdatedAt) / 1 minutes;
        if (passed == 0) return;
        baseRate = currentRate();
        rateUpdatedAt += passed * 1 minutes;
    }

    // ---- views

    function currentRate() public view returns (uint256) {
        uint256 passed = (block.timestamp - rateUpdatedAt) / 1 minutes;
        return baseRate * FixedPointMathLib.rpow(MINUTE_DECAY, passed, RAY) / RAY;
    }

    function collateralOf(address owner) public view returns (uint256) {
        return positions[owner].shares.fullMulDiv(collIndex, RAY);
    }

    function debtOf(address owner) public view returns (uint256) {
        Position storage p = positions[owner];
        return p.debt + p.shares.fullMulDiv(debtIndex - p.debtIndex, RAY);
    }

    function ratioOf(address owner) public view returns (uint256) {
        return collateralOf(owner) * feed.price() / debtOf(owner);
    }

    function systemRatio() public view returns (uint256) {
        return totalDebt == 0 ? type(uint256).max : totalCollateral * feed.price() / totalDebt;
    }

    /// @dev All positions share the collateral index, so shares by debt keep the order.
    function _key(address owner) internal view virtual override returns (uint256) {
        return positions[owner].shares.fullMulDiv(RAY, debtOf(owner));
    }
}
