// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {Treasury} from "./delegation/Treasury.sol";
import {VotesLedger} from "./delegation/VotesLedger.sol";

/// @notice Governance over wrapped tokens. Delegates vote with the votes of their snapshot; a holder may override the
/// delegate with the own balance. Passed spendings are queued, reserved in the treasury, and executed after a delay.
contract Delegation is VotesLedger {
    using Checkpoints for Checkpoints.Trace208;

    enum Kind {
        Spend,
        SetQuorum,
        SetThreshold
    }

    enum State {
        Unknown,
        Pending,
        Active,
        Canceled,
        Defeated,
        Succeeded,
        Queued,
        Expired,
        Executed
    }

    struct Proposal {
        address proposer;
        Kind kind;
        uint8 assetId;
        address to;
        uint48 snapshot;
        uint48 deadline;
        uint48 eta;
        bool canceled;
        bool executed;
        bool swept;
        uint256 value;
    }

    struct Ballot {
        bool cast;
        uint8 support;
        uint208 weight;
    }

    uint256 public constant VOTING_DELAY = 1 days;
    uint256 public constant VOTING_PERIOD = 5 days;
    uint256 public constant TIMELOCK = 2 days;
    uint256 public constant GRACE = 7 days;
    uint256 public constant PAUSE_TIME = 2 days;
    uint256 public constant PAUSE_GAP = 30 days;
    uint256 public constant MIN_QUORUM_BPS = 500;
    uint256 public constant MAX_QUORUM_BPS = 4000;
    uint256 public constant MAX_THRESHOLD = 500_000e18;

    Treasury public immutable treasury;
    address public immutable guardian;
    uint256 public proposalThreshold;
    uint256 public proposalCount;
    uint256 public pausedUntil;
    uint256 public nextPauseAt;

    Checkpoints.Trace208 internal _quorumBps;
    mapping(uint256 id => Proposal) internal _proposals;
    mapping(uint256 id => uint256[3]) internal _tallies;
    mapping(uint256 id => mapping(address voter => Ballot)) internal _ballots;
    mapping(uint256 id => mapping(address holder => Ballot)) internal _overrides;
    mapping(uint256 id => mapping(address voter => uint256)) public overridden;
    mapping(address proposer => uint256) public latestProposal;

    event Proposed(uint256 indexed id, address indexed proposer, Kind kind, uint256 value);
    event Voted(uint256 indexed id, address indexed voter, uint8 support, uint256 weight);
    event Overridden(uint256 indexed id, address indexed holder, address indexed delegate, uint256 weight);
    event Queued(uint256 indexed id, uint256 eta);
    event Executed(uint256 indexed id);
    event Canceled(uint256 indexed id);
    event Swept(uint256 indexed id);

    error NotGuardian();
    error Paused();
    error PauseTooSoon();
    error BelowThreshold();
    error LiveProposal();
    error BadValue();
    error BadState(State state);
    error BadSupport();
    error NoWeight();
    error OwnDelegate();
    error NotAllowed();
    error TooEarly();

    modifier whenRunning() {
        if (block.timestamp < pausedUntil) revert Paused();
        _;
    }

    constructor(IERC20 gov, IERC20[] memory assets, uint256[] memory limits, address guardian_) VotesLedger(gov) {
        treasury = new Treasury(address(this), assets, limits);
        guardian = guardian_;
        proposalThreshold = 100_000e18;
        _quorumBps.push(uint48(block.timestamp), 1500);
    }

    // ---- guardian

    /// @notice Stops new proposals and wraps for two days, at most once a month.
    function pause() external {
        if (msg.sender != guardian) revert NotGuardian();
        if (block.timestamp < nextPauseAt) revert PauseTooSoon();
        pausedUntil = block.timestamp + PAUSE_TIME;
        nextPauseAt = block.timestamp + PAUSE_GAP;
    }

    function wrap(uint256 amount) external override whenRunning {
        _wrap(msg.sender, amount);
    }

    // ---- proposing

    function proposeSpend(uint8 assetId, address to, uint256 amount) external whenRunning returns (uint256 id) {
        if (to == address(0) || amount == 0 || amount > treasury.weeklyLimit(assetId)) revert BadValue();
        id = _propose(Kind.Spend, amount);
        _proposals[id].assetId = assetId;
        _proposals[id].to = to;
    }

    function proposeQuorum(uint256 bps) external whenRunning returns (uint256) {
        if (bps < MIN_QUORUM_BPS || bps > MAX_QUORUM_BPS) revert BadValue();
        return _propose(Kind.SetQuorum, bps);
    }

    function proposeThreshold(uint256 votes) external whenRunning returns (uint256) {
        if (votes > MAX_THRESHOLD) revert BadValue();
        return _propose(Kind.SetThreshold, votes);
    }

    function _propose(Kind kind, uint256 value) internal returns (uint256 id) {
        if (getPastVotes(msg.sender, block.timestamp - 1) < proposalThreshold) revert BelowThreshold();
        State last = state(latestProposal[msg.sender]);
        if (last == State.Pending || last == State.Active) revert LiveProposal();
        id = ++proposalCount;
        latestProposal[msg.sender] = id;
        Proposal storage p = _proposals[id];
        p.proposer = msg.sender;
        p.kind = kind;
        p.value = value;
        p.snapshot = uint48(block.timestamp + VOTING_DELAY);
        p.deadline = uint48(block.timestamp + VOTING_DELAY + VOTING_PERIOD);
        emit Proposed(id, msg.sender, kind, value);
    }

    // ---- voting

    /// @notice Votes with the delegated votes, or changes the earlier vote. 0 against, 1 for, 2 abstain.
    function castVote(uint256 id, uint8 support) external {
        _requireState(id, State.Active);
        if (support > 2) revert BadSupport();
        Ballot storage b = _ballots[id][msg.sender];
        if (b.cast) _tallies[id][b.support] -= b.weight;
        uint256 weight = _ballotWeight(id, msg.sender);
        if (weight == 0 && !b.cast) revert NoWeight();
        b.cast = true;
        b.support = support;
        b.weight = uint208(weight);
        _tallies[id][support] += weight;
        emit Voted(id, msg.sender, support, weight);
    }

    /// @notice Takes the own balance out of the delegate's vote and votes with it.
    function castOverride(uint256 id, uint8 support) external {
        _requireState(id, State.Active);
        if (support > 2) revert BadSupport();
        Ballot storage o = _overrides[id][msg.sender];
        if (o.cast) {
            _tallies[id][o.support] -= o.weight;
        } else {
            uint256 snapshot = _proposals[id].snapshot;
            address to = getPastDelegate(msg.sender, snapshot);
            if (to == msg.sender) revert OwnDelegate();
            uint256 balance = getPastBalance(msg.sender, snapshot);
            if (balance == 0 || to == address(0)) revert NoWeight();
            o.cast = true;
            o.weight = uint208(balance);
            _takeFromDelegate(id, to, balance);
            emit Overridden(id, msg.sender, to, balance);
        }
        o.support = support;
        _tallies[id][support] += o.weight;
    }

    function _ballotWeight(uint256 id, address voter) internal view returns (uint256) {
        return getPastVotes(voter, _proposals[id].snapshot) - overridden[id][voter];
    }

    function _takeFromDelegate(uint256 id, address to, uint256 weight) internal virtual {
        overridden[id][to] += weight;
        _shrinkBallot(id, to, weight);
    }

    function _shrinkBallot(uint256 id, address voter, uint256 weight) internal {
        Ballot storage b = _ballots[id][voter];
        if (!b.cast) return;
        _tallies[id][b.support] -= weight;
        b.weight -= uint208(weight);
    }

    // ---- queue and execution

    function queue(uint256 id) external {
        _requireState(id, State.Succeeded);
        Proposal storage p = _proposals[id];
        p.eta = uint48(block.timestamp + TIMELOCK);
        if (p.kind == Kind.Spend) treasury.reserve(p.assetId, p.value);
        emit Queued(id, p.eta);
    }

    function execute(uint256 id) external {
        _requireState(id, State.Queued);
        Proposal storage p = _proposals[id];
        if (block.timestamp < p.eta) revert TooEarly();
        p.executed = true;
        if (p.kind == Kind.Spend) treasury.pay(p.assetId, p.to, p.value);
        else if (p.kind == Kind.SetQuorum) _quorumBps.push(uint48(block.timestamp), uint208(p.value));
        else proposalThreshold = p.value;
        emit Executed(id);
    }

    /// @notice By the proposer, the guardian, or anybody once the proposer has lost the votes.
    function cancel(uint256 id) external {
        State s = state(id);
        if (s == State.Unknown || s == State.Canceled || s == State.Executed || s == State.Defeated) {
            revert BadState(s);
        }
        Proposal storage p = _proposals[id];
        if (p.swept) revert BadState(s);
        if (msg.sender != p.proposer && msg.sender != guardian) {
            if (getPastVotes(p.proposer, block.timestamp - 1) >= proposalThreshold) revert NotAllowed();
        }
        bool held = _holdsReserve(id, s);
        p.canceled = true;
        if (held) treasury.release(p.assetId, p.value);
        emit Canceled(id);
    }

    /// @notice Gives back what an expired proposal had reserved.
    function sweepExpired(uint256 id) external {
        _requireState(id, State.Expired);
        Proposal storage p = _proposals[id];
        if (p.swept) revert BadState(State.Expired);
        p.swept = true;
        if (p.kind == Kind.Spend) treasury.release(p.assetId, p.value);
        emit Swept(id);
    }

    function _holdsReserve(uint256 id, State) internal view virtual returns (bool) {
        Proposal storage p = _proposals[id];
        return p.kind == Kind.Spend && p.eta != 0;
    }

    function _feeReceiver() internal view override returns (address) {
        return address(treasury);
    }

    function _requireState(uint256 id, State wanted) internal view {
        State s = state(id);
        if (s != wanted) revert BadState(s);
    }

    // ---- views

    function state(uint256 id) public view returns (State) {
        Proposal storage p = _proposals[id];
        if (p.proposer == address(0)) return State.Unknown;
        if (p.canceled) return State.Canceled;
        if (p.executed) return State.Executed;
        if (block.timestamp <= p.snapshot) return State.Pending;
        if (block.timestamp <= p.deadline) return State.Active;
        if (p.eta != 0) return block.timestamp > p.eta + GRACE ? State.Expired : State.Queued;
        return passed(id) ? State.Succeeded : State.Defeated;
    }

    function passed(uint256 id) public view returns (bool) {
        uint256[3] storage t = _tallies[id];
        return t[1] > t[0] && t[1] + t[2] >= quorum(_proposals[id].snapshot);
    }

    function quorum(uint256 time) public view returns (uint256) {
        return getPastTotalSupply(time) * _quorumBps.upperLookupRecent(uint48(time)) / BPS;
    }

    function proposal(uint256 id) external view returns (Proposal memory) {
        return _proposals[id];
    }

    function tally(uint256 id) external view returns (uint256[3] memory) {
        return _tallies[id];
    }

    function ballotOf(uint256 id, address voter) external view returns (Ballot memory) {
        return _ballots[id][voter];
    }

    function overrideOf(uint256 id, address holder) external view returns (Ballot memory) {
        return _overrides[id][holder];
    }
}
