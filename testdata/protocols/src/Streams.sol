// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Owned} from "solmate/auth/Owned.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";

/// @title Streams
/// @notice Streaming payments in weekly cycles. A sender has one balance and up to four receivers, each with an amount
/// per cycle. The cycle in progress is always committed; changes apply from the next one. Receivers collect finished
/// cycles, pass parts on by their splits and claim the rest. A receiver may hand its place in a stream to another.
contract Streams is Owned {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;
    using SafeCastLib for uint256;
    using SafeCastLib for int256;

    struct Slot {
        address to;
        uint80 rate;
        address offeredTo;
    }

    struct Sender {
        uint128 balance;
        uint32 from;
        uint32 end;
        uint96 totalRate;
        Slot[] slots;
    }

    struct Account {
        bool known;
        uint32 next;
        int128 rate;
        uint128 splittable;
        uint128 claimable;
    }

    struct Split {
        address to;
        uint16 weight;
    }

    uint256 public constant CYCLE = 1 weeks;
    uint256 public constant MAX_SLOTS = 4;
    uint256 public constant MAX_SPLITS = 4;
    uint256 public constant MAX_HORIZON = 52;
    uint256 public constant MAX_COLLECT = 52;
    uint256 public constant BPS = 10_000;
    uint256 public constant MAX_FEE = 200;
    uint256 internal constant NONE = type(uint256).max;

    ERC20 public immutable token;
    uint256 public immutable genesis;

    uint256 public feeBps;
    uint256 public fees;
    uint256 public totalFees;
    uint256 public totalCollected;
    uint256 public totalClaimed;
    bool public paused;
    address[] internal _known;
    mapping(address => Sender) internal _senders;
    mapping(address => Account) internal _accounts;
    mapping(address => Split[]) internal _splits;
    mapping(address account => mapping(uint256 cycle => int128)) public deltas;

    event ReceiverSet(address indexed sender, address indexed to, uint256 rate);
    event ToppedUp(address indexed sender, address indexed payer, uint256 amount);
    event Withdrawn(address indexed sender, uint256 amount);
    event Closed(address indexed sender, uint256 refund);
    event Offered(address indexed sender, address indexed from, address indexed to);
    event Accepted(address indexed sender, address indexed from, address indexed to);
    event Collected(address indexed account, uint256 cycles, uint256 amount, uint256 fee);
    event SplitSet(address indexed account, address indexed to, uint256 weight);
    event SplitDone(address indexed account, uint256 amount, uint256 kept);
    event Claimed(address indexed account, address indexed to, uint256 amount);
    event FeeSet(uint256 feeBps);

    error IsPaused();
    error InvalidAddress();
    error InvalidRate();
    error NoSuchReceiver();
    error TooManyReceivers();
    error AlreadyReceiver();
    error NotOffered();
    error NoWeightLeft();
    error TooManySplits();
    error FeeTooHigh();
    error NothingToDo();

    constructor(ERC20 token_, address owner_, uint256 feeBps_) Owned(owner_) {
        if (feeBps_ > MAX_FEE) revert FeeTooHigh();
        token = token_;
        genesis = block.timestamp;
        feeBps = feeBps_;
    }

    modifier whenNotPaused() {
        if (paused) revert IsPaused();
        _;
    }

    // ------------------------------------------------------------------ administration

    function setFee(uint256 feeBps_) external onlyOwner {
        if (feeBps_ > MAX_FEE) revert FeeTooHigh();
        feeBps = feeBps_;
        emit FeeSet(feeBps_);
    }

    /// @notice Stops new funding. Collecting and withdrawing go on.
    function setPaused(bool paused_) external onlyOwner {
        paused = paused_;
    }

    function sweepFees(address to) external onlyOwner returns (uint256 amount) {
        amount = fees;
        fees = 0;
        token.safeTransfer(to, amount);
    }

    // ------------------------------------------------------------------ senders

    /// @notice Adds a receiver from the next cycle on.
    function addReceiver(address to, uint80 rate) external whenNotPaused {
        if (to == address(0) || to == address(this) || to == msg.sender) revert InvalidAddress();
        if (rate == 0) revert InvalidRate();
        Sender storage s = _sender(msg.sender);
        if (_find(s, to) != NONE) revert AlreadyReceiver();
        if (s.slots.length == MAX_SLOTS) revert TooManyReceivers();
        _touch(to);
        _unschedule(s);
        s.slots.push(Slot({to: to, rate: rate, offeredTo: address(0)}));
        s.totalRate += rate;
        _schedule(s);
        emit ReceiverSet(msg.sender, to, rate);
    }

    function setRate(address to, uint80 rate) external whenNotPaused {
        if (rate == 0) revert InvalidRate();
        Sender storage s = _sender(msg.sender);
        Slot storage slot = s.slots[_mustFind(s, to)];
        _unschedule(s);
        s.totalRate = s.totalRate - slot.rate + rate;
        slot.rate = rate;
        _schedule(s);
        emit ReceiverSet(msg.sender, to, rate);
    }

    function removeReceiver(address to) external {
        Sender storage s = _sender(msg.sender);
        uint256 i = _mustFind(s, to);
        _unschedule(s);
        s.totalRate -= s.slots[i].rate;
        _removeSlot(s, i);
        _schedule(s);
        emit ReceiverSet(msg.sender, to, 0);
    }

    function topUp(address sender, uint96 amount) external whenNotPaused {
        if (amount == 0) revert NothingToDo();
        if (sender == address(0)) revert InvalidAddress();
        Sender storage s = _sender(sender);
        token.safeTransferFrom(msg.sender, address(this), amount);
        _unschedule(s);
        s.balance += amount;
        _schedule(s);
        emit ToppedUp(sender, msg.sender, amount);
    }

    /// @notice Takes back what is not committed, `amount` at most.
    function withdraw(uint96 amount) external returns (uint256 taken) {
        Sender storage s = _sender(msg.sender);
        _unschedule(s);
        taken = FixedPointMathLib.min(amount, s.balance);
        if (taken == 0) revert NothingToDo();
        s.balance -= uint128(taken);
        _schedule(s);
        token.safeTransfer(msg.sender, taken);
        emit Withdrawn(msg.sender, taken);
    }

    /// @notice Ends all streams of the caller after the cycle in progress and refunds the rest.
    function close() external returns (uint256 refund) {
        Sender storage s = _sender(msg.sender);
        refund = _closingBalance(s);
        _unschedule(s);
        delete s.slots;
        s.totalRate = 0;
        s.balance = 0;
        _schedule(s);
        if (refund != 0) token.safeTransfer(msg.sender, refund);
        emit Closed(msg.sender, refund);
    }

    // ------------------------------------------------------------------ places in a stream

    /// @notice The caller ends what `sender` streams to it, from the next cycle on.
    function refuse(address sender) external {
        Sender storage s = _sender(sender);
        uint256 i = _mustFind(s, msg.sender);
        _unschedule(s);
        s.totalRate -= s.slots[i].rate;
        _removeSlot(s, i);
        _schedule(s);
        emit ReceiverSet(sender, msg.sender, 0);
    }

    /// @notice Offers the caller's place in the streams of `sender` to `to`.
    function offer(address sender, address to) external {
        if (to == sender || to == msg.sender) revert InvalidAddress();
        Sender storage s = _sender(sender);
        s.slots[_mustFind(s, msg.sender)].offeredTo = to;
        emit Offered(sender, msg.sender, to);
    }

    /// @notice Takes the place that `from` offered, from the next cycle on. Places of the same receiver are merged.
    function accept(address sender, address from) external {
        Sender storage s = _sender(sender);
        uint256 i = _mustFind(s, from);
        if (s.slots[i].offeredTo != msg.sender) revert NotOffered();
        _touch(msg.sender);
        int128 rate = int128(uint128(s.slots[i].rate));
        uint256 first = currentCycle() + 1;
        bool live = s.end > first;
        if (live) _move(from, msg.sender, first, rate);
        uint256 j = _find(s, msg.sender);
        if (j == NONE) {
            s.slots[i].to = msg.sender;
            s.slots[i].offeredTo = address(0);
            if (live) _move(from, msg.sender, s.end, -rate);
        } else {
            s.slots[j].rate += s.slots[i].rate;
            _removeSlot(s, i);
            if (live) _moveMergedEnd(from, msg.sender, s.end, -rate);
        }
        emit Accepted(sender, from, msg.sender);
    }

    // ------------------------------------------------------------------ receivers

    /// @notice Collects up to `maxCycles` finished cycles of `account`.
    function collect(address account, uint256 maxCycles) external returns (uint256 amount) {
        Account storage a = _accounts[account];
        if (!a.known) revert NothingToDo();
        uint256 cycles = FixedPointMathLib.min(currentCycle() - a.next, FixedPointMathLib.min(maxCycles, MAX_COLLECT));
        int256 rate = a.rate;
        int256 sum;
        uint256 next = a.next;
        for (uint256 i; i < cycles; ++i) {
            rate += deltas[account][next];
            delete deltas[account][next];
            sum += rate;
            ++next;
        }
        a.next = uint32(next);
        a.rate = rate.toInt128();
        amount = sum.toUint256();
        uint256 fee = amount * feeBps / BPS;
        fees += fee;
        totalFees += fee;
        totalCollected += amount;
        a.splittable += (amount - fee).toUint128();
        emit Collected(account, cycles, amount, fee);
    }

    /// @notice Sets the weight of `to` among the splits of the caller. A weight above what is left takes what is left;
    /// zero removes the split.
    function setSplit(address to, uint16 weight) external {
        if (to == address(0) || to == msg.sender || to == address(this)) revert InvalidAddress();
        _touch(msg.sender);
        _touch(to);
        Split[] storage list = _splits[msg.sender];
        uint256 left = BPS;
        uint256 index = NONE;
        for (uint256 i; i < list.length; ++i) {
            if (list[i].to == to) index = i;
            else left -= list[i].weight;
        }
        uint256 set = FixedPointMathLib.min(weight, left);
        if (set == 0) {
            if (weight != 0) revert NoWeightLeft();
            if (index == NONE) revert NothingToDo();
            list[index] = list[list.length - 1];
            list.pop();
        } else if (index == NONE) {
            if (list.length == MAX_SPLITS) revert TooManySplits();
            list.push(Split({to: to, weight: uint16(set)}));
        } else {
            list[index].weight = uint16(set);
        }
        emit SplitSet(msg.sender, to, set);
    }

    /// @notice Distributes what `account` has collected: to its splits by weight, the rest to itself.
    function split(address account) external returns (uint256 kept) {
        Account storage a = _accounts[account];
        uint256 amount = a.splittable;
        if (amount == 0) revert NothingToDo();
        a.splittable = 0;
        Split[] storage list = _splits[account];
        kept = amount;
        for (uint256 i; i < list.length; ++i) {
            uint256 share = _share(amount, list[i].weight);
            kept = kept.zeroFloorSub(share);
            _accounts[list[i].to].splittable += share.toUint128();
        }
        a.claimable += kept.toUint128();
        emit SplitDone(account, amount, kept);
    }

    function claim(address to) external returns (uint256 amount) {
        if (to == address(0) || to == address(this)) revert InvalidAddress();
        Account storage a = _accounts[msg.sender];
        amount = a.claimable;
        if (amount == 0) revert NothingToDo();
        a.claimable = 0;
        totalClaimed += amount;
        token.safeTransfer(to, amount);
        emit Claimed(msg.sender, to, amount);
    }

    // ------------------------------------------------------------------ schedule

    /// @dev Settles the sender through the cycle in progress and takes later cycles off the schedule.
    function _unschedule(Sender storage s) internal {
        uint256 first = currentCycle() + 1;
        s.balance = uint128(_balanceAt(s, first));
        s.from = uint32(first);
        if (s.end > first) _mark(s, first, s.end, -1);
    }

    /// @dev Puts all the cycles that the balance funds on the schedule.
    function _schedule(Sender storage s) internal {
        uint256 cycles = s.totalRate == 0 ? 0 : FixedPointMathLib.min(s.balance / s.totalRate, MAX_HORIZON);
        s.end = uint32(s.from + cycles);
        if (cycles != 0) _mark(s, s.from, s.end, 1);
    }

    function _mark(Sender storage s, uint256 from, uint256 end, int128 sign) internal {
        for (uint256 i; i < s.slots.length; ++i) {
            Slot storage slot = s.slots[i];
            int128 change = sign * int128(uint128(slot.rate));
            deltas[slot.to][from] += change;
            deltas[slot.to][end] -= change;
        }
    }

    function _move(address from, address to, uint256 cycle, int128 change) internal {
        deltas[from][cycle] -= change;
        deltas[to][cycle] += change;
    }

    function _moveMergedEnd(address from, address to, uint256 cycle, int128 change) internal virtual {
        _move(from, to, cycle, change);
    }

    function _closingBalance(Sender storage s) internal view virtual returns (uint256) {
        return _balanceAt(s, currentCycle() + 1);
    }

    function _share(uint256 amount, uint256 weight) internal pure virtual returns (uint256) {
        return amount * weight / BPS;
    }

    /// @dev What is left at the start of `cycle`, all earlier ones paid.
    function _balanceAt(Sender storage s, uint256 cycle) internal view returns (uint256) {
        uint256 paid = FixedPointMathLib.min(cycle, s.end).zeroFloorSub(s.from);
        return s.balance - paid * s.totalRate;
    }

    function _removeSlot(Sender storage s, uint256 i) internal {
        s.slots[i] = s.slots[s.slots.length - 1];
        s.slots.pop();
    }

    function _find(Sender storage s, address to) internal view returns (uint256) {
        for (uint256 i; i < s.slots.length; ++i) {
            if (s.slots[i].to == to) return i;
        }
        return NONE;
    }

    function _mustFind(Sender storage s, address to) internal view returns (uint256 i) {
        i = _find(s, to);
        if (i == NONE) revert NoSuchReceiver();
    }

    function _sender(address sender) internal returns (Sender storage) {
        _touch(sender);
        return _senders[sender];
    }

    function _touch(address account) internal {
        Account storage a = _accounts[account];
        if (a.known) return;
        a.known = true;
        a.next = uint32(currentCycle());
        _known.push(account);
    }

    // ------------------------------------------------------------------ views

    function currentCycle() public view returns (uint256) {
        return (block.timestamp - genesis) / CYCLE;
    }

    /// @notice What a sender could withdraw now.
    function unspent(address sender) external view returns (uint256) {
        return _balanceAt(_senders[sender], currentCycle() + 1);
    }

    /// @notice The amount per cycle of `account` in `cycle`, and the sum of uncollected cycles up to it inclusive.
    function owedThrough(address account, uint256 cycle) external view returns (int256 rate, int256 sum) {
        Account storage a = _accounts[account];
        rate = a.rate;
        for (uint256 c = a.next; c <= cycle; ++c) {
            rate += deltas[account][c];
            sum += rate;
        }
    }

    function senders(address sender) external view returns (Sender memory) {
        return _senders[sender];
    }

    function accounts(address account) external view returns (Account memory) {
        return _accounts[account];
    }

    function splits(address account) external view returns (Split[] memory) {
        return _splits[account];
    }

    function knownCount() external view returns (uint256) {
        return _known.length;
    }

    function knownAt(uint256 i) external view returns (address) {
        return _known[i];
    }
}

contract StreamsBug is Streams {
    constructor(ERC20 token_, address owner_, uint256 feeBps_) Streams(token_, owner_, feeBps_) {}

    function _moveMergedEnd(address, address, uint256, int128) internal override {}

    function _closingBalance(Sender storage s) internal view override returns (uint256) {
        return _balanceAt(s, currentCycle());
    }

    function _share(uint256 amount, uint256 weight) internal pure override returns (uint256) {
        return FixedPointMathLib.mulDivUp(amount, weight, BPS);
    }
}
