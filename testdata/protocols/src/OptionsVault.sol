// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {PriceOracle} from "./options/PriceOracle.sol";

/// @title Covered call vault with weekly rounds
/// @notice Deposits wait for the next round and then become shares. In a round the vault sells calls against its
/// assets; premiums are paid in dollars and shared by an index. At the end of the round the calls are settled in the
/// asset. Queued withdrawals leave at the share price of the end of the round in which they were queued.
contract OptionsVault is ERC20, AccessControl {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using Math for uint256;

    struct Round {
        uint64 strike;
        uint40 expiry;
        bool settled;
        uint128 capacity;
        uint128 sold;
        uint128 payoutPerOption;
        uint128 sharePrice;
        uint256 closingIndex;
    }

    struct Account {
        uint128 pending;
        uint128 unclaimed;
        uint128 queued;
        uint128 withdrawable;
        uint32 pendingRound;
        uint32 queuedRound;
        uint128 credit;
        uint256 index;
    }

    struct Ticket {
        uint32 round;
        uint128 amount;
        uint128 payout;
    }

    bytes32 public constant KEEPER_ROLE = keccak256("KEEPER_ROLE");
    bytes32 public constant TREASURY_ROLE = keccak256("TREASURY_ROLE");

    uint256 public constant WAD = 1e18;
    uint256 public constant INDEX_SCALE = 1e27;
    uint256 public constant BPS = 1e4;
    uint256 public constant STRIKE_BPS = 11_000;
    uint256 public constant PREMIUM_BPS = 150;
    uint256 public constant PREMIUM_FEE_BPS = 1_000;
    uint256 public constant EXPIRY_OFFSET = 32 hours;
    uint256 public constant MIN_ROUND = 2 days;
    uint256 public constant SALE_CUTOFF = 12 hours;
    uint256 public constant MIN_DEPOSIT = 1e5;

    IERC20 public immutable asset;
    IERC20 public immutable cash;
    PriceOracle public immutable oracle;

    uint32 public round;
    uint256 public depositCap;
    uint256 public vaultAssets;
    uint256 public totalPending;
    uint256 public totalQueued;
    uint256 public withdrawReserve;
    uint256 public payoutReserve;
    uint256 public premiumIndex;
    uint256 public premiumPot;
    uint256 public feesAccrued;

    mapping(uint32 => Round) internal _rounds;
    mapping(address => Account) internal _accounts;
    mapping(address => Ticket) internal _tickets;

    event Deposited(address indexed account, uint256 amount, uint32 round);
    event PendingWithdrawn(address indexed account, uint256 amount);
    event SharesClaimed(address indexed account, uint256 shares);
    event WithdrawQueued(address indexed account, uint256 shares, uint32 round);
    event QueueCancelled(address indexed account, uint256 shares);
    event Withdrawn(address indexed account, uint256 amount);
    event PremiumClaimed(address indexed account, uint256 amount);
    event OptionsBought(address indexed buyer, uint32 round, uint256 amount, uint256 premium);
    event OptionsMoved(address indexed from, address indexed to, uint32 round, uint256 amount);
    event PayoutClaimed(address indexed buyer, uint256 amount);
    event RoundSettled(uint32 indexed round, uint256 price, uint256 payout);
    event RoundOpened(uint32 indexed round, uint256 strike, uint256 expiry, uint256 capacity);

    error BadAmount();
    error CapReached();
    error NotExpired();
    error RoundNotOpen();
    error SaleClosed();
    error BadReceiver();

    constructor(IERC20 asset_, IERC20 cash_, PriceOracle oracle_, uint256 depositCap_, address admin)
        ERC20("Covered Call Vault", "ccBTC")
    {
        asset = asset_;
        cash = cash_;
        oracle = oracle_;
        depositCap = depositCap_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(KEEPER_ROLE, admin);
        _grantRole(TREASURY_ROLE, admin);
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }

    // ---------------------------------------------------------------- depositors

    function deposit(uint256 amount) external {
        if (amount < MIN_DEPOSIT) revert BadAmount();
        if (vaultAssets + totalPending + amount > depositCap) revert CapReached();
        Account storage a = _sync(msg.sender);
        a.pending += amount.toUint128();
        a.pendingRound = round;
        totalPending += amount;
        asset.safeTransferFrom(msg.sender, address(this), amount);
        emit Deposited(msg.sender, amount, round);
    }

    /// @notice Takes back a deposit that has not entered a round.
    function withdrawPending(uint256 amount) external {
        Account storage a = _sync(msg.sender);
        a.pending -= amount.toUint128();
        totalPending -= amount;
        asset.safeTransfer(msg.sender, amount);
        emit PendingWithdrawn(msg.sender, amount);
    }

    /// @notice Moves the shares of earlier deposits into the wallet.
    function claimShares() external returns (uint256 shares) {
        Account storage a = _sync(msg.sender);
        shares = a.unclaimed;
        a.unclaimed = 0;
        _transfer(address(this), msg.sender, shares);
        emit SharesClaimed(msg.sender, shares);
    }

    /// @notice Queues shares for withdrawal at the end of the round, unclaimed ones first.
    function queueWithdraw(uint256 shares) external {
        if (shares == 0) revert BadAmount();
        Account storage a = _sync(msg.sender);
        uint256 fromUnclaimed = shares.min(a.unclaimed);
        a.unclaimed -= uint128(fromUnclaimed);
        if (shares > fromUnclaimed) _transfer(msg.sender, address(this), shares - fromUnclaimed);
        a.queued += shares.toUint128();
        a.queuedRound = round;
        totalQueued += shares;
        emit WithdrawQueued(msg.sender, shares, round);
    }

    function cancelQueue(uint256 shares) external {
        Account storage a = _sync(msg.sender);
        a.queued -= shares.toUint128();
        a.unclaimed += uint128(shares);
        totalQueued -= shares;
        emit QueueCancelled(msg.sender, shares);
    }

    function completeWithdraw() external returns (uint256 amount) {
        Account storage a = _sync(msg.sender);
        amount = a.withdrawable;
        a.withdrawable = 0;
        withdrawReserve -= amount;
        asset.safeTransfer(msg.sender, amount);
        emit Withdrawn(msg.sender, amount);
    }

    function claimPremium() external returns (uint256 amount) {
        Account storage a = _sync(msg.sender);
        amount = a.credit;
        a.credit = 0;
        premiumPot -= amount;
        cash.safeTransfer(msg.sender, amount);
        emit PremiumClaimed(msg.sender, amount);
    }

    // ---------------------------------------------------------------- option buyers

    function premiumFor(uint256 amount) public view returns (uint256) {
        return (amount * oracle.price()).mulDiv(PREMIUM_BPS, BPS * 1e10, Math.Rounding.Ceil);
    }

    function buyOptions(uint256 amount) external returns (uint256 premium) {
        Round storage r = _rounds[round];
        if (round == 0 || r.settled) revert RoundNotOpen();
        if (block.timestamp + SALE_CUTOFF > r.expiry) revert SaleClosed();
        if (amount == 0 || r.sold + amount > r.capacity) revert BadAmount();

        Ticket storage t = _settleTicket(msg.sender);
        t.amount += uint128(amount);
        r.sold += uint128(amount);

        premium = premiumFor(amount);
        uint256 fee = premium * PREMIUM_FEE_BPS / BPS;
        feesAccrued += fee;
        premiumPot += premium - fee;
        premiumIndex += (premium - fee) * INDEX_SCALE / totalSupply();
        cash.safeTransferFrom(msg.sender, address(this), premium);
        emit OptionsBought(msg.sender, round, amount, premium);
    }

    /// @notice Gives options of the running round to someone else.
    function transferOptions(address to, uint256 amount) external {
        if (to == address(0) || to == msg.sender) revert BadReceiver();
        if (round == 0 || _rounds[round].settled) revert RoundNotOpen();
        Ticket storage t = _settleTicket(msg.sender);
        t.amount -= amount.toUint128();
        _creditTicket(to, uint128(amount));
        emit OptionsMoved(msg.sender, to, round, amount);
    }

    function claimPayout() external returns (uint256 amount) {
        Ticket storage t = _settleTicket(msg.sender);
        amount = t.payout;
        t.payout = 0;
        payoutReserve -= amount;
        asset.safeTransfer(msg.sender, amount);
        emit PayoutClaimed(msg.sender, amount);
    }

    // ---------------------------------------------------------------- rounds

    /// @notice Settles the calls of the round at the price of now, once it has expired.
    function settle() public {
        Round storage r = _rounds[round];
        if (round == 0 || r.settled) revert RoundNotOpen();
        if (block.timestamp < r.expiry) revert NotExpired();
        uint256 price = oracle.price();
        if (price > r.strike) r.payoutPerOption = uint128((price - r.strike) * WAD / price);
        uint256 payout = uint256(r.sold) * r.payoutPerOption / WAD;
        r.settled = true;
        vaultAssets -= payout;
        payoutReserve += payout;
        emit RoundSettled(round, price, payout);
    }

    /// @notice Closes the round, if there is one, and opens the next.
    function roll() external onlyRole(KEEPER_ROLE) {
        if (round != 0 && !_rounds[round].settled) settle();
        _close(_rounds[round]);

        uint256 expiry = _nextExpiry();
        Round storage r = _rounds[++round];
        r.strike = (oracle.price() * STRIKE_BPS / BPS).toUint64();
        r.expiry = uint40(expiry);
        r.capacity = vaultAssets.toUint128();
        emit RoundOpened(round, r.strike, expiry, vaultAssets);
    }

    function setDepositCap(uint256 cap) external onlyRole(DEFAULT_ADMIN_ROLE) {
        depositCap = cap;
    }

    function collectFees(address to) external onlyRole(TREASURY_ROLE) returns (uint256 amount) {
        amount = feesAccrued;
        feesAccrued = 0;
        cash.safeTransfer(to, amount);
    }

    // ---------------------------------------------------------------- views

    function getRound(uint32 id) external view returns (Round memory) {
        return _rounds[id];
    }

    /// @notice The account as it is after all closed rounds and premiums are booked.
    function accountOf(address account) public view returns (Account memory a) {
        a = _accounts[account];
        a.credit += _earned(balanceOf(account) + a.unclaimed, a.index, premiumIndex);

        if (a.queued > 0) {
            bool closed = a.queuedRound < round;
            uint256 end = closed ? _rounds[a.queuedRound].closingIndex : premiumIndex;
            a.credit += _earned(a.queued, a.index, end);
            if (closed) {
                a.withdrawable += uint128(a.queued * _exitPrice(a.queuedRound) / WAD);
                a.queued = 0;
            }
        }
        if (a.pending > 0 && a.pendingRound < round) {
            Round storage r = _rounds[a.pendingRound];
            uint128 shares = uint128(a.pending * WAD / r.sharePrice);
            a.unclaimed += shares;
            a.credit += _earned(shares, r.closingIndex, premiumIndex);
            a.pending = 0;
        }
        a.index = premiumIndex;
    }

    /// @notice The options of a buyer after settlement of closed rounds.
    function ticketOf(address buyer) public view returns (Ticket memory t) {
        t = _tickets[buyer];
        Round storage r = _rounds[t.round];
        if (r.settled) {
            t.payout += uint128(uint256(t.amount) * r.payoutPerOption / WAD);
            t.amount = 0;
        }
    }

    // ---------------------------------------------------------------- internals

    function _close(Round storage r) internal {
        uint256 supply = totalSupply();
        uint256 price = supply == 0 ? WAD : vaultAssets * WAD / supply;
        r.sharePrice = price.toUint128();
        r.closingIndex = premiumIndex;

        uint256 leaving = totalQueued * price / WAD;
        vaultAssets -= leaving;
        withdrawReserve += leaving;
        _burn(address(this), totalQueued);
        totalQueued = 0;

        uint256 entering = totalPending;
        _mint(address(this), entering * WAD / price);
        vaultAssets += entering;
        totalPending = 0;
    }

    function _nextExpiry() internal view returns (uint256 expiry) {
        expiry = ((block.timestamp - EXPIRY_OFFSET) / 1 weeks + 1) * 1 weeks + EXPIRY_OFFSET;
        if (expiry - block.timestamp < MIN_ROUND) expiry += 1 weeks;
    }

    function _earned(uint256 shares, uint256 from, uint256 to) internal pure returns (uint128) {
        return uint128(shares * (to - from) / INDEX_SCALE);
    }

    /// @dev The share price at which a withdrawal queued in the given, closed round leaves.
    function _exitPrice(uint32 queuedRound) internal view virtual returns (uint256) {
        return _rounds[queuedRound].sharePrice;
    }

    function _sync(address account) internal returns (Account storage a) {
        a = _accounts[account];
        _accounts[account] = accountOf(account);
    }

    function _settleTicket(address buyer) internal returns (Ticket storage t) {
        t = _tickets[buyer];
        _tickets[buyer] = ticketOf(buyer);
        if (t.amount == 0) t.round = round;
    }

    /// @dev Adds options of the running round to the ticket of a receiver.
    function _creditTicket(address to, uint128 amount) internal virtual {
        Ticket storage t = _settleTicket(to);
        t.amount += amount;
    }

    /// @dev Books what the receiver of a share transfer has earned before its balance changes.
    function _syncReceiver(address to) internal virtual {
        _sync(to);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0) && from != address(this)) _sync(from);
        if (to != address(0) && to != address(this)) _syncReceiver(to);
        super._update(from, to, value);
    }
}
