// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IGovernor} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

/// @notice Parameters of the protocol. Each has bounds and a largest step for one change. Changes wait in a time lock.
contract ParamGovernor is IGovernor, AccessControl {
    bytes32 public constant PROPOSER = keccak256("PROPOSER");
    bytes32 public constant GUARDIAN = keccak256("GUARDIAN");

    uint256 public constant DELAY = 2 days;
    uint256 public constant GRACE = 14 days;
    uint256 public constant MAX_PENDING = 12;

    enum State {
        None,
        Queued,
        Executed,
        Cancelled
    }

    struct Bounds {
        uint256 min;
        uint256 max;
        uint256 step;
    }

    struct Change {
        uint8 param;
        State state;
        uint64 eta;
        address proposer;
        uint256 value;
    }

    mapping(uint8 => uint256) internal _values;
    mapping(uint8 => Bounds) internal _bounds;
    Change[] internal _changes;
    uint256 public pending;

    event ChangeQueued(uint256 indexed id, uint8 indexed param, uint256 value, uint256 eta);
    event ChangeExecuted(uint256 indexed id, uint8 indexed param, uint256 value);
    event ChangeCancelled(uint256 indexed id);

    constructor(address admin) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(PROPOSER, admin);
        _grantRole(GUARDIAN, admin);
        _init(Params.BASE_RATE, 0.05e18, 0, 0.2e18, 0.02e18);
        _init(Params.RATE_SLOPE, 0.1e18, 0, 0.5e18, 0.05e18);
        _init(Params.INSURANCE_SHARE, 2000, 500, 5000, 500);
        _init(Params.REPAIR_SHARE, 2500, 0, 5000, 1000);
        _init(Params.CLOSE_FACTOR, 5000, 2500, 10_000, 1000);
        _init(Params.LATE_FEE, 100, 0, 500, 50);
        _init(Params.AUCTION_LENGTH, 2 days, 12 hours, 7 days, 12 hours);
        _init(Params.COOLDOWN, 7 days, 1 days, 21 days, 3 days);
        _init(Params.MAX_TRANCHES, 6, 2, 10, 2);
    }

    function _init(uint8 param, uint256 initial, uint256 min, uint256 max, uint256 step) internal {
        _values[param] = initial;
        _bounds[param] = Bounds(min, max, step);
    }

    function value(uint8 param) external view returns (uint256) {
        require(param < Params.COUNT, "gov: param");
        return _values[param];
    }

    function boundsOf(uint8 param) external view returns (Bounds memory) {
        return _bounds[param];
    }

    function changeOf(uint256 id) external view returns (Change memory) {
        return _changes[id];
    }

    function changeCount() external view returns (uint256) {
        return _changes.length;
    }

    function queue(uint8 param, uint256 newValue) external onlyRole(PROPOSER) returns (uint256 id) {
        require(param < Params.COUNT, "gov: param");
        require(pending < MAX_PENDING, "gov: pending");
        Bounds memory b = _bounds[param];
        require(newValue >= b.min, "gov: below min");
        require(newValue <= b.max, "gov: above max");
        require(newValue != _values[param], "gov: same");
        _requireStep(param, newValue);
        id = _changes.length;
        _changes.push(Change(param, State.Queued, uint64(block.timestamp + DELAY), msg.sender, newValue));
        pending += 1;
        emit ChangeQueued(id, param, newValue, block.timestamp + DELAY);
    }

    function execute(uint256 id) external {
        require(id < _changes.length, "gov: unknown");
        Change storage c = _changes[id];
        require(c.state == State.Queued, "gov: state");
        require(block.timestamp >= c.eta, "gov: early");
        require(block.timestamp <= c.eta + GRACE, "gov: expired");
        _validateExecution(c.param, c.value);
        c.state = State.Executed;
        pending -= 1;
        _values[c.param] = c.value;
        emit ChangeExecuted(id, c.param, c.value);
    }

    function cancel(uint256 id) external {
        require(id < _changes.length, "gov: unknown");
        Change storage c = _changes[id];
        require(c.state == State.Queued, "gov: state");
        bool expired = block.timestamp > c.eta + GRACE;
        require(expired || hasRole(GUARDIAN, msg.sender) || msg.sender == c.proposer, "gov: role");
        c.state = State.Cancelled;
        pending -= 1;
        emit ChangeCancelled(id);
    }

    function _requireStep(uint8 param, uint256 newValue) internal view {
        uint256 current = _values[param];
        uint256 move = newValue > current ? newValue - current : current - newValue;
        require(move <= _bounds[param].step, "gov: step");
    }

    function _validateExecution(uint8 param, uint256 newValue) internal view virtual {
        _requireStep(param, newValue);
    }
}
