// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";

/// @notice Wrapped governance token with delegation. Votes, balances, supply and delegates are checkpointed by
/// timestamp. Unwrapping goes through a queue with a cooldown.
abstract contract VotesLedger is ERC20 {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using Checkpoints for Checkpoints.Trace208;
    using Checkpoints for Checkpoints.Trace160;

    struct Exit {
        uint208 amount;
        uint48 unlockAt;
    }

    uint256 public constant COOLDOWN = 10 days;
    uint256 public constant EXPRESS_FEE_BPS = 200;
    uint256 public constant MAX_EXITS = 6;
    uint256 internal constant BPS = 10_000;

    IERC20 public immutable underlying;
    uint256 public totalExiting;

    mapping(address account => Exit[]) internal _exits;
    mapping(address account => Checkpoints.Trace208) internal _votes;
    mapping(address account => Checkpoints.Trace208) internal _balances208;
    mapping(address account => Checkpoints.Trace160) internal _delegates;
    Checkpoints.Trace208 internal _supply;

    event Delegated(address indexed account, address indexed from, address indexed to);
    event VotesChanged(address indexed delegate, uint256 votes);
    event ExitRequested(address indexed account, uint256 amount, uint256 unlockAt);
    event ExitCompleted(address indexed account, uint256 amount, uint256 fee);

    error ZeroAmount();
    error TooManyExits();
    error NoSuchExit();
    error Locked();
    error FutureLookup();

    constructor(IERC20 underlying_) ERC20("Voting GOV", "vGOV") {
        underlying = underlying_;
    }

    // ---- wrapping

    function wrap(uint256 amount) external virtual {
        _wrap(msg.sender, amount);
    }

    function _wrap(address account, uint256 amount) internal {
        if (amount == 0) revert ZeroAmount();
        if (_delegates[account].length() == 0) _delegate(account, account);
        underlying.safeTransferFrom(account, address(this), amount);
        _mint(account, amount);
    }

    /// @notice Burns the votes at once; the tokens follow after the cooldown.
    function requestExit(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        Exit[] storage list = _exits[msg.sender];
        if (list.length == MAX_EXITS) revert TooManyExits();
        _burn(msg.sender, amount);
        uint48 unlockAt = uint48(block.timestamp + COOLDOWN);
        list.push(Exit(amount.toUint208(), unlockAt));
        totalExiting += amount;
        emit ExitRequested(msg.sender, amount, unlockAt);
    }

    /// @notice Takes back the newest request.
    function cancelLastExit() external {
        Exit[] storage list = _exits[msg.sender];
        if (list.length == 0) revert NoSuchExit();
        uint256 amount = list[list.length - 1].amount;
        list.pop();
        totalExiting -= amount;
        _mint(msg.sender, amount);
    }

    function completeExit(uint8 index) external {
        Exit memory e = _exitAt(msg.sender, index);
        if (block.timestamp < e.unlockAt) revert Locked();
        _removeExit(msg.sender, index);
        _payExit(msg.sender, e.amount, 0);
    }

    /// @notice Leaves in the second half of the cooldown, for a fee that falls to zero at its end.
    function expressExit(uint8 index) external {
        Exit memory e = _exitAt(msg.sender, index);
        if (block.timestamp + COOLDOWN / 2 < e.unlockAt) revert Locked();
        uint256 left = block.timestamp < e.unlockAt ? e.unlockAt - block.timestamp : 0;
        uint256 fee = uint256(e.amount) * EXPRESS_FEE_BPS * left / (BPS * COOLDOWN);
        _removeExit(msg.sender, index);
        _payExit(msg.sender, e.amount, fee);
    }

    function _payExit(address account, uint256 amount, uint256 fee) internal {
        totalExiting -= amount;
        emit ExitCompleted(account, amount, fee);
        if (fee != 0) underlying.safeTransfer(_feeReceiver(), fee);
        underlying.safeTransfer(account, amount - fee);
    }

    function _feeReceiver() internal view virtual returns (address);

    function _exitAt(address account, uint256 index) internal view returns (Exit memory) {
        if (index >= _exits[account].length) revert NoSuchExit();
        return _exits[account][index];
    }

    /// @dev Keeps the order of the others.
    function _removeExit(address account, uint256 index) internal virtual {
        Exit[] storage list = _exits[account];
        for (uint256 i = index; i + 1 < list.length; ++i) {
            list[i] = list[i + 1];
        }
        list.pop();
    }

    function exitsOf(address account) external view returns (Exit[] memory) {
        return _exits[account];
    }

    // ---- delegation

    /// @notice The first wrap of an account delegates it to itself.
    function delegate(address to) external {
        _delegate(msg.sender, to);
    }

    function _delegate(address account, address to) internal {
        address from = delegates(account);
        _delegates[account].push(uint96(block.timestamp), uint160(to));
        emit Delegated(account, from, to);
        _moveVotes(from, to, balanceOf(account));
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        uint48 now48 = uint48(block.timestamp);
        if (from != address(0)) _balances208[from].push(now48, balanceOf(from).toUint208());
        if (to != address(0)) _balances208[to].push(now48, balanceOf(to).toUint208());
        if (from == address(0) || to == address(0)) _supply.push(now48, totalSupply().toUint208());
        _moveVotes(delegates(from), delegates(to), value);
    }

    function _moveVotes(address from, address to, uint256 amount) internal {
        if (from == to || amount == 0) return;
        if (from != address(0)) _writeVotes(from, _votes[from].latest() - amount);
        if (to != address(0)) _writeVotes(to, _votes[to].latest() + amount);
    }

    function _writeVotes(address account, uint256 votes) internal {
        _votes[account].push(uint48(block.timestamp), votes.toUint208());
        emit VotesChanged(account, votes);
    }

    // ---- views

    function delegates(address account) public view returns (address) {
        return address(_delegates[account].latest());
    }

    function getVotes(address account) public view returns (uint256) {
        return _votes[account].latest();
    }

    function getPastVotes(address account, uint256 time) public view returns (uint256) {
        return _votes[account].upperLookupRecent(_past(time));
    }

    function getPastBalance(address account, uint256 time) public view returns (uint256) {
        return _balances208[account].upperLookupRecent(_past(time));
    }

    function getPastDelegate(address account, uint256 time) public view returns (address) {
        return address(_delegates[account].upperLookupRecent(uint96(_past(time))));
    }

    function getPastTotalSupply(uint256 time) public view returns (uint256) {
        return _supply.upperLookupRecent(_past(time));
    }

    function _past(uint256 time) private view returns (uint48) {
        if (time >= block.timestamp) revert FutureLookup();
        return uint48(time);
    }
}
