// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Gauge, GaugeBug, IGaugeController} from "./gauges/Gauge.sol";

/// Reward token; only the controller that made it may mint.
contract GaugesReward is ERC20("Gauge Reward", "GRW", 18) {
    address public immutable minter = msg.sender;

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter, "minter");
        _mint(to, amount);
    }
}

/// Vote escrow and gauge weights. A lock's power falls linearly to its end; votes give a share of that power to gauges,
/// from the next week on. Weekly emissions are split by the gauges' weights.
contract Gauges is IGaugeController, Ownable2Step, ReentrancyGuard {
    using SafeTransferLib for address;
    using FixedPointMathLib for uint256;

    uint256 public constant WEEK = 7 days;
    uint256 public constant MAX_WEEKS = 104;
    uint256 public constant MAX_TIME = MAX_WEEKS * WEEK;
    uint256 public constant VOTE_DELAY = 10 days;
    uint256 public constant MIN_LOCK = 1e18;
    uint256 public constant MAX_GAUGES = 16;
    uint256 public constant FIRST_EMISSION = 100_000e18;
    uint256 internal constant BPS = 10_000;

    struct Lock {
        uint256 amount;
        uint256 end;
    }

    struct Point {
        uint256 bias;
        uint256 slope;
    }

    struct Vote {
        uint256 bps;
        uint256 slope;
        uint256 end;
        uint256 time;
    }

    address public immutable token;
    GaugesReward public immutable reward;
    uint256 public immutable startWeek;

    mapping(address user => Lock) public locks;
    Point public total;
    uint256 public totalTime;
    mapping(uint256 week => uint256) public slopeChanges;

    address[] public gauges;
    mapping(address gauge => bool) public isGauge;
    mapping(address gauge => mapping(uint256 week => Point)) public points;
    mapping(address gauge => mapping(uint256 week => uint256)) public gaugeChanges;
    mapping(address gauge => uint256) public lastWeek;
    mapping(address user => mapping(address gauge => Vote)) public votes;
    mapping(address user => uint256) public usedBps;
    mapping(uint256 week => uint256) public distributedIn;

    event Locked(address indexed user, uint256 amount, uint256 end);
    event Unlocked(address indexed user, uint256 amount);
    event Voted(address indexed user, address indexed gauge, uint256 bps);
    event GaugeAdded(address indexed gauge, address stakeToken);

    error NoGauge();
    error NoLock();
    error LockExists();
    error LockActive();
    error BadAmount();
    error BadDuration();
    error TooManyVotes();
    error VotedRecently();
    error TooManyGauges();

    modifier onlyGauge() {
        if (!isGauge[msg.sender]) revert NoGauge();
        _;
    }

    constructor(address token_, address owner_) Ownable(owner_) {
        token = token_;
        reward = new GaugesReward();
        startWeek = _week();
        totalTime = block.timestamp;
    }

    function addGauge(address stakeToken) external onlyOwner returns (address gauge) {
        if (gauges.length == MAX_GAUGES) revert TooManyGauges();
        gauge = _newGauge(stakeToken);
        gauges.push(gauge);
        isGauge[gauge] = true;
        lastWeek[gauge] = _week() + WEEK;
        emit GaugeAdded(gauge, stakeToken);
    }

    function _newGauge(address stakeToken) internal virtual returns (address) {
        return address(new Gauge(this, stakeToken));
    }

    // ---------------------------------------------------------------- locks

    function createLock(uint96 amount, uint8 duration) external nonReentrant {
        if (locks[msg.sender].amount != 0) revert LockExists();
        if (amount < MIN_LOCK) revert BadAmount();
        _changeLock(msg.sender, amount, _endAfter(duration));
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    function increaseAmount(uint96 amount) external nonReentrant {
        Lock memory lock = locks[msg.sender];
        if (lock.end <= block.timestamp) revert NoLock();
        if (amount == 0) revert BadAmount();
        _changeLock(msg.sender, lock.amount + amount, lock.end);
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// Sets a later end, counted in weeks from this one.
    function extendLock(uint8 duration) external nonReentrant {
        Lock memory lock = locks[msg.sender];
        if (lock.end <= block.timestamp) revert NoLock();
        uint256 end = _endAfter(duration);
        if (end <= lock.end) revert BadDuration();
        _changeLock(msg.sender, lock.amount, end);
    }

    function withdrawLock() external nonReentrant {
        Lock memory lock = locks[msg.sender];
        if (lock.amount == 0) revert NoLock();
        if (lock.end > block.timestamp) revert LockActive();
        delete locks[msg.sender];
        token.safeTransfer(msg.sender, lock.amount);
        emit Unlocked(msg.sender, lock.amount);
    }

    function _endAfter(uint256 duration) internal view returns (uint256) {
        if (duration == 0 || duration > MAX_WEEKS) revert BadDuration();
        return _week() + duration * WEEK;
    }

    function _changeLock(address user, uint256 amount, uint256 end) internal {
        Lock memory old = locks[user];
        Point memory point = _totalNow();
        if (old.end > block.timestamp) {
            uint256 oldSlope = old.amount / MAX_TIME;
            point.bias -= oldSlope * (old.end - block.timestamp);
            point.slope -= oldSlope;
            slopeChanges[old.end] -= oldSlope;
        }
        uint256 slope = amount / MAX_TIME;
        point.bias += slope * (end - block.timestamp);
        point.slope += slope;
        slopeChanges[end] += slope;
        total = point;
        totalTime = block.timestamp;
        locks[user] = Lock(amount, end);
        emit Locked(user, amount, end);
    }

    /// Total power now: falls by the slope, which changes where locks end.
    function _totalNow() internal view returns (Point memory point) {
        point = total;
        uint256 time = totalTime;
        while (time < block.timestamp) {
            uint256 week = (time / WEEK + 1) * WEEK;
            uint256 next = week.min(block.timestamp);
            point.bias -= point.slope * (next - time);
            if (next == week) point.slope -= slopeChanges[week];
            time = next;
        }
    }

    // ---------------------------------------------------------------- votes

    /// Gives a share of the caller's power to a gauge, in basis points; it counts from next week.
    function vote(address gauge, uint16 bps) external nonReentrant {
        if (!isGauge[gauge]) revert NoGauge();
        Lock memory lock = locks[msg.sender];
        Vote memory old = votes[msg.sender][gauge];
        uint256 next = _week() + WEEK;
        if (bps != 0 && lock.end <= next) revert NoLock();
        if (old.time != 0 && block.timestamp < old.time + VOTE_DELAY) revert VotedRecently();
        uint256 used = usedBps[msg.sender] + bps - old.bps;
        if (used > BPS) revert TooManyVotes();
        usedBps[msg.sender] = used;

        uint256 slope = bps == 0 ? 0 : lock.amount / MAX_TIME * bps / BPS;
        uint256 end = bps == 0 ? old.end : lock.end;
        _fill(gauge);
        Point storage point = points[gauge][next];
        if (old.end > next) {
            point.bias -= (old.slope * (old.end - next)).min(point.bias);
            point.slope -= old.slope.min(point.slope);
        } else {
            old.slope = 0;
        }
        if (slope != 0) {
            point.bias += slope * (end - next);
            point.slope += slope;
        }
        _scheduleDecay(gauge, old, slope, end);
        votes[msg.sender][gauge] = Vote(bps, slope, end, block.timestamp);
        emit Voted(msg.sender, gauge, bps);
    }

    /// Replaces the slope change of an earlier vote.
    function _scheduleDecay(address gauge, Vote memory old, uint256 slope, uint256 end) internal virtual {
        if (old.slope != 0) gaugeChanges[gauge][old.end] -= old.slope;
        gaugeChanges[gauge][end] += slope;
    }

    /// Writes the weights of all gauges up to next week.
    function checkpoint() external {
        for (uint256 i; i < gauges.length; ++i) {
            _fill(gauges[i]);
        }
    }

    function _fill(address gauge) internal {
        uint256 week = lastWeek[gauge];
        uint256 next = _week() + WEEK;
        if (week >= next) return;
        Point memory point = points[gauge][week];
        while (week < next) {
            week += WEEK;
            point = _decay(gauge, point, week);
            points[gauge][week] = point;
        }
        lastWeek[gauge] = week;
    }

    function _decay(address gauge, Point memory point, uint256 week) internal view returns (Point memory) {
        uint256 bias = point.bias.zeroFloorSub(point.slope * WEEK);
        return Point(bias, point.slope.zeroFloorSub(gaugeChanges[gauge][week]));
    }

    // ---------------------------------------------------------------- rewards

    function noteDistribution(uint256 week, uint256 amount) external onlyGauge {
        distributedIn[week] += amount;
    }

    function mintReward(address to, uint256 amount) external onlyGauge {
        reward.mint(to, amount);
    }

    /// Emission of a week: falls by half a percent of the first each week, to one half.
    function emissionOf(uint256 week) public view returns (uint256) {
        if (week < startWeek) return 0;
        uint256 age = ((week - startWeek) / WEEK).min(100);
        return FIRST_EMISSION - FIRST_EMISSION * age / 200;
    }

    /// What a gauge gets for a whole week.
    function rewardOf(address gauge, uint256 week) external view returns (uint256) {
        uint256 weight = weightAt(gauge, week);
        if (weight == 0) return 0;
        uint256 sum;
        for (uint256 i; i < gauges.length; ++i) {
            sum += weightAt(gauges[i], week);
        }
        return emissionOf(week).fullMulDiv(weight, sum);
    }

    // ---------------------------------------------------------------- views

    function _week() internal view returns (uint256) {
        return block.timestamp / WEEK * WEEK;
    }

    function gaugeCount() external view returns (uint256) {
        return gauges.length;
    }

    /// A gauge's weight at the start of a week, up to the next one.
    function weightAt(address gauge, uint256 week) public view returns (uint256) {
        uint256 last = lastWeek[gauge];
        if (week <= last) return points[gauge][week].bias;
        Point memory point = points[gauge][last];
        while (last < week) {
            last += WEEK;
            point = _decay(gauge, point, last);
        }
        return point.bias;
    }

    function powerOf(address user) external view returns (uint256) {
        Lock memory lock = locks[user];
        return lock.end <= block.timestamp ? 0 : lock.amount / MAX_TIME * (lock.end - block.timestamp);
    }

    function totalPower() external view returns (uint256) {
        return _totalNow().bias;
    }

    function owner() public view override(Ownable, IGaugeController) returns (address) {
        return super.owner();
    }
}

/// The system as it was first deployed.
contract GaugesBug is Gauges {
    using FixedPointMathLib for uint256;

    constructor(address token_, address owner_) Gauges(token_, owner_) {}

    function _newGauge(address stakeToken) internal override returns (address) {
        return address(new GaugeBug(this, stakeToken));
    }

    function _scheduleDecay(address gauge, Vote memory old, uint256 slope, uint256 end) internal override {
        gaugeChanges[gauge][end] = (gaugeChanges[gauge][end] + slope).zeroFloorSub(old.slope);
    }
}
