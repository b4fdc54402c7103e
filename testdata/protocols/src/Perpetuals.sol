// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// Price source: USD per unit of the underlying, in WAD.
interface IPerpetualsOracle {
    function priceOf(uint256 market) external view returns (uint256);
}

/// Perpetual futures against a shared liquidity pool. Margin is isolated for each position. All books are kept in
/// WAD dollars; the settlement token is USDC with 6 decimals. Pool shares are this contract's own token.
contract Perpetuals is ERC20, AccessControl, Pausable {
    using SafeTransferLib for address;
    using FixedPointMathLib for uint256;
    using FixedPointMathLib for int256;

    bytes32 public constant RISK_ROLE = keccak256("RISK_ROLE");
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");

    uint256 internal constant WAD = 1e18;
    uint256 internal constant BPS = 10_000;
    uint256 internal constant SCALE = 1e12;
    uint256 internal constant INITIAL_MARGIN = 1_000;
    uint256 internal constant MAINTENANCE_MARGIN = 500;
    uint256 internal constant LIQUIDATION_PENALTY = 150;
    uint256 internal constant PROTOCOL_FEE_SHARE = 2_000;
    uint256 internal constant POOL_RESERVE = 3_000;
    uint256 internal constant MIN_NOTIONAL = 50e18;
    uint256 internal constant VIRTUAL_ASSETS = 1e12;
    uint256 public constant WITHDRAW_DELAY = 2 days;

    struct Market {
        bool closeOnly;
        uint256 takerFee;
        uint256 skewScale;
        uint256 maxFundingRate;
        uint256 longInterest;
        uint256 shortInterest;
        int256 skew;
        int256 entryNotional;
        int256 entryFunding;
        int256 fundingIndex;
        uint256 lastFunding;
    }

    struct Position {
        int256 size;
        uint256 margin;
        int256 entryPrice;
        int256 entryFunding;
    }

    struct WithdrawRequest {
        uint256 shares;
        uint256 unlockTime;
    }

    address public immutable usdc;
    IPerpetualsOracle public immutable oracle;
    uint256 public marketCount;
    uint256 public pool;
    uint256 public insurance;
    uint256 public protocolFees;

    mapping(uint256 market => Market) internal _markets;
    mapping(uint256 market => mapping(address account => Position)) internal _positions;
    mapping(address account => WithdrawRequest) public requests;

    event Traded(uint256 indexed market, address indexed account, int256 sizeDelta, uint256 price, uint256 fee);
    event MarginMoved(uint256 indexed market, address indexed account, int256 amount);
    event Liquidated(uint256 indexed market, address indexed account, int256 size, int256 equity);
    event LiquidityAdded(address indexed account, uint256 assets, uint256 shares);
    event LiquidityRemoved(address indexed account, uint256 assets, uint256 shares);

    error UnknownMarket();
    error BadConfig();
    error ZeroAmount();
    error CloseOnly();
    error PriceLimit();
    error InsufficientMargin();
    error PositionTooSmall();
    error InterestTooHigh();
    error NotLiquidatable();
    error PoolTooSmall();
    error Locked();

    constructor(address usdc_, IPerpetualsOracle oracle_, address admin) ERC20("Perpetuals LP", "pLP", 18) {
        usdc = usdc_;
        oracle = oracle_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(RISK_ROLE, admin);
        _grantRole(GUARDIAN_ROLE, admin);
    }

    // ---------------------------------------------------------------- admin

    function addMarket(uint256 takerFee, uint256 skewScale, uint256 maxFundingRate) external onlyRole(RISK_ROLE) {
        if (takerFee > 100 || skewScale == 0 || maxFundingRate > 0.2e18) revert BadConfig();
        Market storage m = _markets[marketCount++];
        m.takerFee = takerFee;
        m.skewScale = skewScale;
        m.maxFundingRate = maxFundingRate;
        m.lastFunding = block.timestamp;
    }

    function setMaxFundingRate(uint256 market, uint256 rate) external onlyRole(RISK_ROLE) {
        if (rate > 0.2e18) revert BadConfig();
        accrueFunding(market);
        _markets[market].maxFundingRate = rate;
    }

    function setCloseOnly(uint256 market, bool closeOnly) external onlyRole(GUARDIAN_ROLE) {
        _markets[market].closeOnly = closeOnly;
    }

    function pause() external onlyRole(GUARDIAN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    function collectFees(address to) external onlyRole(DEFAULT_ADMIN_ROLE) returns (uint256 amount) {
        amount = protocolFees / SCALE;
        protocolFees -= amount * SCALE;
        usdc.safeTransfer(to, amount);
    }

    // ---------------------------------------------------------------- liquidity

    function addLiquidity(uint256 assets) external whenNotPaused returns (uint256 shares) {
        uint256 value = assets * SCALE;
        shares = value.fullMulDiv(totalSupply + VIRTUAL_ASSETS, poolValue() + VIRTUAL_ASSETS);
        if (shares == 0) revert ZeroAmount();
        pool += value;
        _mint(msg.sender, shares);
        usdc.safeTransferFrom(msg.sender, address(this), assets);
        emit LiquidityAdded(msg.sender, assets, shares);
    }

    /// Puts shares into escrow; they can be redeemed after the delay.
    function requestWithdraw(uint256 shares) external {
        if (shares == 0) revert ZeroAmount();
        WithdrawRequest storage r = requests[msg.sender];
        balanceOf[msg.sender] -= shares;
        balanceOf[address(this)] += shares;
        emit Transfer(msg.sender, address(this), shares);
        r.shares += shares;
        r.unlockTime = block.timestamp + WITHDRAW_DELAY;
    }

    function cancelWithdraw() external {
        uint256 shares = requests[msg.sender].shares;
        if (shares == 0) revert ZeroAmount();
        delete requests[msg.sender];
        balanceOf[address(this)] -= shares;
        balanceOf[msg.sender] += shares;
        emit Transfer(address(this), msg.sender, shares);
    }

    function removeLiquidity() external returns (uint256 assets) {
        WithdrawRequest memory r = requests[msg.sender];
        if (r.shares == 0) revert ZeroAmount();
        if (block.timestamp < r.unlockTime) revert Locked();
        delete requests[msg.sender];
        uint256 value = poolValue();
        assets = r.shares.fullMulDiv(value, totalSupply + VIRTUAL_ASSETS) / SCALE;
        _burn(address(this), r.shares);
        if (assets * SCALE > pool) revert PoolTooSmall();
        pool -= assets * SCALE;
        if (value - assets * SCALE < totalInterest() * POOL_RESERVE / BPS) revert PoolTooSmall();
        usdc.safeTransfer(msg.sender, assets);
        emit LiquidityRemoved(msg.sender, assets, r.shares);
    }

    // ---------------------------------------------------------------- trading

    function depositMargin(uint256 market, uint256 amount) external whenNotPaused {
        if (market >= marketCount) revert UnknownMarket();
        if (amount == 0) revert ZeroAmount();
        _positions[market][msg.sender].margin += amount * SCALE;
        usdc.safeTransferFrom(msg.sender, address(this), amount);
        emit MarginMoved(market, msg.sender, int256(amount));
    }

    function withdrawMargin(uint256 market, uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        accrueFunding(market);
        Position storage p = _positions[market][msg.sender];
        uint256 price = oracle.priceOf(market);
        _settle(_markets[market], p, price);
        if (amount * SCALE > p.margin) revert InsufficientMargin();
        p.margin -= amount * SCALE;
        if (p.margin < _notional(p.size, price) * INITIAL_MARGIN / BPS) revert InsufficientMargin();
        usdc.safeTransfer(msg.sender, amount);
        emit MarginMoved(market, msg.sender, -int256(amount));
    }

    function trade(uint256 market, int256 sizeDelta, uint256 limitPrice) public whenNotPaused {
        if (sizeDelta == 0) revert ZeroAmount();
        accrueFunding(market);
        Market storage m = _markets[market];
        Position storage p = _positions[market][msg.sender];
        uint256 price = oracle.priceOf(market);
        if (sizeDelta > 0 ? price > limitPrice : price < limitPrice) revert PriceLimit();

        _settle(m, p, price);
        uint256 fee = _notional(sizeDelta, price) * m.takerFee / BPS;
        if (fee > p.margin) revert InsufficientMargin();
        p.margin -= fee;
        uint256 protocolPart = fee * PROTOCOL_FEE_SHARE / BPS;
        protocolFees += protocolPart;
        pool += fee - protocolPart;

        int256 oldSize = p.size;
        int256 newSize = oldSize + sizeDelta;
        bool reduces = newSize == 0 || ((newSize > 0) == (oldSize > 0) && newSize.abs() < oldSize.abs());
        if (m.closeOnly && !reduces) revert CloseOnly();
        p.size = newSize;
        m.skew += sizeDelta;
        m.entryNotional += sizeDelta * int256(price);
        m.entryFunding += sizeDelta * m.fundingIndex;
        _updateInterest(m, oldSize, newSize);

        uint256 notional = _notional(newSize, price);
        if (newSize != 0 && notional < MIN_NOTIONAL) revert PositionTooSmall();
        if (p.margin < notional * (reduces ? MAINTENANCE_MARGIN : INITIAL_MARGIN) / BPS) revert InsufficientMargin();
        if (!reduces && totalInterest() > 2 * pool) revert InterestTooHigh();
        emit Traded(market, msg.sender, sizeDelta, price, fee);
    }

    function closePosition(uint256 market, uint256 limitPrice) external {
        trade(market, -_positions[market][msg.sender].size, limitPrice);
    }

    /// Closes a position whose equity is below the maintenance margin.
    function liquidate(uint256 market, address account) external returns (uint256 reward) {
        accrueFunding(market);
        Market storage m = _markets[market];
        Position storage p = _positions[market][account];
        uint256 price = oracle.priceOf(market);
        int256 size = p.size;
        uint256 notional = _notional(size, price);
        int256 equity = int256(p.margin) + _profit(m.fundingIndex, p, price);
        if (size == 0 || equity >= int256(notional * MAINTENANCE_MARGIN / BPS)) revert NotLiquidatable();

        _releaseEntry(m, p);
        m.skew -= size;
        _updateInterest(m, size, 0);
        if (equity <= 0) {
            pool += p.margin + _coverShortfall(uint256(-equity));
            p.margin = 0;
        } else {
            pool = _subtract(pool, equity - int256(p.margin));
            uint256 penalty = (notional * LIQUIDATION_PENALTY / BPS).min(uint256(equity));
            reward = penalty / 2 / SCALE;
            insurance += penalty - reward * SCALE;
            p.margin = uint256(equity) - penalty;
        }
        p.size = 0;
        p.entryPrice = 0;
        p.entryFunding = 0;
        if (reward != 0) usdc.safeTransfer(msg.sender, reward);
        emit Liquidated(market, account, size, equity);
    }

    function accrueFunding(uint256 market) public {
        if (market >= marketCount) revert UnknownMarket();
        Market storage m = _markets[market];
        m.fundingIndex = currentFunding(market);
        m.lastFunding = block.timestamp;
    }

    // ---------------------------------------------------------------- internals

    /// Moves the position's profit so far between the pool and its margin.
    function _settle(Market storage m, Position storage p, uint256 price) internal {
        if (p.size != 0) {
            int256 profit = _profit(m.fundingIndex, p, price);
            int256 margin = int256(p.margin) + profit;
            if (margin < 0) revert InsufficientMargin();
            pool = _subtract(pool, profit);
            p.margin = uint256(margin);
            m.entryNotional += p.size * (int256(price) - p.entryPrice);
            m.entryFunding += p.size * (m.fundingIndex - p.entryFunding);
        }
        p.entryPrice = int256(price);
        p.entryFunding = m.fundingIndex;
    }

    /// Takes a closed position out of the market's entry sums.
    function _releaseEntry(Market storage m, Position storage p) internal virtual {
        m.entryNotional -= p.size * p.entryPrice;
        m.entryFunding -= p.size * p.entryFunding;
    }

    /// Pays what it can of a loss beyond the margin.
    function _coverShortfall(uint256 shortfall) internal virtual returns (uint256 covered) {
        covered = shortfall.min(insurance);
        insurance -= covered;
    }

    function _updateInterest(Market storage m, int256 oldSize, int256 newSize) internal virtual {
        if (oldSize > 0) m.longInterest -= uint256(oldSize);
        else m.shortInterest -= oldSize.abs();
        if (newSize > 0) m.longInterest += uint256(newSize);
        else m.shortInterest += newSize.abs();
    }

    function _profit(int256 fundingIndex, Position storage p, uint256 price) internal view returns (int256) {
        int256 perUnit = int256(price) - p.entryPrice - (fundingIndex - p.entryFunding);
        return p.size * perUnit / int256(WAD);
    }

    function _notional(int256 size, uint256 price) internal pure returns (uint256) {
        return size.abs() * price / WAD;
    }

    function _subtract(uint256 amount, int256 delta) internal pure returns (uint256) {
        int256 left = int256(amount) - delta;
        if (left < 0) revert PoolTooSmall();
        return uint256(left);
    }

    // ---------------------------------------------------------------- views

    function marketOf(uint256 market) external view returns (Market memory) {
        return _markets[market];
    }

    function positionOf(uint256 market, address account) external view returns (Position memory) {
        return _positions[market][account];
    }

    /// What a long of one unit has paid since the market began.
    function currentFunding(uint256 market) public view returns (int256) {
        Market storage m = _markets[market];
        int256 elapsed = int256(block.timestamp - m.lastFunding);
        if (elapsed == 0 || m.skew == 0) return m.fundingIndex;
        int256 share = (m.skew * int256(WAD) / int256(m.skewScale)).clamp(-int256(WAD), int256(WAD));
        int256 rate = share * int256(m.maxFundingRate) / int256(WAD);
        return m.fundingIndex + rate * int256(oracle.priceOf(market)) / int256(WAD) * elapsed / 1 days;
    }

    function equityOf(uint256 market, address account) public view returns (int256) {
        Position storage p = _positions[market][account];
        if (p.size == 0) return int256(p.margin);
        return int256(p.margin) + _profit(currentFunding(market), p, oracle.priceOf(market));
    }

    /// Profit of all open positions of a market, from its sums.
    function unrealisedProfit(uint256 market) public view returns (int256) {
        Market storage m = _markets[market];
        int256 perUnit = int256(oracle.priceOf(market)) - currentFunding(market);
        return (m.skew * perUnit - m.entryNotional + m.entryFunding) / int256(WAD);
    }

    /// What the pool would have if every position were closed now.
    function poolValue() public view returns (uint256) {
        int256 value = int256(pool);
        for (uint256 i; i < marketCount; ++i) {
            value -= unrealisedProfit(i);
        }
        return value > 0 ? uint256(value) : 0;
    }

    /// The larger side of each market, in dollars.
    function totalInterest() public view returns (uint256 total) {
        for (uint256 i; i < marketCount; ++i) {
            Market storage m = _markets[i];
            total += m.longInterest.max(m.shortInterest).fullMulDiv(oracle.priceOf(i), WAD);
        }
    }
}

/// The exchange as it was first deployed.
contract PerpetualsBug is Perpetuals {
    using FixedPointMathLib for uint256;
    using FixedPointMathLib for int256;

    constructor(address usdc_, IPerpetualsOracle oracle_, address admin) Perpetuals(usdc_, oracle_, admin) {}

    function _releaseEntry(Market storage m, Position storage p) internal override {
        m.entryNotional -= p.size * p.entryPrice;
    }

    function _coverShortfall(uint256 shortfall) internal override returns (uint256 covered) {
        uint256 available = insurance;
        if (available == 0) return 0;
        insurance = available.zeroFloorSub(shortfall);
        return shortfall;
    }

    function _updateInterest(Market storage m, int256 oldSize, int256 newSize) internal override {
        int256 delta = newSize - oldSize;
        if (oldSize == 0 || (oldSize > 0) == (delta > 0)) {
            if (delta > 0) m.longInterest += uint256(delta);
            else m.shortInterest += delta.abs();
        } else {
            uint256 closed = delta.abs().min(oldSize.abs());
            if (oldSize > 0) m.longInterest = m.longInterest.zeroFloorSub(closed);
            else m.shortInterest = m.shortInterest.zeroFloorSub(closed);
        }
    }
}
