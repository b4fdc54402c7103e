// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {IDistributor, IStaking} from "./Interfaces.sol";
import {Units} from "./Units.sol";

/// @notice Shares the fees of each week by the weights at its end.
contract FeeDistributor is IDistributor, ModuleBase {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;

    uint256 public constant MAX_WEEKS = 52;
    uint256 public constant MIN_DONATION = 1e18;

    ERC20 public immutable dollar;
    IStaking public immutable staking;

    uint256[] internal _weeks;
    mapping(uint256 => bool) internal _known;
    mapping(uint256 => uint256) public feesOf;
    mapping(uint256 => uint256) public weightOfWeek;
    mapping(uint256 => uint256) public claimedOf;
    mapping(address => uint256) public cursorOf;
    uint256 public received;
    uint256 public paidOut;

    event FeesAdded(uint256 indexed week, uint256 amount);
    event FeesRolled(uint256 indexed fromWeek, uint256 indexed toWeek, uint256 amount);
    event FeesClaimed(address indexed account, uint256 amount, uint256 weeksDone);

    constructor(ERC20 dollar_, IStaking staking_) {
        dollar = dollar_;
        staking = staking_;
    }

    function onFees(uint256 amount) external onlyModule {
        received += amount;
        _add(Units.weekOf(block.timestamp), amount);
    }

    function donate(uint256 amount) external {
        require(amount >= MIN_DONATION, "fees: small");
        received += amount;
        _add(Units.weekOf(block.timestamp), amount);
        dollar.safeTransferFrom(msg.sender, address(this), amount);
    }

    function claim(address account) external returns (uint256 amount) {
        require(account != address(0), "fees: account");
        uint256 i = cursorOf[account];
        uint256 end = Units.min(_weeks.length, i + MAX_WEEKS);
        uint256 done;
        for (; i < end; ++i) {
            uint256 week = _weeks[i];
            if (!_isClosed(week)) break;
            uint256 total = _fixWeight(week);
            done += 1;
            if (total == 0) {
                _roll(week);
                continue;
            }
            uint256 weight = staking.weightAt(account, week + Units.WEEK);
            if (weight == 0) continue;
            uint256 share = feesOf[week].mulDivDown(weight, total);
            claimedOf[week] += share;
            amount += share;
        }
        cursorOf[account] = i;
        paidOut += amount;
        if (amount > 0) dollar.safeTransfer(account, amount);
        emit FeesClaimed(account, amount, done);
    }

    /// @notice Moves the fees of a closed week without weights to the present week.
    function rollWeek(uint256 week) external {
        require(_known[week], "fees: week");
        require(_isClosed(week), "fees: open");
        require(_fixWeight(week) == 0, "fees: weights");
        require(feesOf[week] > 0, "fees: nothing");
        _roll(week);
    }

    function _roll(uint256 week) internal {
        uint256 amount = feesOf[week];
        if (amount == 0) return;
        feesOf[week] = 0;
        uint256 to = Units.weekOf(block.timestamp);
        _add(to, amount);
        emit FeesRolled(week, to, amount);
    }

    function _add(uint256 week, uint256 amount) internal {
        if (!_known[week]) {
            _known[week] = true;
            _weeks.push(week);
        }
        feesOf[week] += amount;
        emit FeesAdded(week, amount);
    }

    function _fixWeight(uint256 week) internal returns (uint256 total) {
        total = weightOfWeek[week];
        if (total == 0) {
            total = staking.totalWeightAt(week + Units.WEEK);
            weightOfWeek[week] = total;
        }
    }

    function _isClosed(uint256 week) internal view virtual returns (bool) {
        return block.timestamp > week + Units.WEEK;
    }

    function weekCount() external view returns (uint256) {
        return _weeks.length;
    }

    function weekAt(uint256 i) external view returns (uint256) {
        return _weeks[i];
    }

    function shareOf(address account, uint256 week) external view returns (uint256) {
        uint256 total = weightOfWeek[week];
        if (total == 0) return 0;
        return feesOf[week].mulDivDown(staking.weightAt(account, week + Units.WEEK), total);
    }
}
