// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice Holds the assets of the DAO. Queued spendings are reserved; payments are limited per week.
contract Treasury {
    using SafeERC20 for IERC20;

    uint256 public constant EPOCH = 7 days;

    address public immutable governor;
    IERC20[] public assets;
    mapping(uint256 assetId => uint256) public reserved;
    mapping(uint256 assetId => uint256) public weeklyLimit;
    mapping(uint256 assetId => mapping(uint256 epoch => uint256)) public spentIn;

    event Reserved(uint256 indexed assetId, uint256 amount);
    event Released(uint256 indexed assetId, uint256 amount);
    event Paid(uint256 indexed assetId, address indexed to, uint256 amount);

    error NotGovernor();
    error UnknownAsset();
    error Insufficient();
    error WeeklyLimit();

    modifier onlyGovernor() {
        if (msg.sender != governor) revert NotGovernor();
        _;
    }

    constructor(address governor_, IERC20[] memory assets_, uint256[] memory limits) {
        governor = governor_;
        for (uint256 i; i < assets_.length; ++i) {
            assets.push(assets_[i]);
            weeklyLimit[i] = limits[i];
        }
    }

    function assetCount() external view returns (uint256) {
        return assets.length;
    }

    function currentEpoch() public view returns (uint256) {
        return block.timestamp / EPOCH;
    }

    /// @notice What is neither spent nor promised.
    function available(uint256 assetId) public view returns (uint256) {
        if (assetId >= assets.length) revert UnknownAsset();
        return assets[assetId].balanceOf(address(this)) - reserved[assetId];
    }

    function reserve(uint256 assetId, uint256 amount) external onlyGovernor {
        if (amount > available(assetId)) revert Insufficient();
        reserved[assetId] += amount;
        emit Reserved(assetId, amount);
    }

    function release(uint256 assetId, uint256 amount) external onlyGovernor {
        reserved[assetId] -= amount;
        emit Released(assetId, amount);
    }

    function pay(uint256 assetId, address to, uint256 amount) external onlyGovernor {
        uint256 spent = spentIn[assetId][currentEpoch()] + amount;
        if (spent > weeklyLimit[assetId]) revert WeeklyLimit();
        spentIn[assetId][currentEpoch()] = spent;
        reserved[assetId] -= amount;
        emit Paid(assetId, to, amount);
        assets[assetId].safeTransfer(to, amount);
    }
}
