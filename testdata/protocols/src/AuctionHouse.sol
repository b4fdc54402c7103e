// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {ReentrancyGuard} from "solady/utils/ReentrancyGuard.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Owned} from "solmate/auth/Owned.sol";

/// @title House of Dutch auctions
/// @notice Each seller runs one auction at a time, in rounds. The price falls linearly from the start price to the
/// floor. Buyers take any part of the lots at the price of the moment. When a later sale clears at a lower price,
/// the earlier buyers of the round get a share of the difference back. Prices are in cents per lot.
contract AuctionHouse is Owned, ReentrancyGuard {
    using SafeTransferLib for address;

    struct Auction {
        uint32 round;
        bool live;
        uint32 lots;
        uint32 sold;
        uint40 startPrice;
        uint32 floorPrice;
        uint40 clearing;
        uint40 startTime;
        uint40 endTime;
        uint16 feeBps;
        uint128 gross;
        uint128 granted;
        uint128 advanced;
        uint128 advanceFees;
    }

    struct Position {
        uint32 round;
        uint32 lots;
        uint128 index;
        uint128 owed;
    }

    struct Result {
        uint128 gross;
        uint128 granted;
        uint128 fee;
        uint128 toSeller;
        uint16 feeBps;
    }

    uint256 public constant LOT = 1e18;
    uint256 public constant CENT = 1e4;
    uint256 public constant BPS = 1e4;
    uint256 public constant REBATE_BPS = 5_000;
    uint16 public constant MAX_FEE_BPS = 500;
    uint256 public constant HALT_TIME = 6 hours;
    uint256 public constant MIN_RUN = 1 days;
    uint256 public constant MAX_LIVE = 32;

    address public immutable saleToken;
    address public immutable payToken;

    uint16 public feeBps;
    uint40 public haltedUntil;
    uint256 public feesAccrued;

    mapping(address seller => Auction) internal _auctions;
    mapping(address seller => uint256) public inventory;
    mapping(address seller => uint256) public proceeds;
    mapping(address seller => uint256) public rebateReserve;
    mapping(address seller => uint128) public rebateIndex;
    mapping(address seller => mapping(uint32 round => uint128)) public closingIndex;
    mapping(address seller => mapping(uint32 round => Result)) public results;
    mapping(address seller => mapping(address buyer => Position)) public positions;

    address[] internal _liveSellers;
    mapping(address seller => uint256) internal _liveSlot;

    event LotsDeposited(address indexed seller, uint256 lots);
    event LotsWithdrawn(address indexed seller, uint256 lots);
    event Listed(address indexed seller, uint32 round, uint256 lots, uint40 startPrice, uint32 floorPrice);
    event Sold(address indexed seller, address indexed buyer, uint256 lots, uint40 price);
    event ClearingDropped(address indexed seller, uint40 from, uint40 to);
    event Settled(address indexed seller, uint32 round, uint256 sold, uint256 toSeller, uint256 fee);
    event RebateClaimed(address indexed seller, address indexed buyer, uint256 amount);
    event PositionMoved(address indexed seller, address indexed from, address indexed to, uint256 lots);

    error Halted();
    error NotLive();
    error StillLive();
    error BadTerms();
    error NoLots();
    error PriceTooHigh();
    error FeeTooHigh();
    error BadReceiver();
    error HouseFull();

    constructor(address saleToken_, address payToken_, uint16 feeBps_, address owner_) Owned(owner_) {
        saleToken = saleToken_;
        payToken = payToken_;
        feeBps = feeBps_;
    }

    modifier whenOpen() {
        if (block.timestamp < haltedUntil) revert Halted();
        _;
    }

    // ---------------------------------------------------------------- owner

    function setFee(uint16 newFeeBps) external onlyOwner {
        if (newFeeBps > MAX_FEE_BPS) revert FeeTooHigh();
        feeBps = newFeeBps;
    }

    /// @notice Stops trading for some hours. Claims and withdrawals go on.
    function halt() external onlyOwner {
        haltedUntil = uint40(block.timestamp + HALT_TIME);
    }

    function collectFees(address to) external onlyOwner nonReentrant returns (uint256 amount) {
        if (to == address(0) || to == address(this)) revert BadReceiver();
        amount = feesAccrued;
        feesAccrued = 0;
        payToken.safeTransfer(to, amount);
    }

    // ---------------------------------------------------------------- sellers

    function depositLots(uint16 lots) external nonReentrant {
        if (lots == 0) revert NoLots();
        inventory[msg.sender] += lots;
        saleToken.safeTransferFrom(msg.sender, address(this), lots * LOT);
        emit LotsDeposited(msg.sender, lots);
    }

    function withdrawLots(uint16 lots) external nonReentrant {
        if (lots == 0) revert NoLots();
        inventory[msg.sender] -= lots;
        saleToken.safeTransfer(msg.sender, lots * LOT);
        emit LotsWithdrawn(msg.sender, lots);
    }

    /// @notice Starts a round with up to `lots` lots of the inventory, at `spread` cents above the floor.
    function list(uint16 lots, uint32 floorPrice, uint32 spread, uint8 durationHours)
        external
        nonReentrant
        whenOpen
    {
        if (_auctions[msg.sender].live) revert StillLive();
        uint256 available = inventory[msg.sender];
        if (lots > available) lots = uint16(available);
        inventory[msg.sender] = available - lots;
        _open(msg.sender, lots, floorPrice, spread, durationHours);
    }

    /// @notice Starts a new round with what the last one left over, at no higher start price.
    function relist(uint32 floorPrice, uint32 spread, uint8 durationHours) external nonReentrant whenOpen {
        Auction storage a = _auctions[msg.sender];
        if (uint256(floorPrice) + spread > a.startPrice) revert BadTerms();
        uint32 unsold = a.lots - a.sold;
        bool wasLive = a.live;
        if (wasLive) {
            if (block.timestamp < a.endTime) revert StillLive();
            _settle(msg.sender);
        }
        _carryOver(msg.sender, unsold, wasLive);
        _open(msg.sender, unsold, floorPrice, spread, durationHours);
    }

    /// @notice Ends the own auction early, after a day at least. If lots were sold, its buyers are
    /// treated as if it had cleared at the floor.
    function cancel() external nonReentrant {
        Auction storage a = _auctions[msg.sender];
        if (!a.live) revert NotLive();
        if (block.timestamp < a.startTime + MIN_RUN) revert StillLive();
        _dropClearing(msg.sender, a, a.floorPrice);
        _settle(msg.sender);
    }

    /// @notice Pays the part of the revenue that no rebate can take away any more.
    function collectAdvance() external nonReentrant returns (uint256 paid) {
        Auction storage a = _auctions[msg.sender];
        if (!a.live) revert NotLive();
        uint256 amount = guaranteed(msg.sender) - a.advanced;
        uint256 fee = amount * a.feeBps / BPS;
        a.advanced += uint128(amount);
        a.advanceFees += uint128(fee);
        feesAccrued += fee;
        paid = amount - fee;
        payToken.safeTransfer(msg.sender, paid);
    }

    function withdrawProceeds() external nonReentrant returns (uint256 amount) {
        amount = proceeds[msg.sender];
        proceeds[msg.sender] = 0;
        payToken.safeTransfer(msg.sender, amount);
    }

    /// @notice Closes an auction whose time is over.
    function settle(address seller) external nonReentrant {
        Auction storage a = _auctions[seller];
        if (!a.live) revert NotLive();
        if (block.timestamp < a.endTime) revert StillLive();
        _settle(seller);
    }

    // ---------------------------------------------------------------- buyers

    /// @notice Buys up to `lots` lots of a seller, at no more than `maxPrice` cents each.
    function buy(address seller, uint16 lots, uint40 maxPrice) public nonReentrant whenOpen returns (uint256) {
        return _buy(seller, lots, maxPrice);
    }

    /// @notice Buys from the auction that is the cheapest now.
    function buyCheapest(uint16 lots, uint40 maxPrice) external nonReentrant whenOpen returns (uint256) {
        address cheapest;
        uint256 lowest = type(uint256).max;
        for (uint256 i; i < _liveSellers.length; ++i) {
            address seller = _liveSellers[i];
            if (seller == msg.sender || block.timestamp >= _auctions[seller].endTime) continue;
            uint256 price = currentPrice(seller);
            if (price < lowest) (cheapest, lowest) = (seller, price);
        }
        return _buy(cheapest, lots, maxPrice);
    }

    function claimRebate(address seller) external nonReentrant returns (uint256 amount) {
        _accrue(seller, msg.sender);
        Position storage p = positions[seller][msg.sender];
        amount = p.owed;
        p.owed = 0;
        rebateReserve[seller] -= amount;
        payToken.safeTransfer(msg.sender, amount);
        emit RebateClaimed(seller, msg.sender, amount);
    }

    /// @notice Moves the right to later rebates of the running round. What has accrued stays with the sender.
    function transferPosition(address seller, address to, uint16 lots) external nonReentrant {
        if (to == address(0) || to == msg.sender || to == seller) revert BadReceiver();
        _accrue(seller, msg.sender);
        _accrue(seller, to);
        positions[seller][msg.sender].lots -= lots;
        positions[seller][to].lots += lots;
        emit PositionMoved(seller, msg.sender, to, lots);
    }

    // ---------------------------------------------------------------- views

    function auctionOf(address seller) external view returns (Auction memory) {
        return _auctions[seller];
    }

    function liveSellers() external view returns (address[] memory) {
        return _liveSellers;
    }

    function currentPrice(address seller) public view returns (uint40) {
        Auction storage a = _auctions[seller];
        if (block.timestamp >= a.endTime) return a.floorPrice;
        uint256 fall = FixedPointMathLib.mulDiv(
            a.startPrice - a.floorPrice, block.timestamp - a.startTime, a.endTime - a.startTime
        );
        return a.startPrice - uint40(fall);
    }

    /// @notice Revenue of the running round that stays even if the auction clears at the floor.
    function guaranteed(address seller) public view returns (uint256) {
        Auction storage a = _auctions[seller];
        uint256 atRisk = uint256(a.sold) * (a.clearing - a.floorPrice) * CENT * REBATE_BPS / BPS;
        return a.gross - a.granted - atRisk;
    }

    function pendingRebate(address seller, address buyer) external view returns (uint256) {
        Position storage p = positions[seller][buyer];
        return p.owed + uint256(p.lots) * (_indexFor(seller, p.round) - p.index);
    }

    // ---------------------------------------------------------------- internals

    function _open(address seller, uint32 lots, uint32 floorPrice, uint32 spread, uint8 durationHours) internal {
        if (lots == 0) revert NoLots();
        if (floorPrice == 0 || durationHours == 0) revert BadTerms();
        uint40 startPrice = uint40(floorPrice) + spread;
        Auction storage a = _auctions[seller];
        a.round += 1;
        a.live = true;
        a.lots = lots;
        a.sold = 0;
        a.startPrice = startPrice;
        a.floorPrice = floorPrice;
        a.clearing = startPrice;
        a.startTime = uint40(block.timestamp);
        a.endTime = uint40(block.timestamp + uint256(durationHours) * 1 hours);
        a.feeBps = feeBps;
        a.gross = 0;
        a.granted = 0;
        a.advanced = 0;
        a.advanceFees = 0;

        if (_liveSellers.length >= MAX_LIVE) revert HouseFull();
        _liveSellers.push(seller);
        _liveSlot[seller] = _liveSellers.length;
        emit Listed(seller, a.round, lots, startPrice, floorPrice);
    }

    /// @dev Takes the lots of a relisted round out of the inventory.
    function _carryOver(address seller, uint32 unsold, bool) internal virtual {
        inventory[seller] -= unsold;
    }

    function _buy(address seller, uint32 lots, uint40 maxPrice) internal returns (uint256 cost) {
        Auction storage a = _auctions[seller];
        if (!a.live || block.timestamp >= a.endTime) revert NotLive();
        if (seller == msg.sender) revert BadReceiver();
        if (lots == 0) revert NoLots();
        uint40 price = currentPrice(seller);
        if (price > maxPrice) revert PriceTooHigh();
        uint32 left = a.lots - a.sold;
        if (lots > left) lots = left;

        _dropClearing(seller, a, price);
        _accrue(seller, msg.sender);
        positions[seller][msg.sender].lots += lots;
        a.sold += lots;
        cost = uint256(lots) * price * CENT;
        a.gross += uint128(cost);

        payToken.safeTransferFrom(msg.sender, address(this), cost);
        saleToken.safeTransfer(msg.sender, lots * LOT);
        emit Sold(seller, msg.sender, lots, price);
        if (a.sold == a.lots) _settle(seller);
    }

    /// @dev Lowers the clearing price and grants the rebate for all lots sold so far.
    function _dropClearing(address seller, Auction storage a, uint40 price) internal {
        uint40 from = a.clearing;
        if (price >= from) return;
        a.clearing = price;
        if (a.sold == 0) return;
        uint128 perLot = uint128(uint256(from - price) * CENT * REBATE_BPS / BPS);
        rebateIndex[seller] += perLot;
        a.granted += perLot * a.sold;
        rebateReserve[seller] += uint256(perLot) * a.sold;
        emit ClearingDropped(seller, from, price);
    }

    function _settle(address seller) internal {
        Auction storage a = _auctions[seller];
        a.live = false;
        closingIndex[seller][a.round] = rebateIndex[seller];
        inventory[seller] += a.lots - a.sold;

        uint256 net = a.gross - a.granted;
        uint256 fee = _feeBase(a, net) * a.feeBps / BPS;
        uint256 due = net - a.advanced - fee;
        feesAccrued += fee;
        proceeds[seller] += due;
        results[seller][a.round] = Result({
            gross: a.gross,
            granted: a.granted,
            fee: uint128(fee) + a.advanceFees,
            toSeller: uint128(due) + a.advanced - a.advanceFees,
            feeBps: a.feeBps
        });

        uint256 slot = _liveSlot[seller];
        address last = _liveSellers[_liveSellers.length - 1];
        _liveSellers[slot - 1] = last;
        _liveSlot[last] = slot;
        _liveSlot[seller] = 0;
        _liveSellers.pop();
        emit Settled(seller, a.round, a.sold, due, fee);
    }

    /// @dev The revenue that the fee of the settlement is charged on.
    function _feeBase(Auction storage a, uint256 net) internal view virtual returns (uint256) {
        return net - a.advanced;
    }

    function _accrue(address seller, address buyer) internal {
        Position storage p = positions[seller][buyer];
        uint32 round = _auctions[seller].round;
        p.owed += p.lots * (_indexFor(seller, p.round) - p.index);
        p.index = rebateIndex[seller];
        if (p.round != round) {
            p.round = round;
            p.lots = 0;
        }
    }

    /// @dev The rebate index up to which a position of the given round earns.
    function _indexFor(address seller, uint32 round) internal view virtual returns (uint128) {
        return round == _auctions[seller].round ? rebateIndex[seller] : closingIndex[seller][round];
    }
}
