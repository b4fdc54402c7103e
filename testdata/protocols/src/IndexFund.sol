// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {OwnableRoles} from "solady/auth/OwnableRoles.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {RewardStreams} from "./indexfund/RewardStreams.sol";

/// @notice A share of a basket. Shares are minted and redeemed in kind; a management fee is streamed as new shares; the
/// manager rebalances by Dutch auctions of one asset for another.
contract IndexFund is RewardStreams, OwnableRoles {
    using FixedPointMathLib for uint256;

    struct Auction {
        uint256 sell;
        uint256 buy;
        uint256 remaining;
        uint256 startPrice;
        uint256 endPrice;
        uint256 startedAt;
    }

    uint256 public constant MANAGER = _ROLE_0;
    uint256 public constant PAUSER = _ROLE_1;

    uint256 internal constant WAD = 1e18;
    uint256 internal constant BPS = 10_000;
    uint256 internal constant YEAR = 365 days;
    uint256 public constant MAX_FEE = 0.03e18;
    uint256 public constant FEE_NOTICE = 7 days;
    uint256 public constant EXIT_FEE_BPS = 10;
    uint256 public constant AUCTION_TIME = 2 days;
    uint256 public constant AUCTION_GAP = 3 days;
    uint256 public constant AUCTION_SHARE_BPS = 3000;
    uint256 public constant MAX_PAUSE = 3 days;

    address[] public assets;
    uint256[] public holdings;
    address public feeRecipient;
    uint256 public supplyCap;

    uint256 public feeRate;
    uint256 public nextFeeRate;
    uint256 public nextFeeAt;
    uint256 public feeAccruedAt;
    uint256 public cumulativeFee;

    Auction public auction;
    bool public auctionOpen;
    uint256 public auctionAllowedAt;
    uint256 public pausedUntil;

    event Minted(address indexed by, address indexed to, uint256 shares);
    event Redeemed(address indexed by, address indexed to, uint256 shares);
    event FeeAnnounced(uint256 rate, uint256 from);
    event FeeAccrued(uint256 fraction, uint256 shares);
    event AuctionStarted(uint256 indexed sell, uint256 indexed buy, uint256 amount);
    event AuctionBid(address indexed bidder, uint256 amount, uint256 cost);
    event AuctionEnded(uint256 unsold);

    error Paused();
    error ZeroShares();
    error CapExceeded();
    error FeeTooHigh();
    error AuctionRunning();
    error NoAuction();
    error BadAuction();
    error TooEarly();
    error CostTooHigh();
    error PauseTooLong();

    constructor(
        address[] memory assets_,
        uint256[] memory amounts,
        uint256 shares,
        address feeRecipient_,
        uint256 supplyCap_,
        uint256 feeRate_
    ) {
        _initializeOwner(msg.sender);
        feeRecipient = feeRecipient_;
        supplyCap = supplyCap_;
        feeRate = feeRate_;
        feeAccruedAt = block.timestamp;
        auctionAllowedAt = block.timestamp + AUCTION_GAP;
        for (uint256 i; i < assets_.length; ++i) {
            assets.push(assets_[i]);
            holdings.push(amounts[i]);
            SafeTransferLib.safeTransferFrom(assets_[i], msg.sender, address(this), amounts[i]);
        }
        _mint(address(0xdead), shares);
    }

    function name() public pure override returns (string memory) {
        return "Blue Basket";
    }

    function symbol() public pure override returns (string memory) {
        return "BLUE";
    }

    // ---- roles

    function pause(uint256 time) external onlyRoles(PAUSER) {
        if (time > MAX_PAUSE) revert PauseTooLong();
        pausedUntil = block.timestamp + time;
    }

    function setSupplyCap(uint256 cap) external onlyOwner {
        supplyCap = cap;
    }

    function addReward(address token) external onlyRoles(MANAGER) {
        _addStream(token);
    }

    function removeReward(address token) external onlyRoles(MANAGER) {
        _removeStream(token, feeRecipient);
    }

    function notifyReward(address token, uint256 amount) external onlyRoles(MANAGER) {
        _notify(token, amount, msg.sender);
    }

    // ---- mint and redeem

    function mint(uint256 shares, address to) external {
        if (block.timestamp < pausedUntil) revert Paused();
        if (shares == 0) revert ZeroShares();
        accrueFee();
        uint256 supply = totalSupply();
        if (supply + shares > supplyCap) revert CapExceeded();
        for (uint256 i; i < assets.length; ++i) {
            uint256 amount = holdings[i].fullMulDivUp(shares, supply);
            holdings[i] += amount;
            SafeTransferLib.safeTransferFrom(assets[i], msg.sender, address(this), amount);
        }
        _mint(to, shares);
        emit Minted(msg.sender, to, shares);
    }

    /// @notice A small exit fee stays with the other holders.
    function redeem(uint256 shares, address to) external {
        if (shares == 0) revert ZeroShares();
        accrueFee();
        uint256 supply = totalSupply();
        _burn(msg.sender, shares);
        uint256[] memory amounts = _takeOut(shares, supply);
        for (uint256 i; i < amounts.length; ++i) {
            SafeTransferLib.safeTransfer(assets[i], to, amounts[i]);
        }
        emit Redeemed(msg.sender, to, shares);
    }

    function _takeOut(uint256 shares, uint256 supply) internal virtual returns (uint256[] memory amounts) {
        amounts = _reduceHoldings(shares, supply);
        _capAuction();
    }

    function _reduceHoldings(uint256 shares, uint256 supply) internal returns (uint256[] memory amounts) {
        amounts = new uint256[](assets.length);
        for (uint256 i; i < amounts.length; ++i) {
            uint256 part = holdings[i].fullMulDiv(shares, supply);
            amounts[i] = part - part.mulDivUp(EXIT_FEE_BPS, BPS);
            holdings[i] -= amounts[i];
        }
    }

    /// @dev An auction never sells more than the fund holds.
    function _capAuction() internal {
        if (auctionOpen && auction.remaining > holdings[auction.sell]) auction.remaining = holdings[auction.sell];
    }

    // ---- management fee

    /// @notice A new fee holds after a notice of seven days.
    function announceFee(uint256 rate) external onlyRoles(MANAGER) {
        if (rate > MAX_FEE) revert FeeTooHigh();
        accrueFee();
        nextFeeRate = rate;
        nextFeeAt = block.timestamp + FEE_NOTICE;
        emit FeeAnnounced(rate, nextFeeAt);
    }

    function accrueFee() public {
        if (block.timestamp == feeAccruedAt) return;
        uint256 fraction = _feeSince(feeAccruedAt);
        if (nextFeeAt != 0 && block.timestamp >= nextFeeAt) {
            feeRate = nextFeeRate;
            nextFeeAt = 0;
        }
        feeAccruedAt = block.timestamp;
        if (fraction == 0) return;
        cumulativeFee += fraction;
        uint256 shares = totalSupply().fullMulDiv(fraction, WAD - fraction);
        _mint(feeRecipient, shares);
        emit FeeAccrued(fraction, shares);
    }

    /// @dev The part of the fund that is due for the time since the last accrual.
    function _feeSince(uint256 since) internal view virtual returns (uint256) {
        if (nextFeeAt == 0 || block.timestamp < nextFeeAt) return feeRate * (block.timestamp - since) / YEAR;
        return (feeRate * (nextFeeAt - since) + nextFeeRate * (block.timestamp - nextFeeAt)) / YEAR;
    }

    // ---- rebalancing

    /// @param startPrice Units of the bought asset for 1e18 units of the sold one; falls in a line to `endPrice`.
    function startAuction(uint256 sell, uint256 buy, uint256 amount, uint256 startPrice, uint256 endPrice)
        external
        onlyRoles(MANAGER)
    {
        if (block.timestamp < pausedUntil) revert Paused();
        if (auctionOpen) revert AuctionRunning();
        if (block.timestamp < auctionAllowedAt) revert TooEarly();
        if (sell == buy || sell >= assets.length || buy >= assets.length) revert BadAuction();
        if (amount == 0 || amount > holdings[sell] * AUCTION_SHARE_BPS / BPS) revert BadAuction();
        if (endPrice == 0 || startPrice < endPrice) revert BadAuction();
        auction = Auction(sell, buy, amount, startPrice, endPrice, block.timestamp);
        auctionOpen = true;
        emit AuctionStarted(sell, buy, amount);
    }

    function bid(uint256 amount, uint256 maxCost) external {
        if (!auctionOpen || block.timestamp > auction.startedAt + AUCTION_TIME) revert NoAuction();
        Auction memory a = auction;
        amount = amount.min(a.remaining);
        if (amount == 0) revert BadAuction();
        uint256 cost = amount.fullMulDivUp(auctionPrice(), WAD);
        if (cost > maxCost) revert CostTooHigh();
        auction.remaining = a.remaining - amount;
        holdings[a.sell] -= amount;
        holdings[a.buy] += cost;
        emit AuctionBid(msg.sender, amount, cost);
        if (a.remaining == amount) _endAuction();
        SafeTransferLib.safeTransferFrom(assets[a.buy], msg.sender, address(this), cost);
        SafeTransferLib.safeTransfer(assets[a.sell], msg.sender, amount);
    }

    /// @notice Anybody may close an auction that is over.
    function endAuction() external {
        if (!auctionOpen) revert NoAuction();
        if (block.timestamp <= auction.startedAt + AUCTION_TIME) revert TooEarly();
        _endAuction();
    }

    function _endAuction() internal {
        emit AuctionEnded(auction.remaining);
        delete auction;
        auctionOpen = false;
        auctionAllowedAt = block.timestamp + AUCTION_GAP;
    }

    // ---- views

    function auctionPrice() public view returns (uint256) {
        Auction memory a = auction;
        uint256 passed = (block.timestamp - a.startedAt).min(AUCTION_TIME);
        return a.startPrice - (a.startPrice - a.endPrice) * passed / AUCTION_TIME;
    }

    function assetCount() external view returns (uint256) {
        return assets.length;
    }
}
