// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Stable} from "./Stable.sol";

/// @notice Deposits of stablecoins that absorb the debt of liquidated positions and earn their collateral. A product
/// scales the deposits and a sum collects the gains; an emptied pool starts a new epoch.
abstract contract StabilityPool {
    using FixedPointMathLib for uint256;

    struct Deposit {
        uint256 initial;
        uint256 product;
        uint256 sum;
        uint256 epoch;
    }

    struct Request {
        uint256 amount;
        uint256 readyAt;
    }

    uint256 internal constant RAY = 1e27;
    uint256 internal constant MIN_PRODUCT = 1e18;
    uint256 public constant WITHDRAW_DELAY = 1 days;
    uint256 public constant WITHDRAW_WINDOW = 4 days;

    Stable public immutable stable;
    address public immutable collateral;

    uint256 public totalDeposits;
    uint256 public poolCollateral;
    uint256 public product = RAY;
    uint256 public epoch;
    mapping(uint256 epoch => uint256) public sumOf;
    mapping(address depositor => Deposit) public deposits;
    mapping(address depositor => Request) public requests;

    event Provided(address indexed depositor, uint256 amount);
    event WithdrawRequested(address indexed depositor, uint256 amount, uint256 readyAt);
    event Withdrawn(address indexed depositor, uint256 amount);
    event GainPaid(address indexed depositor, uint256 amount);
    event Offset(uint256 debt, uint256 collateral, uint256 epoch);

    error NothingToDo();
    error NotReady();
    error RequestExpired();

    constructor(address collateral_) {
        collateral = collateral_;
        stable = new Stable(address(this));
    }

    /// @notice Deposits, and pays the gain so far.
    function provide(uint256 amount) external {
        if (amount == 0) revert NothingToDo();
        uint256 left = compounded(msg.sender);
        _payGain(msg.sender);
        totalDeposits += amount;
        _record(msg.sender, left + amount);
        emit Provided(msg.sender, amount);
        SafeTransferLib.safeTransferFrom(address(stable), msg.sender, address(this), amount);
    }

    /// @notice Withdrawals are announced a day ahead, so that depositors cannot dodge a liquidation.
    function requestWithdraw(uint256 amount) external {
        if (amount == 0 || amount > compounded(msg.sender)) revert NothingToDo();
        requests[msg.sender] = Request(amount, block.timestamp + WITHDRAW_DELAY);
        emit WithdrawRequested(msg.sender, amount, block.timestamp + WITHDRAW_DELAY);
    }

    function withdraw() external {
        Request memory r = requests[msg.sender];
        if (r.amount == 0 || block.timestamp < r.readyAt) revert NotReady();
        if (block.timestamp > r.readyAt + WITHDRAW_WINDOW) revert RequestExpired();
        delete requests[msg.sender];
        uint256 left = compounded(msg.sender);
        uint256 amount = _withdrawable(msg.sender, r.amount);
        _payGain(msg.sender);
        totalDeposits -= amount;
        _record(msg.sender, left.zeroFloorSub(amount));
        emit Withdrawn(msg.sender, amount);
        SafeTransferLib.safeTransfer(address(stable), msg.sender, amount);
    }

    function claimGain() external {
        uint256 left = compounded(msg.sender);
        if (gainOf(msg.sender) == 0) revert NothingToDo();
        _payGain(msg.sender);
        _record(msg.sender, left);
    }

    function _withdrawable(address depositor, uint256 requested) internal view virtual returns (uint256) {
        return requested.min(compounded(depositor));
    }

    function _payGain(address depositor) private {
        uint256 gain = gainOf(depositor);
        if (gain == 0) return;
        poolCollateral -= gain;
        deposits[depositor].sum = sumOf[deposits[depositor].epoch];
        emit GainPaid(depositor, gain);
        SafeTransferLib.safeTransfer(collateral, depositor, gain);
    }

    function _record(address depositor, uint256 amount) private {
        deposits[depositor] = Deposit(amount, product, sumOf[epoch], epoch);
    }

    /// @dev What the pool may absorb of a debt.
    function _absorbable(uint256 debt) internal view returns (uint256) {
        if (debt >= totalDeposits) return totalDeposits;
        return product * (totalDeposits - debt) / totalDeposits < MIN_PRODUCT ? 0 : debt;
    }

    function _offset(uint256 debt, uint256 coll) internal {
        uint256 total = totalDeposits;
        sumOf[epoch] += coll * product / total;
        poolCollateral += coll;
        emit Offset(debt, coll, epoch);
        if (debt == total) {
            product = RAY;
            ++epoch;
        } else {
            product = product * (total - debt) / total;
        }
        totalDeposits = total - debt;
        stable.burn(address(this), debt);
    }

    /// @notice The deposit after the losses.
    function compounded(address depositor) public view returns (uint256) {
        Deposit storage d = deposits[depositor];
        if (d.initial == 0 || d.epoch != epoch) return 0;
        return d.initial * product / d.product;
    }

    function gainOf(address depositor) public view returns (uint256) {
        Deposit storage d = deposits[depositor];
        if (d.initial == 0) return 0;
        return d.initial * (sumOf[d.epoch] - d.sum) / d.product;
    }
}
