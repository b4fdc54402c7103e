// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice Streams of reward tokens to the holders of a share. Every registration of a token is a stream with its own
/// id; a stream that is over may be removed, and what nobody claimed goes back.
abstract contract RewardStreams is ERC20 {
    using FixedPointMathLib for uint256;

    struct Stream {
        uint256 rate;
        uint256 finishAt;
        uint256 updatedAt;
        uint256 index;
        uint256 outstanding;
    }

    struct Account {
        uint256 paidIndex;
        uint256 owed;
    }

    uint256 internal constant RAY = 1e27;
    uint256 public constant STREAM_TIME = 7 days;
    uint256 public constant CLAIM_GRACE = 14 days;
    uint256 public constant MAX_STREAMS = 4;

    address[] public rewardTokens;
    uint256 public lastStreamId;
    mapping(address token => uint256) public streamIdOf;
    mapping(uint256 id => Stream) public streams;
    mapping(uint256 id => mapping(address holder => Account)) public accounts;

    event StreamAdded(address indexed token, uint256 id);
    event StreamRemoved(address indexed token, uint256 id, uint256 returned);
    event RewardNotified(address indexed token, uint256 amount, uint256 rate);
    event RewardClaimed(address indexed token, address indexed holder, uint256 amount);

    error KnownToken();
    error UnknownToken();
    error TooManyStreams();
    error StreamRunning();
    error RewardTooSmall();

    // ---- management

    function _addStream(address token) internal {
        if (streamIdOf[token] != 0) revert KnownToken();
        if (rewardTokens.length == MAX_STREAMS) revert TooManyStreams();
        uint256 id = _newStreamId(token);
        streamIdOf[token] = id;
        streams[id].updatedAt = block.timestamp;
        rewardTokens.push(token);
        emit StreamAdded(token, id);
    }

    function _newStreamId(address) internal virtual returns (uint256) {
        return ++lastStreamId;
    }

    function _removeStream(address token, address to) internal {
        uint256 id = _idOf(token);
        Stream storage s = streams[id];
        if (s.finishAt != 0 && block.timestamp < s.finishAt + CLAIM_GRACE) revert StreamRunning();
        _updateStream(id);
        uint256 rest = s.outstanding;
        s.outstanding = 0;
        s.rate = 0;
        delete streamIdOf[token];
        uint256 last = rewardTokens.length - 1;
        for (uint256 i; i < last; ++i) {
            if (rewardTokens[i] == token) {
                rewardTokens[i] = rewardTokens[last];
                break;
            }
        }
        rewardTokens.pop();
        emit StreamRemoved(token, id, rest);
        SafeTransferLib.safeTransfer(token, to, rest);
    }

    function _notify(address token, uint256 amount, address from) internal {
        uint256 id = _idOf(token);
        _updateStream(id);
        Stream storage s = streams[id];
        uint256 left = s.rate * s.finishAt.zeroFloorSub(block.timestamp);
        uint256 rate = (amount + left) / STREAM_TIME;
        if (rate == 0) revert RewardTooSmall();
        s.rate = rate;
        s.finishAt = block.timestamp + STREAM_TIME;
        s.outstanding += amount;
        emit RewardNotified(token, amount, rate);
        SafeTransferLib.safeTransferFrom(token, from, address(this), amount);
    }

    // ---- holders

    function claim(address token) external returns (uint256 amount) {
        uint256 id = _idOf(token);
        _updateStream(id);
        _settle(id, msg.sender);
        amount = accounts[id][msg.sender].owed;
        accounts[id][msg.sender].owed = 0;
        streams[id].outstanding -= amount;
        emit RewardClaimed(token, msg.sender, amount);
        SafeTransferLib.safeTransfer(token, msg.sender, amount);
    }

    function _beforeTokenTransfer(address from, address to, uint256) internal override {
        uint256 n = rewardTokens.length;
        for (uint256 i; i < n; ++i) {
            uint256 id = streamIdOf[rewardTokens[i]];
            _updateStream(id);
            if (from != address(0)) _settle(id, from);
            if (to != address(0)) _settle(id, to);
        }
    }

    function _updateStream(uint256 id) internal {
        streams[id].index = _indexNow(id);
        streams[id].updatedAt = block.timestamp;
    }

    function _settle(uint256 id, address holder) internal {
        Account storage a = accounts[id][holder];
        a.owed = _owed(id, holder, streams[id].index);
        a.paidIndex = streams[id].index;
    }

    function _idOf(address token) internal view returns (uint256 id) {
        id = streamIdOf[token];
        if (id == 0) revert UnknownToken();
    }

    function _owed(uint256 id, address holder, uint256 index) internal view returns (uint256) {
        Account storage a = accounts[id][holder];
        return a.owed + balanceOf(holder).fullMulDiv(index - a.paidIndex, RAY);
    }

    function _indexNow(uint256 id) internal view returns (uint256) {
        Stream storage s = streams[id];
        uint256 until = block.timestamp.min(s.finishAt);
        if (until <= s.updatedAt || totalSupply() == 0) return s.index;
        return s.index + (s.rate * (until - s.updatedAt)).fullMulDiv(RAY, totalSupply());
    }

    // ---- views

    /// @notice What a holder can claim now; nothing for a token without a stream.
    function earned(address token, address holder) external view returns (uint256) {
        uint256 id = streamIdOf[token];
        return id == 0 ? 0 : _owed(id, holder, _indexNow(id));
    }

    function outstandingOf(address token) external view returns (uint256) {
        uint256 id = streamIdOf[token];
        return id == 0 ? 0 : streams[id].outstanding;
    }

    function rewardTokenCount() external view returns (uint256) {
        return rewardTokens.length;
    }
}
