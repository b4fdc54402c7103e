// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Accumulator} from "./proofbridge/Accumulator.sol";
import {BridgedToken} from "./proofbridge/BridgedToken.sol";

/// @title ProofBridge
/// @notice One end of a token bridge. Outgoing transfers are appended to a Merkle accumulator; incoming ones are
/// released against a proof of inclusion under a root that relayers post. Roots and releases can be challenged for a
/// while, and each asset has a daily limit. What exceeds the limit waits in a first-in, first-out queue.
contract ProofBridge is AccessControl, Pausable, ReentrancyGuard {
    using SafeERC20 for IERC20;
    using Accumulator for Accumulator.Tree;

    enum Status {
        None,
        Pending,
        Queued,
        Released,
        Vetoed
    }

    struct Asset {
        address token;
        bool minted;
        uint16 feeBps;
        uint128 minAmount;
        uint128 dailyLimit;
        uint128 usedToday;
        uint64 day;
        uint128 maxReserved;
        uint128 reserved;
        uint128 queued;
        uint128 fees;
    }

    struct Message {
        uint64 nonce;
        uint32 assetId;
        bool refund;
        address sender;
        address recipient;
        uint256 amount;
    }

    struct Root {
        bytes32 root;
        uint64 size;
        uint64 postedAt;
        bool challenged;
    }

    struct Release {
        Status status;
        uint32 assetId;
        uint32 rootId;
        uint64 provenAt;
        address sender;
        address recipient;
        uint256 amount;
        uint256 remaining;
    }

    struct Queue {
        bytes32 head;
        bytes32 tail;
    }

    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");
    bytes32 public constant LIMITER_ROLE = keccak256("LIMITER_ROLE");
    uint256 public constant ROOT_WINDOW = 12 hours;
    uint256 public constant CHALLENGE_PERIOD = 6 hours;
    uint256 public constant BPS = 10_000;
    uint256 public constant MAX_FEE_BPS = 100;

    uint256 public immutable localDomain;
    uint256 public immutable remoteDomain;
    uint256 public immutable genesis;

    Asset[] private _assets;
    Root[] private _roots;
    Accumulator.Tree private _outbox;
    mapping(uint256 index => Message) private _sent;
    mapping(uint256 index => bytes32) public sentIds;
    mapping(bytes32 id => Release) private _releases;
    mapping(uint256 assetId => Queue) private _queues;
    mapping(bytes32 id => bytes32) public nextInQueue;
    mapping(bytes32 id => bytes32) public prevInQueue;

    event AssetRegistered(uint256 indexed assetId, address token, bool minted);
    event MessageSent(uint256 indexed index, bytes32 indexed id, Message message);
    event RootPosted(uint256 indexed rootId, bytes32 root, uint256 size);
    event RootChallenged(uint256 indexed rootId);
    event Proven(bytes32 indexed id, uint256 indexed rootId);
    event Voided(bytes32 indexed id);
    event Paid(bytes32 indexed id, address indexed recipient, uint256 amount, uint256 remaining);
    event Vetoed(bytes32 indexed id, uint256 refundIndex);
    event LimitSet(uint256 indexed assetId, uint256 dailyLimit);
    event FeeSet(uint256 indexed assetId, uint256 feeBps);
    event FeesCollected(uint256 indexed assetId, address indexed to, uint256 amount);

    error UnknownAsset();
    error UnknownRoot();
    error AmountTooSmall();
    error FeeTooHigh();
    error ZeroAddress();
    error RootNotLive();
    error WindowClosed();
    error InvalidProof();
    error AlreadyProven();
    error NotPending();
    error NotVetoable();
    error StillChallengeable();
    error ExposureExceeded();

    constructor(uint256 localDomain_, uint256 remoteDomain_, address admin) {
        localDomain = localDomain_;
        remoteDomain = remoteDomain_;
        genesis = block.timestamp;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    // ------------------------------------------------------------------ administration

    function registerAsset(
        address token,
        bool minted,
        uint16 feeBps,
        uint128 minAmount,
        uint128 dailyLimit,
        uint128 maxReserved
    ) external onlyRole(DEFAULT_ADMIN_ROLE) returns (uint256 assetId) {
        if (token == address(0)) revert ZeroAddress();
        if (feeBps > MAX_FEE_BPS) revert FeeTooHigh();
        assetId = _assets.length;
        Asset storage asset = _assets.push();
        asset.token = token;
        asset.minted = minted;
        asset.feeBps = feeBps;
        asset.minAmount = minAmount;
        asset.dailyLimit = dailyLimit;
        asset.maxReserved = maxReserved;
        emit AssetRegistered(assetId, token, minted);
    }

    /// @notice Changes the limit. What was released today still counts.
    function setDailyLimit(uint256 assetId, uint128 dailyLimit) external onlyRole(LIMITER_ROLE) {
        _asset(assetId).dailyLimit = dailyLimit;
        emit LimitSet(assetId, dailyLimit);
    }

    function setFee(uint256 assetId, uint16 feeBps) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (feeBps > MAX_FEE_BPS) revert FeeTooHigh();
        _asset(assetId).feeBps = feeBps;
        emit FeeSet(assetId, feeBps);
    }

    function collectFees(uint256 assetId, address to) external onlyRole(DEFAULT_ADMIN_ROLE) returns (uint256 amount) {
        if (to == address(0)) revert ZeroAddress();
        Asset storage asset = _asset(assetId);
        amount = asset.fees;
        asset.fees = 0;
        IERC20(asset.token).safeTransfer(to, amount);
        emit FeesCollected(assetId, to, amount);
    }

    function pause() external onlyRole(GUARDIAN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    // ------------------------------------------------------------------ outgoing

    /// @notice Locks (or burns) tokens and appends a message for the other side. The fee stays here.
    function lock(uint256 assetId, uint256 amount, address recipient)
        external
        nonReentrant
        whenNotPaused
        returns (uint256 index)
    {
        Asset storage asset = _asset(assetId);
        if (recipient == address(0)) revert ZeroAddress();
        if (amount < asset.minAmount || amount == 0) revert AmountTooSmall();
        uint256 fee = Math.mulDiv(amount, asset.feeBps, BPS, Math.Rounding.Ceil);
        uint256 net = amount - fee;
        if (net == 0) revert AmountTooSmall();
        asset.fees += uint128(fee);
        IERC20(asset.token).safeTransferFrom(msg.sender, address(this), amount);
        if (asset.minted) BridgedToken(asset.token).burn(net);
        index = _send(uint32(assetId), false, msg.sender, recipient, net);
    }

    function _send(uint32 assetId, bool refund, address sender, address recipient, uint256 amount)
        internal
        returns (uint256 index)
    {
        Message memory message = Message({
            nonce: uint64(_outbox.count),
            assetId: assetId,
            refund: refund,
            sender: sender,
            recipient: recipient,
            amount: amount
        });
        bytes32 id = messageId(localDomain, message);
        index = _outbox.append(id);
        _sent[index] = message;
        sentIds[index] = id;
        emit MessageSent(index, id, message);
    }

    // ------------------------------------------------------------------ roots

    function postRoot(bytes32 root, uint64 size) external onlyRole(RELAYER_ROLE) returns (uint256 rootId) {
        rootId = _roots.length;
        _roots.push(Root({root: root, size: size, postedAt: uint64(block.timestamp), challenged: false}));
        emit RootPosted(rootId, root, size);
    }

    /// @notice Withdraws a root within its window. Nothing that was proven under it can be paid.
    function challengeRoot(uint256 rootId) external onlyRole(GUARDIAN_ROLE) {
        Root storage root = _root(rootId);
        if (root.challenged) revert RootNotLive();
        if (block.timestamp >= root.postedAt + ROOT_WINDOW) revert WindowClosed();
        root.challenged = true;
        emit RootChallenged(rootId);
    }

    // ------------------------------------------------------------------ incoming

    /// @notice Proves that `message` is in the accumulator of the other side.
    function prove(Message calldata message, uint256 leafIndex, uint256 rootId, bytes32[] calldata proof)
        external
        whenNotPaused
        returns (bytes32 id)
    {
        Root storage root = _root(rootId);
        if (root.challenged) revert RootNotLive();
        id = messageId(remoteDomain, message);
        if (leafIndex >= root.size || !Accumulator.verify(id, leafIndex, proof, root.root)) revert InvalidProof();

        Asset storage asset = _asset(message.assetId);
        Release storage release = _releases[id];
        if (release.status == Status.Pending) {
            if (!_roots[release.rootId].challenged) revert AlreadyProven();
            asset.reserved -= uint128(release.amount);
        } else if (release.status != Status.None) {
            revert AlreadyProven();
        }
        if (asset.reserved + message.amount > asset.maxReserved) revert ExposureExceeded();
        asset.reserved += uint128(message.amount);

        release.status = Status.Pending;
        release.assetId = message.assetId;
        release.rootId = uint32(rootId);
        release.provenAt = uint64(block.timestamp);
        release.sender = message.sender;
        release.recipient = message.recipient;
        release.amount = message.amount;
        release.remaining = message.amount;
        emit Proven(id, rootId);
    }

    /// @notice Drops a release whose root was challenged; the message can be proven again under another root.
    function voidRelease(bytes32 id) external {
        Release storage release = _releases[id];
        if (release.status != Status.Pending) revert NotPending();
        if (!_roots[release.rootId].challenged) revert StillChallengeable();
        _dropReservation(_assets[release.assetId], release.amount);
        delete _releases[id];
        emit Voided(id);
    }

    /// @notice Pays a release after its challenge period, as far as the daily limit and the queue allow.
    function finalize(bytes32 id) external nonReentrant whenNotPaused {
        Release storage release = _releases[id];
        if (release.status != Status.Pending) revert NotPending();
        Root storage root = _roots[release.rootId];
        if (root.challenged) revert RootNotLive();
        if (
            block.timestamp < release.provenAt + CHALLENGE_PERIOD || block.timestamp < root.postedAt + ROOT_WINDOW
        ) revert StillChallengeable();

        Asset storage asset = _assets[release.assetId];
        asset.reserved -= uint128(release.amount);
        if (_queues[release.assetId].head == 0) _payUpToLimit(asset, id, release);
        if (release.remaining == 0) {
            release.status = Status.Released;
        } else {
            release.status = Status.Queued;
            asset.queued += uint128(release.remaining);
            _enqueue(_queues[release.assetId], id);
        }
    }

    /// @notice Pays up to `maxItems` entries from the head of the queue within the limit of the day.
    function processQueue(uint256 assetId, uint256 maxItems)
        external
        nonReentrant
        whenNotPaused
        returns (uint256 paid)
    {
        Asset storage asset = _asset(assetId);
        Queue storage queue = _queues[assetId];
        for (uint256 i; i < maxItems; ++i) {
            bytes32 id = queue.head;
            if (id == 0) break;
            Release storage release = _releases[id];
            uint256 amount = _payUpToLimit(asset, id, release);
            if (amount == 0) break;
            asset.queued -= uint128(amount);
            paid += amount;
            if (release.remaining != 0) break;
            release.status = Status.Released;
            _popHead(queue, id);
        }
    }

    /// @notice Stops a release that has not been paid in full; what is left goes back to the sender.
    function veto(bytes32 id) external onlyRole(GUARDIAN_ROLE) returns (uint256 refundIndex) {
        Release storage release = _releases[id];
        Asset storage asset = _assets[release.assetId];
        if (release.status == Status.Pending) {
            if (_roots[release.rootId].challenged) revert NotVetoable();
            asset.reserved -= uint128(release.amount);
        } else if (release.status == Status.Queued) {
            asset.queued -= uint128(release.remaining);
            _unlink(_queues[release.assetId], id);
        } else {
            revert NotVetoable();
        }
        uint256 amount = _refundAmount(release);
        release.status = Status.Vetoed;
        release.remaining = 0;
        refundIndex = _send(release.assetId, true, release.recipient, release.sender, amount);
        emit Vetoed(id, refundIndex);
    }

    function _payUpToLimit(Asset storage asset, bytes32 id, Release storage release) internal returns (uint256 amount) {
        amount = Math.min(release.remaining, _available(asset));
        if (amount == 0) return 0;
        uint64 day = uint64(currentDay());
        if (asset.day != day) {
            asset.day = day;
            asset.usedToday = 0;
        }
        asset.usedToday += uint128(amount);
        release.remaining -= amount;
        if (asset.minted) BridgedToken(asset.token).mint(release.recipient, amount);
        else IERC20(asset.token).safeTransfer(release.recipient, amount);
        emit Paid(id, release.recipient, amount, release.remaining);
    }

    function _available(Asset storage asset) internal view returns (uint256) {
        uint256 used = asset.day == currentDay() ? asset.usedToday : 0;
        return asset.dailyLimit > used ? asset.dailyLimit - used : 0;
    }

    function _dropReservation(Asset storage asset, uint256 amount) internal virtual {
        asset.reserved -= uint128(amount);
    }

    function _refundAmount(Release storage release) internal view virtual returns (uint256) {
        return release.remaining;
    }

    // ------------------------------------------------------------------ queue

    function _enqueue(Queue storage queue, bytes32 id) internal {
        bytes32 tail = queue.tail;
        if (tail == 0) {
            queue.head = id;
        } else {
            nextInQueue[tail] = id;
            prevInQueue[id] = tail;
        }
        queue.tail = id;
    }

    function _popHead(Queue storage queue, bytes32 id) internal {
        bytes32 next = nextInQueue[id];
        queue.head = next;
        if (next == 0) queue.tail = 0;
        else prevInQueue[next] = 0;
        nextInQueue[id] = 0;
    }

    function _unlink(Queue storage queue, bytes32 id) internal {
        bytes32 prev = prevInQueue[id];
        bytes32 next = nextInQueue[id];
        if (prev == 0) queue.head = next;
        else nextInQueue[prev] = next;
        if (next == 0) _retractTail(queue, prev);
        else prevInQueue[next] = prev;
        prevInQueue[id] = 0;
        nextInQueue[id] = 0;
    }

    function _retractTail(Queue storage queue, bytes32 prev) internal virtual {
        queue.tail = prev;
    }

    // ------------------------------------------------------------------ views

    function currentDay() public view returns (uint256) {
        return (block.timestamp - genesis) / 1 days;
    }

    function messageId(uint256 domain, Message memory message) public pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(domain, message))));
    }

    function availableToday(uint256 assetId) external view returns (uint256) {
        return _available(_asset(assetId));
    }

    function assets(uint256 assetId) external view returns (Asset memory) {
        return _asset(assetId);
    }

    function assetCount() external view returns (uint256) {
        return _assets.length;
    }

    function roots(uint256 rootId) external view returns (Root memory) {
        return _root(rootId);
    }

    function rootCount() external view returns (uint256) {
        return _roots.length;
    }

    function releases(bytes32 id) external view returns (Release memory) {
        return _releases[id];
    }

    function sent(uint256 index) external view returns (Message memory) {
        return _sent[index];
    }

    function queueEnds(uint256 assetId) external view returns (bytes32 head, bytes32 tail) {
        Queue storage queue = _queues[assetId];
        return (queue.head, queue.tail);
    }

    function outboxSize() external view returns (uint256) {
        return _outbox.count;
    }

    function outboxRoot() external view returns (bytes32) {
        return _outbox.root();
    }

    function _asset(uint256 assetId) internal view returns (Asset storage) {
        if (assetId >= _assets.length) revert UnknownAsset();
        return _assets[assetId];
    }

    function _root(uint256 rootId) internal view returns (Root storage) {
        if (rootId >= _roots.length) revert UnknownRoot();
        return _roots[rootId];
    }
}

contract ProofBridgeBug is ProofBridge {
    constructor(uint256 localDomain_, uint256 remoteDomain_, address admin)
        ProofBridge(localDomain_, remoteDomain_, admin)
    {}

    function _dropReservation(Asset storage, uint256) internal override {}

    function _refundAmount(Release storage release) internal view override returns (uint256) {
        return release.amount;
    }

    function _retractTail(Queue storage queue, bytes32 prev) internal override {
        if (prev != 0) queue.tail = prev;
    }
}
