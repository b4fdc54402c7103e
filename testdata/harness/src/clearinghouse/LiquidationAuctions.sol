// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {IGovernor, IInsurance, ILedger, ILines, IPriceFeed, IVault} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

/// @notice Falling-price auctions of the collateral of borrowers that are unhealthy or overdue.
contract LiquidationAuctions is ModuleBase, ReentrancyGuard {
    using FixedPointMathLib for uint256;

    uint256 public constant LOT_MARGIN = 12_000;
    uint256 public constant START_PREMIUM = 11_500;
    uint256 public constant DECAY = 5000;
    uint256 public constant FULL_CLOSE = 9500;
    uint256 public constant MIN_TARGET = 500e18;
    uint256 public constant DUST_VALUE = 1e18;
    uint256 public constant MAX_ROUNDS = 4;

    struct Auction {
        address borrower;
        uint8 asset;
        bool open;
        uint8 rounds;
        uint64 startedAt;
        uint64 length;
        uint256 startPrice;
        uint256 lot;
        uint256 lotLeft;
        uint256 target;
        uint256 raised;
    }

    IGovernor public immutable governor;
    IPriceFeed public immutable feed;
    IVault public immutable vault;
    ILedger public immutable ledger;
    ILines public immutable lines;
    IInsurance public immutable insurance;

    Auction[] internal _auctions;
    /// @notice Id plus one of the open auction of a borrower's asset.
    mapping(address => mapping(uint8 => uint256)) public openOf;
    mapping(address => uint256) public openCount;

    event AuctionStarted(uint256 indexed id, address indexed borrower, uint8 asset, uint256 lot, uint256 target);
    event AuctionBid(uint256 indexed id, address indexed bidder, uint256 taken, uint256 paid);
    event AuctionRestarted(uint256 indexed id, uint256 round);
    event AuctionClosed(uint256 indexed id, uint256 returned);
    event WrittenOff(address indexed borrower, uint256 debt, uint256 covered);

    constructor(
        IGovernor governor_,
        IPriceFeed feed_,
        IVault vault_,
        ILedger ledger_,
        ILines lines_,
        IInsurance insurance_
    ) {
        governor = governor_;
        feed = feed_;
        vault = vault_;
        ledger = ledger_;
        lines = lines_;
        insurance = insurance_;
    }

    function start(address borrower, uint8 asset) external nonReentrant returns (uint256 id) {
        ledger.accrue();
        require(openOf[borrower][asset] == 0, "auction: open");
        require(lines.isLiquidatable(borrower), "auction: healthy");
        uint256 held = vault.balanceOf(borrower, asset);
        require(held > 0, "auction: no collateral");
        uint256 target = _targetFor(borrower);
        uint256 price = feed.price(asset);
        uint256 lot = target.mulDivUp(LOT_MARGIN, Units.BPS).mulDivUp(vault.unitOf(asset), price);
        lot = Units.min(lot, held);
        id = _auctions.length;
        _auctions.push();
        Auction storage a = _auctions[id];
        a.borrower = borrower;
        a.asset = asset;
        a.open = true;
        a.startedAt = uint64(block.timestamp);
        a.length = uint64(governor.value(Params.AUCTION_LENGTH));
        a.startPrice = price.mulDivUp(START_PREMIUM, Units.BPS);
        a.lot = lot;
        a.lotLeft = lot;
        a.target = target;
        openOf[borrower][asset] = id + 1;
        openCount[borrower] += 1;
        vault.moveCollateral(borrower, address(this), asset, lot);
        emit AuctionStarted(id, borrower, asset, lot, target);
    }

    function _targetFor(address borrower) internal view returns (uint256 target) {
        uint256 debt = lines.debtOf(borrower);
        bool full = lines.isOverdue(borrower);
        if (!full) full = vault.liquidationValue(borrower) * Units.BPS < debt * FULL_CLOSE;
        if (full) return debt;
        target = debt.mulDivUp(governor.value(Params.CLOSE_FACTOR), Units.BPS);
        if (target < MIN_TARGET) target = Units.min(debt, MIN_TARGET);
    }

    function bid(uint256 id, uint256 lotWanted, uint256 maxPay)
        external
        nonReentrant
        returns (uint256 taken, uint256 paid)
    {
        ledger.accrue();
        Auction storage a = _get(id);
        require(a.open, "auction: closed");
        require(!isExpired(id), "auction: expired");
        require(msg.sender != a.borrower, "auction: borrower");
        require(lotWanted > 0, "auction: lot");
        uint256 debt = lines.debtOf(a.borrower);
        if (debt == 0) {
            _close(id);
            return (0, 0);
        }
        uint256 price = currentPrice(id);
        uint256 unit = vault.unitOf(a.asset);
        uint256 room = Units.min(a.target - a.raised, debt);
        taken = Units.min(lotWanted, a.lotLeft);
        paid = taken.mulDivUp(price, unit);
        if (paid > room) {
            paid = room;
            taken = room.mulDivDown(unit, price);
        }
        require(paid > 0, "auction: nothing");
        require(paid <= maxPay, "auction: price");
        a.raised += paid;
        a.lotLeft -= taken;
        lines.settle(a.borrower, paid, msg.sender);
        if (taken > 0) vault.moveCollateral(address(this), msg.sender, a.asset, taken);
        emit AuctionBid(id, msg.sender, taken, paid);
        if (a.raised >= a.target || a.lotLeft == 0 || lines.debtOf(a.borrower) == 0) _close(id);
    }

    /// @notice Starts an expired auction again at the present price.
    function redo(uint256 id) external nonReentrant {
        ledger.accrue();
        Auction storage a = _get(id);
        require(a.open, "auction: closed");
        require(isExpired(id), "auction: running");
        require(a.rounds < MAX_ROUNDS, "auction: rounds");
        a.rounds += 1;
        _rearm(a);
        emit AuctionRestarted(id, a.rounds);
    }

    /// @notice Closes an auction whose borrower has no more debt, or that has run out of rounds.
    function cancel(uint256 id) external nonReentrant {
        ledger.accrue();
        Auction storage a = _get(id);
        require(a.open, "auction: closed");
        bool spent = isExpired(id) && a.rounds >= MAX_ROUNDS;
        require(spent || lines.debtOf(a.borrower) == 0, "auction: needed");
        _close(id);
    }

    /// @notice Ends the debt of a borrower that has no collateral left.
    function writeOff(address borrower) external nonReentrant returns (uint256 debt, uint256 covered) {
        require(openCount[borrower] == 0, "auction: open");
        require(vault.collateralValue(borrower) < DUST_VALUE, "auction: collateral");
        debt = _lossOf(borrower);
        require(debt > 0, "auction: no debt");
        covered = insurance.cover(debt);
        lines.forgive(borrower, debt);
        ledger.recordBadDebt(debt - covered);
        emit WrittenOff(borrower, debt, covered);
    }

    function _lossOf(address borrower) internal virtual returns (uint256) {
        ledger.accrue();
        return lines.debtOf(borrower);
    }

    function _rearm(Auction storage a) internal virtual {
        a.startedAt = uint64(block.timestamp);
        a.length = uint64(governor.value(Params.AUCTION_LENGTH));
        a.startPrice = feed.price(a.asset).mulDivUp(START_PREMIUM, Units.BPS);
    }

    function _close(uint256 id) internal {
        Auction storage a = _auctions[id];
        uint256 left = a.lotLeft;
        a.open = false;
        a.lotLeft = 0;
        delete openOf[a.borrower][a.asset];
        openCount[a.borrower] -= 1;
        if (left > 0) vault.moveCollateral(address(this), a.borrower, a.asset, left);
        emit AuctionClosed(id, left);
    }

    function _get(uint256 id) internal view returns (Auction storage) {
        require(id < _auctions.length, "auction: unknown");
        return _auctions[id];
    }

    function isExpired(uint256 id) public view returns (bool) {
        Auction storage a = _get(id);
        return block.timestamp >= uint256(a.startedAt) + a.length;
    }

    function currentPrice(uint256 id) public view returns (uint256) {
        Auction storage a = _get(id);
        uint256 elapsed = Units.min(block.timestamp - a.startedAt, a.length);
        uint256 fall = DECAY.mulDivDown(elapsed, a.length);
        return a.startPrice.mulDivUp(Units.BPS - fall, Units.BPS);
    }

    function auctionOf(uint256 id) external view returns (Auction memory) {
        return _get(id);
    }

    function auctionCount() external view returns (uint256) {
        return _auctions.length;
    }
}
