// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";
import {OwnableRoles} from "solady/auth/OwnableRoles.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";

/// @title LiquidStaking
/// @notice A staking token whose shares grow with the rewards of validators. Deposits fill a buffer that operators
/// stake; an oracle reports each validator once a day. Withdrawals wait in a queue: a request fixes the most it can be worth
/// and batches are finalised at the rate of the day, so that those in the queue bear slashes and earn no rewards.
contract LiquidStaking is ERC20, OwnableRoles {
    using SafeTransferLib for ERC20;
    using FixedPointMathLib for uint256;
    using SafeCastLib for uint256;

    enum Status {
        None,
        Queued,
        Finalized,
        Claimed,
        Cancelled
    }

    struct Validator {
        address operator;
        uint128 balance;
        uint64 lastEpoch;
    }

    struct Request {
        address owner;
        Status status;
        uint128 shares;
        uint128 cap;
    }

    struct Batch {
        uint64 lastId;
        uint192 rate;
    }

    uint256 public constant ORACLE_ROLE = 1 << 0;
    uint256 public constant FINALIZER_ROLE = 1 << 1;
    uint256 public constant MANAGER_ROLE = 1 << 2;
    uint256 public constant EPOCH = 1 days;
    uint256 public constant RAY = 1e27;
    uint256 public constant BPS = 10_000;
    uint256 public constant MAX_FEE_BPS = 2000;
    uint256 public constant MAX_REWARD_BPS = 50;
    uint256 public constant MAX_SLASH_BPS = 1000;
    uint256 public constant MAX_BATCH = 8;
    uint256 public constant MIN_DEPOSIT = 1e15;
    uint256 public constant MIN_REQUEST = 1e15;

    ERC20 public immutable asset;
    address public treasury;
    uint256 public feeBps;
    uint256 public buffer;
    uint256 public locked;
    uint256 public totalStaked;
    uint256 public lossCarry;
    uint256 public totalFeeBase;
    uint256 public lastRequestId;
    uint256 public lastFinalizedId;
    uint256 public totalQueuedShares;
    bool public depositsPaused;

    Validator[] private _validators;
    Batch[] internal _batches;
    mapping(uint256 id => Request) private _requests;
    mapping(address owner => uint256) public queuedShares;

    event Deposited(address indexed from, address indexed to, uint256 assets, uint256 shares);
    event ValidatorAdded(uint256 indexed id, address operator);
    event Staked(uint256 indexed id, uint256 amount);
    event Recalled(uint256 indexed id, uint256 amount);
    event Reported(uint256 indexed id, uint256 epoch, uint256 oldBalance, uint256 newBalance, uint256 feeShares);
    event Requested(uint256 indexed id, address indexed owner, uint256 shares, uint256 cap);
    event Reduced(uint256 indexed id, uint256 shares);
    event Cancelled(uint256 indexed id);
    event RequestTransferred(uint256 indexed id, address indexed from, address indexed to);
    event BatchFinalized(uint256 indexed batchId, uint256 lastId, uint256 rate, uint256 assets, uint256 shares);
    event Claimed(uint256 indexed id, address indexed to, uint256 assets);
    event FeeSet(uint256 feeBps);

    error DepositsPaused();
    error AmountTooSmall();
    error InvalidAddress();
    error UnknownValidator();
    error AlreadyReported();
    error ReportOutOfBounds();
    error InsufficientBuffer();
    error NotRequestOwner();
    error WrongStatus();
    error InvalidRange();
    error InvalidHint();
    error FeeTooHigh();

    constructor(ERC20 asset_, address owner_, address treasury_, uint256 feeBps_)
        ERC20("Liquid Staked Ether", "lsETH", 18)
    {
        if (feeBps_ > MAX_FEE_BPS) revert FeeTooHigh();
        asset = asset_;
        treasury = treasury_;
        feeBps = feeBps_;
        _initializeOwner(owner_);
        _batches.push(Batch({lastId: 0, rate: 0}));
    }

    // ------------------------------------------------------------------ administration

    function setFee(uint256 feeBps_) external onlyOwner {
        if (feeBps_ > MAX_FEE_BPS) revert FeeTooHigh();
        feeBps = feeBps_;
        emit FeeSet(feeBps_);
    }

    function setDepositsPaused(bool paused) external onlyOwner {
        depositsPaused = paused;
    }

    function addValidator(address operator) external onlyOwner returns (uint256 id) {
        if (operator == address(0)) revert InvalidAddress();
        id = _validators.length;
        _validators.push(Validator({operator: operator, balance: 0, lastEpoch: 0}));
        emit ValidatorAdded(id, operator);
    }

    // ------------------------------------------------------------------ deposits

    function deposit(uint256 assets, address to) external returns (uint256 shares) {
        if (depositsPaused) revert DepositsPaused();
        if (assets < MIN_DEPOSIT) revert AmountTooSmall();
        if (to == address(0) || to == address(this)) revert InvalidAddress();
        shares = convertToShares(assets);
        if (shares == 0) revert AmountTooSmall();
        asset.safeTransferFrom(msg.sender, address(this), assets);
        buffer += assets;
        _mint(to, shares);
        emit Deposited(msg.sender, to, assets, shares);
    }

    // ------------------------------------------------------------------ validators

    function stake(uint256 id, uint256 amount) external onlyRoles(MANAGER_ROLE) {
        Validator storage validator = _validator(id);
        if (amount > buffer) revert InsufficientBuffer();
        buffer -= amount;
        totalStaked += amount;
        validator.balance += amount.toUint128();
        asset.safeTransfer(validator.operator, amount);
        emit Staked(id, amount);
    }

    /// @notice Takes stake back from the operator, who has approved it.
    function recall(uint256 id, uint256 amount) external onlyRoles(MANAGER_ROLE) {
        Validator storage validator = _validator(id);
        validator.balance -= amount.toUint128();
        totalStaked -= amount;
        buffer += amount;
        asset.safeTransferFrom(validator.operator, address(this), amount);
        emit Recalled(id, amount);
    }

    /// @notice Reports the balance of a validator, once per epoch. Fees are taken of rewards that exceed past losses.
    function report(uint256 id, uint256 newBalance) external onlyRoles(ORACLE_ROLE) returns (uint256 feeShares) {
        Validator storage validator = _validator(id);
        uint256 epoch = block.timestamp / EPOCH;
        if (epoch <= validator.lastEpoch) revert AlreadyReported();
        validator.lastEpoch = uint64(epoch);
        uint256 oldBalance = validator.balance;
        validator.balance = newBalance.toUint128();
        if (newBalance >= oldBalance) {
            uint256 reward = newBalance - oldBalance;
            if (reward > oldBalance * MAX_REWARD_BPS / BPS) revert ReportOutOfBounds();
            uint256 offset = FixedPointMathLib.min(lossCarry, reward);
            lossCarry -= offset;
            totalStaked += reward;
            totalFeeBase += reward - offset;
            uint256 fee = (reward - offset) * feeBps / BPS;
            if (fee != 0) {
                feeShares = fee.fullMulDiv(totalSupply, totalAssets() - fee);
                _mint(treasury, feeShares);
            }
        } else {
            uint256 loss = oldBalance - newBalance;
            if (loss > oldBalance * MAX_SLASH_BPS / BPS) revert ReportOutOfBounds();
            lossCarry += loss;
            totalStaked -= loss;
        }
        emit Reported(id, epoch, oldBalance, newBalance, feeShares);
    }

    // ------------------------------------------------------------------ withdrawal queue

    /// @notice Puts shares into the queue. They are worth at most what they are worth now.
    function requestWithdraw(uint256 shares) external returns (uint256 id) {
        if (shares < MIN_REQUEST) revert AmountTooSmall();
        uint256 cap = convertToAssets(shares);
        id = ++lastRequestId;
        _requests[id] =
            Request({owner: msg.sender, status: Status.Queued, shares: shares.toUint128(), cap: cap.toUint128()});
        queuedShares[msg.sender] += shares;
        totalQueuedShares += shares;
        _moveShares(msg.sender, address(this), shares);
        emit Requested(id, msg.sender, shares, cap);
    }

    /// @notice Takes a part of the shares out of the queue.
    function reduceRequest(uint256 id, uint256 shares) external {
        Request storage request = _owned(id);
        if (request.status != Status.Queued) revert WrongStatus();
        if (shares == 0 || shares >= request.shares) revert AmountTooSmall();
        uint256 rest = request.shares - shares;
        request.cap = (uint256(request.cap) * rest / request.shares).toUint128();
        request.shares = rest.toUint128();
        queuedShares[msg.sender] -= shares;
        totalQueuedShares -= shares;
        _moveShares(address(this), msg.sender, shares);
        emit Reduced(id, shares);
    }

    function cancelRequest(uint256 id) external {
        Request storage request = _owned(id);
        if (request.status != Status.Queued) revert WrongStatus();
        request.status = Status.Cancelled;
        queuedShares[msg.sender] -= request.shares;
        totalQueuedShares -= request.shares;
        _moveShares(address(this), msg.sender, request.shares);
        emit Cancelled(id);
    }

    /// @notice Passes a request on, before or after it is finalised.
    function transferRequest(uint256 id, address to) external {
        if (to == address(0) || to == address(this)) revert InvalidAddress();
        Request storage request = _owned(id);
        if (request.status != Status.Queued && request.status != Status.Finalized) revert WrongStatus();
        if (_countsAsQueued(request)) {
            queuedShares[msg.sender] -= request.shares;
            queuedShares[to] += request.shares;
        }
        request.owner = to;
        emit RequestTransferred(id, msg.sender, to);
    }

    /// @notice Finalises the requests up to `upToId`, `MAX_BATCH` at most, at the current rate, and sets their assets
    /// aside.
    function finalize(uint256 upToId) external onlyRoles(FINALIZER_ROLE) returns (uint256 assets) {
        uint256 first = lastFinalizedId + 1;
        if (upToId < first || upToId > lastRequestId || _exceedsBatch(upToId - first)) revert InvalidRange();
        uint256 rate = totalAssets().fullMulDiv(RAY, totalSupply);
        uint256 shares;
        for (uint256 i; i < MAX_BATCH && first + i <= upToId; ++i) {
            Request storage request = _requests[first + i];
            if (request.status != Status.Queued) continue;
            request.status = Status.Finalized;
            queuedShares[request.owner] -= request.shares;
            shares += request.shares;
            assets += _worth(request, rate);
        }
        if (assets > buffer) revert InsufficientBuffer();
        buffer -= assets;
        locked += assets;
        totalQueuedShares -= shares;
        lastFinalizedId = upToId;
        _batches.push(Batch({lastId: uint64(upToId), rate: rate.toUint192()}));
        _burn(address(this), shares);
        emit BatchFinalized(_batches.length - 1, upToId, rate, assets, shares);
    }

    /// @notice Pays a finalised request. `batchId` is the batch that the request is in.
    function claim(uint256 id, uint256 batchId) external returns (uint256 assets) {
        Request storage request = _owned(id);
        if (request.status != Status.Finalized) revert WrongStatus();
        if (batchId == 0 || batchId >= _batches.length || !_inBatch(id, batchId)) revert InvalidHint();
        assets = _worth(request, _batches[batchId].rate);
        request.status = Status.Claimed;
        locked -= assets;
        asset.safeTransfer(msg.sender, assets);
        emit Claimed(id, msg.sender, assets);
    }

    function _worth(Request storage request, uint256 rate) internal view returns (uint256) {
        return FixedPointMathLib.min(request.cap, uint256(request.shares).fullMulDiv(rate, RAY));
    }

    function _countsAsQueued(Request storage request) internal view virtual returns (bool) {
        return request.status == Status.Queued;
    }

    /// @dev Whether a batch with `distance` between its first and last request is too large.
    function _exceedsBatch(uint256 distance) internal pure virtual returns (bool) {
        return distance >= MAX_BATCH;
    }

    function _inBatch(uint256 id, uint256 batchId) internal view virtual returns (bool) {
        return id > _batches[batchId - 1].lastId && id <= _batches[batchId].lastId;
    }

    function _moveShares(address from, address to, uint256 shares) internal {
        balanceOf[from] -= shares;
        balanceOf[to] += shares;
        emit Transfer(from, to, shares);
    }

    function _owned(uint256 id) internal view returns (Request storage request) {
        request = _requests[id];
        if (request.owner != msg.sender) revert NotRequestOwner();
    }

    function _validator(uint256 id) internal view returns (Validator storage) {
        if (id >= _validators.length) revert UnknownValidator();
        return _validators[id];
    }

    // ------------------------------------------------------------------ views

    function totalAssets() public view returns (uint256) {
        return buffer + totalStaked;
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply == 0 ? assets : assets.fullMulDiv(totalSupply, totalAssets());
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply == 0 ? shares : shares.fullMulDiv(totalAssets(), totalSupply);
    }

    /// @notice The batch of a finalised request, zero for others.
    function findBatch(uint256 id) public view returns (uint256) {
        if (id == 0 || id > lastFinalizedId) return 0;
        uint256 low = 1;
        uint256 high = _batches.length - 1;
        while (low < high) {
            uint256 mid = (low + high) / 2;
            if (_batches[mid].lastId >= id) high = mid;
            else low = mid + 1;
        }
        return low;
    }

    /// @notice What a finalised request pays, zero for others.
    function claimable(uint256 id) external view returns (uint256) {
        Request storage request = _requests[id];
        return request.status == Status.Finalized ? _worth(request, _batches[findBatch(id)].rate) : 0;
    }

    function requests(uint256 id) external view returns (Request memory) {
        return _requests[id];
    }

    function validators(uint256 id) external view returns (Validator memory) {
        return _validator(id);
    }

    function validatorCount() external view returns (uint256) {
        return _validators.length;
    }

    function batches(uint256 id) external view returns (Batch memory) {
        return _batches[id];
    }

    function lastBatchId() external view returns (uint256) {
        return _batches.length - 1;
    }
}

contract LiquidStakingBug is LiquidStaking {
    constructor(ERC20 asset_, address owner_, address treasury_, uint256 feeBps_)
        LiquidStaking(asset_, owner_, treasury_, feeBps_)
    {}

    function _exceedsBatch(uint256 distance) internal pure override returns (bool) {
        return distance > MAX_BATCH;
    }

    function _countsAsQueued(Request storage) internal pure override returns (bool) {
        return true;
    }

    function _inBatch(uint256 id, uint256 batchId) internal view override returns (bool) {
        return id >= _batches[batchId - 1].lastId && id <= _batches[batchId].lastId;
    }
}
