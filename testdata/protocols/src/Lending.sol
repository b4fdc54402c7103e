// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// Price source: USD value of one whole token, in WAD.
interface ILendingOracle {
    function priceOf(address asset) external view returns (uint256);
}

interface IFlashBorrower {
    function onFlashLoan(address asset, uint256 amount, uint256 fee) external;
}

/// Pooled lending market. Balances are scaled by an index per side; interest follows a kinked utilisation curve.
contract Lending is AccessControl, Pausable, ReentrancyGuard {
    using SafeTransferLib for address;
    using FixedPointMathLib for uint256;

    bytes32 public constant RISK_ROLE = keccak256("RISK_ROLE");
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");

    uint256 internal constant RAY = 1e27;
    uint256 internal constant WAD = 1e18;
    uint256 internal constant BPS = 10_000;
    uint256 internal constant YEAR = 365 days;
    uint256 internal constant FLASH_FEE = 9;
    uint256 internal constant FLASH_TREASURY_SHARE = 3_000;
    uint256 internal constant LIQUIDATION_FEE = 1_000;
    uint256 internal constant CLOSE_FACTOR = 5_000;
    uint256 internal constant FULL_CLOSE_HEALTH = 0.95e18;
    uint256 internal constant MAX_ASSETS = 8;

    struct RateModel {
        uint256 base;
        uint256 slope1;
        uint256 slope2;
        uint256 optimal;
    }

    struct Config {
        uint256 ltv;
        uint256 threshold;
        uint256 bonus;
        uint256 reserveFactor;
        uint256 supplyCap;
        uint256 borrowCap;
    }

    struct Reserve {
        bool listed;
        uint256 unit;
        uint256 cash;
        uint256 supplyIndex;
        uint256 debtIndex;
        uint256 supplyRate;
        uint256 debtRate;
        uint256 scaledSupply;
        uint256 scaledDebt;
        uint256 treasury;
        uint256 deficit;
        uint256 lastUpdate;
    }

    ILendingOracle public immutable oracle;
    address public treasuryRecipient;
    address[] public assets;

    mapping(address asset => Reserve) internal _reserves;
    mapping(address asset => Config) public configs;
    mapping(address asset => RateModel) public models;
    mapping(address asset => mapping(address user => uint256)) public scaledSupplyOf;
    mapping(address asset => mapping(address user => uint256)) public scaledDebtOf;

    event Supplied(address indexed asset, address indexed user, uint256 amount);
    event Withdrawn(address indexed asset, address indexed user, uint256 amount);
    event Borrowed(address indexed asset, address indexed user, uint256 amount);
    event Repaid(address indexed asset, address indexed user, uint256 amount);
    event Liquidated(address indexed user, address debtAsset, address collateral, uint256 repaid, uint256 seized);
    event WrittenOff(address indexed user, address indexed asset, uint256 amount);

    error NotListed();
    error BadConfig();
    error ZeroAmount();
    error CapExceeded();
    error NoLiquidity();
    error Unhealthy();
    error Healthy();
    error NotAllowed();

    constructor(ILendingOracle oracle_, address admin, address treasuryRecipient_) {
        oracle = oracle_;
        treasuryRecipient = treasuryRecipient_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(RISK_ROLE, admin);
        _grantRole(GUARDIAN_ROLE, admin);
    }

    // ---------------------------------------------------------------- admin

    function listAsset(address asset, uint8 decimals, Config calldata config, RateModel calldata model)
        external
        onlyRole(RISK_ROLE)
    {
        Reserve storage r = _reserves[asset];
        if (r.listed || assets.length == MAX_ASSETS) revert NotAllowed();
        if (config.ltv > config.threshold || config.threshold * (BPS + config.bonus) > BPS * BPS) revert BadConfig();
        if (config.reserveFactor > BPS / 2 || model.optimal == 0 || model.optimal >= RAY) revert BadConfig();
        r.listed = true;
        r.unit = 10 ** decimals;
        r.supplyIndex = RAY;
        r.debtIndex = RAY;
        r.lastUpdate = block.timestamp;
        configs[asset] = config;
        models[asset] = model;
        assets.push(asset);
        _refreshRates(asset);
    }

    function setReserveFactor(address asset, uint256 reserveFactor) external onlyRole(RISK_ROLE) {
        if (reserveFactor > BPS / 2) revert BadConfig();
        _accrue(asset);
        configs[asset].reserveFactor = reserveFactor;
        _refreshRates(asset);
    }

    function setCaps(address asset, uint256 supplyCap, uint256 borrowCap) external onlyRole(RISK_ROLE) {
        configs[asset].supplyCap = supplyCap;
        configs[asset].borrowCap = borrowCap;
    }

    function pause() external onlyRole(GUARDIAN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// Sends the reserves that are in cash to the treasury.
    function claimTreasury(address asset) external nonReentrant returns (uint256 amount) {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        amount = r.treasury.min(r.cash);
        if (amount == 0) revert ZeroAmount();
        r.treasury -= amount;
        r.cash -= amount;
        _refreshRates(asset);
        asset.safeTransfer(treasuryRecipient, amount);
    }

    /// Pays for debt that was written off.
    function coverDeficit(address asset, uint256 amount) external nonReentrant returns (uint256 covered) {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        covered = amount.min(r.deficit);
        if (covered == 0) revert ZeroAmount();
        r.deficit -= covered;
        r.cash += covered;
        _refreshRates(asset);
        asset.safeTransferFrom(msg.sender, address(this), covered);
    }

    // ---------------------------------------------------------------- users

    function supply(address asset, uint256 amount, address onBehalf) external nonReentrant whenNotPaused {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        uint256 scaled = amount.fullMulDiv(RAY, r.supplyIndex);
        if (scaled == 0) revert ZeroAmount();
        r.scaledSupply += scaled;
        scaledSupplyOf[asset][onBehalf] += scaled;
        r.cash += amount;
        if (r.scaledSupply.fullMulDiv(r.supplyIndex, RAY) > configs[asset].supplyCap) revert CapExceeded();
        _refreshRates(asset);
        asset.safeTransferFrom(msg.sender, address(this), amount);
        emit Supplied(asset, onBehalf, amount);
    }

    function withdraw(address asset, uint256 amount, address to) external nonReentrant returns (uint256) {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        uint256 scaled = scaledSupplyOf[asset][msg.sender];
        uint256 balance = scaled.fullMulDiv(r.supplyIndex, RAY);
        if (amount >= balance) amount = balance;
        else scaled = amount.fullMulDivUp(RAY, r.supplyIndex);
        if (amount == 0) revert ZeroAmount();
        if (amount > r.cash) revert NoLiquidity();
        _burnSupply(asset, msg.sender, scaled);
        r.cash -= amount;
        _refreshRates(asset);
        _requireHealthy(msg.sender);
        asset.safeTransfer(to, amount);
        emit Withdrawn(asset, msg.sender, amount);
        return amount;
    }

    /// Moves a supplied position to another account.
    function transferSupply(address asset, address to, uint256 amount) external nonReentrant whenNotPaused {
        if (to == msg.sender || to == address(0)) revert NotAllowed();
        _accrue(asset);
        uint256 scaled = amount.fullMulDivUp(RAY, _reserves[asset].supplyIndex);
        if (scaled == 0) revert ZeroAmount();
        scaledSupplyOf[asset][msg.sender] -= scaled;
        scaledSupplyOf[asset][to] += scaled;
        _requireHealthy(msg.sender);
    }

    function borrow(address asset, uint256 amount, address to) external nonReentrant whenNotPaused {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        if (amount == 0) revert ZeroAmount();
        if (amount > r.cash) revert NoLiquidity();
        uint256 scaled = amount.fullMulDivUp(RAY, r.debtIndex);
        r.scaledDebt += scaled;
        scaledDebtOf[asset][msg.sender] += scaled;
        r.cash -= amount;
        if (r.scaledDebt.fullMulDiv(r.debtIndex, RAY) > configs[asset].borrowCap) revert CapExceeded();
        _refreshRates(asset);
        (uint256 limit,, uint256 debt) = accountValues(msg.sender);
        if (debt > limit) revert Unhealthy();
        asset.safeTransfer(to, amount);
        emit Borrowed(asset, msg.sender, amount);
    }

    function repay(address asset, uint256 amount, address onBehalf) external nonReentrant returns (uint256 paid) {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        paid = amount.min(_debt(asset, onBehalf));
        if (paid == 0) revert ZeroAmount();
        _burnDebt(asset, onBehalf, paid);
        r.cash += paid;
        _refreshRates(asset);
        asset.safeTransferFrom(msg.sender, address(this), paid);
        emit Repaid(asset, onBehalf, paid);
    }

    /// Nets a debt against the caller's own supply of the same asset.
    function repayWithSupply(address asset, uint256 amount) external nonReentrant returns (uint256 paid) {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        uint256 balance = scaledSupplyOf[asset][msg.sender].fullMulDiv(r.supplyIndex, RAY);
        paid = amount.min(_debt(asset, msg.sender)).min(balance);
        if (paid == 0) revert ZeroAmount();
        _burnDebt(asset, msg.sender, paid);
        _burnSupply(asset, msg.sender, paid.fullMulDivUp(RAY, r.supplyIndex));
        _afterNetting(asset);
        _requireHealthy(msg.sender);
        emit Repaid(asset, msg.sender, paid);
    }

    function flashLoan(address asset, uint256 amount, IFlashBorrower receiver) external nonReentrant whenNotPaused {
        _accrue(asset);
        Reserve storage r = _reserves[asset];
        if (amount == 0) revert ZeroAmount();
        if (amount > r.cash) revert NoLiquidity();
        uint256 fee = amount.fullMulDivUp(FLASH_FEE, BPS);
        asset.safeTransfer(address(receiver), amount);
        receiver.onFlashLoan(asset, amount, fee);
        asset.safeTransferFrom(address(receiver), address(this), amount + fee);
        r.cash += fee;
        uint256 toTreasury = r.scaledSupply == 0 ? fee : fee * FLASH_TREASURY_SHARE / BPS;
        r.treasury += toTreasury;
        if (fee > toTreasury) r.supplyIndex += (fee - toTreasury).fullMulDiv(RAY, r.scaledSupply);
        _refreshRates(asset);
    }

    // ---------------------------------------------------------------- liquidation

    /// Repays part of an unhealthy account's debt and takes its collateral at a discount.
    function liquidate(address user, address debtAsset, address collateral, uint256 amount)
        external
        nonReentrant
        returns (uint256 repaid, uint256 seized)
    {
        if (user == msg.sender) revert NotAllowed();
        _accrue(debtAsset);
        uint256 index = _collateralIndex(collateral);
        uint256 health = healthFactor(user);
        if (health >= WAD) revert Healthy();

        uint256 debt = _debt(debtAsset, user);
        repaid = amount.min(health < FULL_CLOSE_HEALTH ? debt : debt.fullMulDivUp(CLOSE_FACTOR, BPS));
        uint256 burned;
        (repaid, seized, burned) = _quoteSeizure(user, debtAsset, collateral, repaid, index);
        if (repaid == 0 || seized == 0) revert ZeroAmount();

        _burnDebt(debtAsset, user, repaid);
        _burnSupply(collateral, user, burned);
        _reserves[debtAsset].cash += repaid;
        uint256 fee = seized - seized.fullMulDiv(BPS, BPS + configs[collateral].bonus);
        fee = fee * LIQUIDATION_FEE / BPS;
        Reserve storage c = _reserves[collateral];
        if (seized - fee > c.cash) revert NoLiquidity();
        c.cash -= seized - fee;
        c.treasury += fee;
        _refreshRates(debtAsset);
        _refreshRates(collateral);
        if (!hasCollateral(user)) _writeOff(user, debtAsset);

        debtAsset.safeTransferFrom(msg.sender, address(this), repaid);
        collateral.safeTransfer(msg.sender, seized - fee);
        emit Liquidated(user, debtAsset, collateral, repaid, seized);
    }

    function _quoteSeizure(address user, address debtAsset, address collateral, uint256 repaid, uint256 index)
        internal
        view
        returns (uint256, uint256 seized, uint256 burned)
    {
        Reserve storage d = _reserves[debtAsset];
        Reserve storage c = _reserves[collateral];
        uint256 debtPrice = oracle.priceOf(debtAsset);
        uint256 collateralPrice = oracle.priceOf(collateral);
        uint256 factor = BPS + configs[collateral].bonus;
        burned = scaledSupplyOf[collateral][user];
        uint256 balance = burned.fullMulDiv(index, RAY);
        uint256 value = repaid.fullMulDiv(debtPrice, d.unit);
        seized = value.fullMulDiv(factor, BPS).fullMulDiv(c.unit, collateralPrice);
        if (seized >= balance) {
            seized = balance;
            value = balance.fullMulDivUp(collateralPrice, c.unit).fullMulDivUp(BPS, factor);
            repaid = repaid.min(value.fullMulDivUp(d.unit, debtPrice));
        } else {
            burned = seized.fullMulDivUp(RAY, index).min(burned);
        }
        return (repaid, seized, burned);
    }

    /// The index at which seized shares are valued.
    function _collateralIndex(address collateral) internal virtual returns (uint256) {
        _accrue(collateral);
        return _reserves[collateral].supplyIndex;
    }

    /// Debts of an account without collateral become a deficit of their reserves.
    function _writeOff(address user, address) internal virtual {
        for (uint256 i; i < assets.length; ++i) {
            _writeOffAsset(user, assets[i]);
        }
    }

    function _writeOffAsset(address user, address asset) internal {
        if (scaledDebtOf[asset][user] == 0) return;
        _accrue(asset);
        uint256 debt = _debt(asset, user);
        _burnDebt(asset, user, debt);
        _reserves[asset].deficit += debt;
        _refreshRates(asset);
        emit WrittenOff(user, asset, debt);
    }

    // ---------------------------------------------------------------- interest

    function _accrue(address asset) internal {
        Reserve storage r = _reserves[asset];
        if (!r.listed) revert NotListed();
        if (r.lastUpdate == block.timestamp) return;
        (uint256 supplyIndex, uint256 debtIndex) = currentIndexes(asset);
        uint256 interest = r.scaledDebt.fullMulDiv(debtIndex - r.debtIndex, RAY);
        r.treasury += interest * configs[asset].reserveFactor / BPS;
        r.supplyIndex = supplyIndex;
        r.debtIndex = debtIndex;
        r.lastUpdate = block.timestamp;
    }

    function _afterNetting(address asset) internal virtual {
        _refreshRates(asset);
    }

    function _refreshRates(address asset) internal {
        Reserve storage r = _reserves[asset];
        RateModel storage m = models[asset];
        uint256 debt = r.scaledDebt.fullMulDiv(r.debtIndex, RAY);
        uint256 total = r.cash + debt + r.deficit;
        uint256 used = total == 0 ? 0 : debt.fullMulDiv(RAY, total);
        uint256 rate = m.base + m.slope1.fullMulDiv(used.min(m.optimal), m.optimal);
        if (used > m.optimal) rate += m.slope2.fullMulDiv(used - m.optimal, RAY - m.optimal);
        r.debtRate = rate;
        r.supplyRate = rate.fullMulDiv(used, RAY).fullMulDiv(BPS - configs[asset].reserveFactor, BPS);
    }

    /// Indexes at this moment: supply grows linearly between updates, debt compounds.
    function currentIndexes(address asset) public view returns (uint256 supplyIndex, uint256 debtIndex) {
        Reserve storage r = _reserves[asset];
        uint256 elapsed = block.timestamp - r.lastUpdate;
        supplyIndex = r.supplyIndex;
        debtIndex = r.debtIndex;
        if (elapsed == 0) return (supplyIndex, debtIndex);
        supplyIndex += supplyIndex.fullMulDiv(r.supplyRate * elapsed, RAY * YEAR);
        uint256 x = (r.debtRate * elapsed).divUp(YEAR);
        uint256 square = x.fullMulDiv(x, RAY);
        debtIndex = debtIndex.fullMulDivUp(RAY + x + square / 2 + square.fullMulDiv(x, RAY) / 6, RAY);
    }

    function _burnSupply(address asset, address user, uint256 scaled) internal {
        scaledSupplyOf[asset][user] -= scaled;
        _reserves[asset].scaledSupply -= scaled;
    }

    function _burnDebt(address asset, address user, uint256 amount) internal {
        Reserve storage r = _reserves[asset];
        uint256 scaled = scaledDebtOf[asset][user];
        if (amount < _debt(asset, user)) scaled = amount.fullMulDiv(RAY, r.debtIndex);
        scaledDebtOf[asset][user] -= scaled;
        r.scaledDebt -= scaled;
    }

    function _debt(address asset, address user) internal view returns (uint256) {
        return scaledDebtOf[asset][user].fullMulDivUp(_reserves[asset].debtIndex, RAY);
    }

    function _requireHealthy(address user) internal view {
        if (healthFactor(user) < WAD) revert Unhealthy();
    }

    // ---------------------------------------------------------------- views

    function reserveOf(address asset) external view returns (Reserve memory) {
        return _reserves[asset];
    }

    function assetCount() external view returns (uint256) {
        return assets.length;
    }

    function supplyBalance(address asset, address user) public view returns (uint256) {
        (uint256 index,) = currentIndexes(asset);
        return scaledSupplyOf[asset][user].fullMulDiv(index, RAY);
    }

    function debtBalance(address asset, address user) public view returns (uint256) {
        (, uint256 index) = currentIndexes(asset);
        return scaledDebtOf[asset][user].fullMulDivUp(index, RAY);
    }

    /// Totals at this moment: what the reserve has or is owed, and what it owes.
    function totals(address asset) external view returns (uint256 backing, uint256 claims) {
        Reserve storage r = _reserves[asset];
        (uint256 supplyIndex, uint256 debtIndex) = currentIndexes(asset);
        uint256 interest = r.scaledDebt.fullMulDiv(debtIndex - r.debtIndex, RAY);
        backing = r.cash + r.scaledDebt.fullMulDivUp(debtIndex, RAY) + r.deficit;
        claims = r.scaledSupply.fullMulDiv(supplyIndex, RAY) + r.treasury;
        claims += interest * configs[asset].reserveFactor / BPS;
    }

    function hasCollateral(address user) public view returns (bool) {
        for (uint256 i; i < assets.length; ++i) {
            if (scaledSupplyOf[assets[i]][user] != 0) return true;
        }
        return false;
    }

    /// USD values in WAD: what may be borrowed, what the account is liquidated at, and what it owes.
    function accountValues(address user) public view returns (uint256 limit, uint256 cover, uint256 debt) {
        for (uint256 i; i < assets.length; ++i) {
            address asset = assets[i];
            if (scaledSupplyOf[asset][user] == 0 && scaledDebtOf[asset][user] == 0) continue;
            uint256 price = oracle.priceOf(asset);
            uint256 unit = _reserves[asset].unit;
            uint256 value = supplyBalance(asset, user).fullMulDiv(price, unit);
            limit += value * configs[asset].ltv / BPS;
            cover += value * configs[asset].threshold / BPS;
            debt += debtBalance(asset, user).fullMulDivUp(price, unit);
        }
    }

    function healthFactor(address user) public view returns (uint256) {
        (, uint256 cover, uint256 debt) = accountValues(user);
        return debt == 0 ? type(uint256).max : cover.fullMulDiv(WAD, debt);
    }
}

/// The market as it was first deployed.
contract LendingBug is Lending {
    constructor(ILendingOracle oracle_, address admin, address treasuryRecipient_)
        Lending(oracle_, admin, treasuryRecipient_)
    {}

    function _afterNetting(address) internal override {}

    function _collateralIndex(address collateral) internal override returns (uint256 index) {
        index = _reserves[collateral].supplyIndex;
        _accrue(collateral);
    }

    function _writeOff(address user, address debtAsset) internal override {
        _writeOffAsset(user, debtAsset);
    }
}
