// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";

/// @title Limit order book for one pair
/// @notice Price levels are sorted linked lists, orders at a level are a queue (first in, first out). Funds are held
/// in internal accounts; resting orders lock their funds. Fees are paid in the quote token. Weekly volume gives
/// discounts for the following week.
contract OrderBook is AccessControl, ReentrancyGuard {
    using SafeTransferLib for ERC20;
    using SafeCast for uint256;

    enum Kind {
        GoodTillCancelled,
        ImmediateOrCancel,
        PostOnly
    }

    struct Account {
        uint128 freeBase;
        uint128 lockedBase;
        uint128 freeQuote;
        uint128 lockedQuote;
    }

    struct Order {
        address owner;
        uint64 price;
        uint8 side;
        uint40 expiry;
        uint32 rate;
        uint64 prev;
        uint64 next;
        uint128 remaining;
        uint128 escrow;
        uint32 fills;
    }

    struct Level {
        uint64 prev;
        uint64 next;
        uint64 head;
        uint64 tail;
        uint32 count;
        uint128 total;
    }

    struct Fees {
        uint32 maker;
        uint32 taker;
    }

    struct Stats {
        uint64 epoch;
        uint96 current;
        uint96 previous;
    }

    bytes32 public constant FEE_ROLE = keccak256("FEE_ROLE");
    bytes32 public constant TREASURY_ROLE = keccak256("TREASURY_ROLE");

    uint8 public constant BID = 0;
    uint8 public constant ASK = 1;
    uint256 public constant LOT = 1e15;
    uint64 public constant TICK = 1e4;
    uint256 public constant PIPS = 1e6;
    uint32 public constant MAX_MAKER = 2_000;
    uint32 public constant MAX_TAKER = 5_000;
    uint256 public constant REFERRAL_SHARE = 200_000;
    uint256 public constant FEE_DELAY = 2 days;
    uint256 public constant EPOCH = 1 weeks;
    uint256 public constant MAX_LEVELS = 24;
    uint256 public constant MAX_OPEN = 8;
    uint256 public constant MAX_FILLS = 16;
    uint96 public constant TIER_ONE = 25_000e6;
    uint96 public constant TIER_TWO = 250_000e6;

    ERC20 public immutable base;
    ERC20 public immutable quote;

    Fees public fees;
    Fees public nextFees;
    uint40 public nextFeesAt;

    mapping(address => Account) public accounts;
    mapping(uint256 => Order) public orders;
    mapping(uint8 => mapping(uint64 => Level)) public levels;
    mapping(uint8 => uint64) public best;
    mapping(uint8 => uint256) public levelCount;
    mapping(address => uint64[]) internal _openOrders;
    mapping(address => Stats) public stats;
    mapping(address => uint256) public lifetimeVolume;
    mapping(address => address) public referrerOf;

    uint64 public lastOrderId;
    uint256 public feesAccrued;
    uint256 public feesCollected;
    uint256 public referralsPaid;
    uint256 public lifetimeFees;
    uint256 public tradedVolume;

    event Deposit(address indexed account, address indexed token, uint256 amount);
    event Withdraw(address indexed account, address indexed token, uint256 amount);
    event Placed(uint256 indexed id, address indexed owner, uint8 side, uint64 price, uint256 amount);
    event Filled(uint256 indexed id, address indexed taker, uint256 amount, uint256 quoteAmount);
    event Reduced(uint256 indexed id, uint256 remaining);
    event Closed(uint256 indexed id);
    event FeesScheduled(uint32 maker, uint32 taker, uint256 at);
    event FeesApplied(uint32 maker, uint32 taker);

    error BadPrice();
    error BadAmount();
    error BadExpiry();
    error WouldCross();
    error TooManyOrders();
    error TooManyLevels();
    error NotOwner();
    error NoOrder();
    error FeeTooHigh();
    error TooEarly();
    error BadReferrer();

    constructor(ERC20 base_, ERC20 quote_, Fees memory fees_, address admin) {
        base = base_;
        quote = quote_;
        fees = fees_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(FEE_ROLE, admin);
        _grantRole(TREASURY_ROLE, admin);
    }

    // ---------------------------------------------------------------- accounts

    function depositBase(uint256 amount) external nonReentrant {
        accounts[msg.sender].freeBase += amount.toUint128();
        base.safeTransferFrom(msg.sender, address(this), amount);
        emit Deposit(msg.sender, address(base), amount);
    }

    function depositQuote(uint256 amount) external nonReentrant {
        accounts[msg.sender].freeQuote += amount.toUint128();
        quote.safeTransferFrom(msg.sender, address(this), amount);
        emit Deposit(msg.sender, address(quote), amount);
    }

    function withdrawBase(uint256 amount) external nonReentrant {
        accounts[msg.sender].freeBase -= amount.toUint128();
        base.safeTransfer(msg.sender, amount);
        emit Withdraw(msg.sender, address(base), amount);
    }

    function withdrawQuote(uint256 amount) external nonReentrant {
        accounts[msg.sender].freeQuote -= amount.toUint128();
        quote.safeTransfer(msg.sender, amount);
        emit Withdraw(msg.sender, address(quote), amount);
    }

    function setReferrer(address referrer) external {
        if (referrer == address(0) || referrer == msg.sender || referrerOf[msg.sender] != address(0)) {
            revert BadReferrer();
        }
        referrerOf[msg.sender] = referrer;
    }

    // ---------------------------------------------------------------- fees

    function scheduleFees(uint32 maker, uint32 taker) external onlyRole(FEE_ROLE) {
        if (maker > MAX_MAKER || taker > MAX_TAKER || maker > taker) revert FeeTooHigh();
        nextFees = Fees(maker, taker);
        nextFeesAt = uint40(block.timestamp + FEE_DELAY);
        emit FeesScheduled(maker, taker, nextFeesAt);
    }

    function applyFees() external {
        if (nextFeesAt == 0 || block.timestamp < nextFeesAt) revert TooEarly();
        fees = nextFees;
        nextFeesAt = 0;
        emit FeesApplied(fees.maker, fees.taker);
    }

    function collectFees(address to) external onlyRole(TREASURY_ROLE) nonReentrant returns (uint256 amount) {
        amount = feesAccrued;
        feesAccrued = 0;
        feesCollected += amount;
        quote.safeTransfer(to, amount);
    }

    function currentEpoch() public view returns (uint64) {
        return uint64(block.timestamp / EPOCH);
    }

    /// @notice The discount tier of a trader, from the volume of the week before.
    function tierOf(address trader) public view returns (uint256) {
        uint96 volume = _rolled(stats[trader], currentEpoch()).previous;
        if (volume >= TIER_TWO) return 2;
        return volume >= TIER_ONE ? 1 : 0;
    }

    function makerRate(address trader) public view returns (uint32) {
        return uint32(uint256(fees.maker) * (5 - tierOf(trader)) / 5);
    }

    function takerRate(address trader) public view returns (uint32) {
        return uint32(uint256(fees.taker) * (5 - tierOf(trader)) / 5);
    }

    // ---------------------------------------------------------------- orders

    function place(uint8 side, uint64 price, uint128 amount, uint40 expiry, Kind kind)
        external
        nonReentrant
        returns (uint64 id)
    {
        if (side > ASK || price == 0 || price % TICK != 0) revert BadPrice();
        if (amount == 0 || amount % LOT != 0) revert BadAmount();
        if (expiry != 0 && expiry <= block.timestamp) revert BadExpiry();

        if (kind == Kind.PostOnly) {
            if (_crosses(side, price)) revert WouldCross();
        } else {
            amount = _matchOrder(msg.sender, side, price, amount);
        }
        if (amount > 0 && kind != Kind.ImmediateOrCancel && !_crosses(side, price)) {
            id = _rest(msg.sender, side, price, amount, expiry);
        }
    }

    /// @notice Lowers the open amount of an order. It keeps its place in the queue.
    function reduce(uint64 id, uint128 remaining) external nonReentrant {
        Order storage order = orders[id];
        if (order.owner != msg.sender) revert NotOwner();
        if (remaining == 0 || remaining >= order.remaining || remaining % LOT != 0) revert BadAmount();

        levels[order.side][order.price].total -= order.remaining - remaining;
        order.remaining = remaining;
        uint128 needed = order.side == ASK ? remaining : _bidEscrow(remaining, order.price, _reservedRate(order));
        uint128 refund = order.escrow - needed;
        order.escrow = needed;
        _unlock(order, refund);
        emit Reduced(id, remaining);
    }

    /// @notice Closes an order. Anyone can close an expired one.
    function cancel(uint64 id) external nonReentrant {
        Order storage order = orders[id];
        if (order.owner == address(0)) revert NoOrder();
        if (order.owner != msg.sender && !_expired(order)) revert NotOwner();
        _close(id);
    }

    // ---------------------------------------------------------------- views

    function openOrders(address owner) external view returns (uint64[] memory) {
        return _openOrders[owner];
    }

    function getOrder(uint64 id) external view returns (Order memory) {
        return orders[id];
    }

    function getLevel(uint8 side, uint64 price) external view returns (Level memory) {
        return levels[side][price];
    }

    function quoteFor(uint256 amount, uint64 price) public pure returns (uint256) {
        return amount * price / 1e18;
    }

    function bidEscrow(uint128 amount, uint64 price, uint32 rate) external pure returns (uint128) {
        return _bidEscrow(amount, price, rate);
    }

    // ---------------------------------------------------------------- matching

    function _crosses(uint8 side, uint64 price) internal view returns (bool) {
        uint64 other = best[1 - side];
        if (other == 0) return false;
        return side == BID ? price >= other : price <= other;
    }

    function _expired(Order storage order) internal view returns (bool) {
        return order.expiry != 0 && order.expiry <= block.timestamp;
    }

    function _matchOrder(address taker, uint8 side, uint64 price, uint128 amount) internal returns (uint128) {
        uint8 other = 1 - side;
        for (uint256 i; i < MAX_FILLS && amount > 0 && _crosses(side, price); ++i) {
            uint64 id = levels[other][best[other]].head;
            if (id == 0) {
                _popBest(other);
                continue;
            }
            Order storage order = orders[id];
            if (order.owner == taker || _expired(order)) {
                _close(id);
                continue;
            }
            uint128 filled = amount < order.remaining ? amount : order.remaining;
            _fill(id, order, taker, filled);
            amount -= filled;
        }
        return amount;
    }

    function _fill(uint64 id, Order storage order, address taker, uint128 amount) internal {
        uint128 value = uint128(quoteFor(amount, order.price));
        uint128 makerFee = uint128(uint256(value) * order.rate / PIPS);
        uint128 takerFee = uint128(Math.ceilDiv(uint256(value) * takerRate(taker), PIPS));
        Account storage makerAccount = accounts[order.owner];
        Account storage takerAccount = accounts[taker];

        if (order.side == ASK) {
            takerAccount.freeQuote -= value + takerFee;
            takerAccount.freeBase += amount;
            order.escrow -= amount;
            makerAccount.lockedBase -= amount;
            makerAccount.freeQuote += value - makerFee;
        } else {
            takerAccount.freeBase -= amount;
            takerAccount.freeQuote += value - takerFee;
            order.escrow -= value + makerFee;
            makerAccount.lockedQuote -= value + makerFee;
            makerAccount.freeBase += amount;
        }

        _bookFees(taker, makerFee, takerFee);
        _addVolume(order.owner, value);
        _addVolume(taker, value);
        tradedVolume += value;
        emit Filled(id, taker, amount, value);

        order.remaining -= amount;
        order.fills += 1;
        levels[order.side][order.price].total -= amount;
        if (order.remaining == 0) {
            (uint8 side, uint64 price) = (order.side, order.price);
            _unlock(order, order.escrow);
            _unlinkOrder(id, order);
            if (levels[side][price].count == 0) _popBest(side);
        }
    }

    function _bookFees(address taker, uint256 makerFee, uint256 takerFee) internal {
        uint256 total = makerFee + takerFee;
        lifetimeFees += total;
        address referrer = referrerOf[taker];
        if (referrer != address(0)) {
            uint256 share = takerFee * REFERRAL_SHARE / PIPS;
            accounts[referrer].freeQuote += uint128(share);
            referralsPaid += share;
            total -= share;
        }
        feesAccrued += total;
    }

    function _addVolume(address trader, uint128 value) internal {
        Stats memory rolled = _rolled(stats[trader], currentEpoch());
        rolled.current += uint96(value);
        stats[trader] = rolled;
        lifetimeVolume[trader] += value;
    }

    function _rolled(Stats memory s, uint64 epoch) internal pure virtual returns (Stats memory) {
        if (s.epoch == epoch) return s;
        uint96 previous = s.epoch + 1 == epoch ? s.current : 0;
        return Stats(epoch, 0, previous);
    }

    // ---------------------------------------------------------------- resting orders

    function _bidEscrow(uint128 amount, uint64 price, uint32 rate) internal pure returns (uint128) {
        uint256 value = quoteFor(amount, price);
        return (value + Math.ceilDiv(value * rate, PIPS)).toUint128();
    }

    /// @dev The maker rate that the escrow of an order is computed with.
    function _reservedRate(Order storage order) internal view virtual returns (uint32) {
        return order.rate;
    }

    function _rest(address owner, uint8 side, uint64 price, uint128 amount, uint40 expiry)
        internal
        returns (uint64 id)
    {
        if (_openOrders[owner].length >= MAX_OPEN) revert TooManyOrders();
        uint32 rate = makerRate(owner);
        Account storage account = accounts[owner];
        uint128 escrow;
        if (side == ASK) {
            escrow = amount;
            account.freeBase -= escrow;
            account.lockedBase += escrow;
        } else {
            escrow = _bidEscrow(amount, price, rate);
            account.freeQuote -= escrow;
            account.lockedQuote += escrow;
        }

        id = ++lastOrderId;
        Level storage level = levels[side][price];
        if (level.count == 0) _linkLevel(side, price);
        orders[id] = Order(owner, price, side, expiry, rate, level.tail, 0, amount, escrow, 0);
        if (level.tail == 0) level.head = id;
        else orders[level.tail].next = id;
        level.tail = id;
        level.count += 1;
        level.total += amount;
        _openOrders[owner].push(id);
        emit Placed(id, owner, side, price, amount);
    }

    function _unlock(Order storage order, uint128 amount) internal {
        Account storage account = accounts[order.owner];
        if (order.side == ASK) {
            account.lockedBase -= amount;
            account.freeBase += amount;
        } else {
            account.lockedQuote -= amount;
            account.freeQuote += amount;
        }
    }

    function _close(uint64 id) internal {
        Order storage order = orders[id];
        (uint8 side, uint64 price) = (order.side, order.price);
        levels[side][price].total -= order.remaining;
        _unlock(order, order.escrow);
        _unlinkOrder(id, order);
        if (levels[side][price].count == 0) _unlinkLevel(side, price);
    }

    function _unlinkOrder(uint64 id, Order storage order) internal {
        Level storage level = levels[order.side][order.price];
        if (order.prev == 0) level.head = order.next;
        else orders[order.prev].next = order.next;
        if (order.next == 0) level.tail = order.prev;
        else orders[order.next].prev = order.prev;
        level.count -= 1;

        uint64[] storage open = _openOrders[order.owner];
        for (uint256 i; i < open.length; ++i) {
            if (open[i] == id) {
                open[i] = open[open.length - 1];
                open.pop();
                break;
            }
        }
        delete orders[id];
        emit Closed(id);
    }

    function _linkLevel(uint8 side, uint64 price) internal {
        uint64 prev;
        uint64 cur = best[side];
        uint256 steps;
        while (cur != 0 && (side == BID ? cur > price : cur < price)) {
            prev = cur;
            cur = levels[side][cur].next;
            if (++steps > MAX_LEVELS) revert TooManyLevels();
        }
        Level storage level = levels[side][price];
        level.prev = prev;
        level.next = cur;
        if (prev == 0) best[side] = price;
        else levels[side][prev].next = price;
        if (cur != 0) levels[side][cur].prev = price;
        if (++levelCount[side] > MAX_LEVELS) revert TooManyLevels();
    }

    function _unlinkLevel(uint8 side, uint64 price) internal virtual {
        Level storage level = levels[side][price];
        (uint64 prev, uint64 next) = (level.prev, level.next);
        if (prev == 0) best[side] = next;
        else levels[side][prev].next = next;
        if (next != 0) levels[side][next].prev = prev;
        delete levels[side][price];
        levelCount[side] -= 1;
    }

    function _popBest(uint8 side) internal {
        uint64 price = best[side];
        uint64 next = levels[side][price].next;
        best[side] = next;
        if (next != 0) levels[side][next].prev = 0;
        delete levels[side][price];
        levelCount[side] -= 1;
    }
}
