// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {IGovernor, ILedger, ILines, IVault} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

/// @notice A credit line for each borrower, drawn in tranches with a maturity each.
contract CreditLines is ILines, ModuleBase, AccessControl {
    using FixedPointMathLib for uint256;

    bytes32 public constant UNDERWRITER = keccak256("UNDERWRITER");

    uint256 public constant MIN_DRAW = 100e18;
    uint256 public constant MAX_TERM = 26;
    uint256 public constant ROLL_FEE = 10;
    uint256 public constant LATE_GRACE = 1 days;
    uint256 public constant OVERDUE_GRACE = 7 days;

    struct Line {
        uint256 limit;
        uint64 expiry;
        bool active;
        bool frozen;
    }

    struct Tranche {
        uint64 id;
        uint64 openedAt;
        uint64 maturity;
        bool lateCharged;
        uint256 scaled;
    }

    IGovernor public immutable governor;
    ILedger public immutable ledger;
    IVault public immutable vault;

    mapping(address => Line) internal _lines;
    mapping(address => Tranche[]) internal _tranches;
    /// @notice Index plus one of a tranche in its borrower's list.
    mapping(uint256 => uint256) public position;
    mapping(uint256 => address) public offeredTo;
    address[] internal _borrowers;
    mapping(address => uint256) internal _borrowerSlot;
    uint64 public lastId;

    event LineApproved(address indexed borrower, uint256 limit, uint256 expiry);
    event LineFrozen(address indexed borrower, bool frozen);
    event Drawn(address indexed borrower, uint256 indexed id, uint256 amount, uint256 maturity);
    event Repaid(address indexed borrower, address indexed payer, uint256 amount);
    event Merged(address indexed borrower, uint256 indexed into, uint256 indexed from);
    event Split(address indexed borrower, uint256 indexed from, uint256 indexed id);
    event Rolled(address indexed borrower, uint256 indexed id, uint256 maturity);
    event LateCharged(address indexed borrower, uint256 indexed id, uint256 fee);
    event Assigned(address indexed from, address indexed to, uint256 indexed id);

    constructor(IGovernor governor_, ILedger ledger_, IVault vault_) {
        governor = governor_;
        ledger = ledger_;
        vault = vault_;
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }

    // Underwriting

    function approveLine(address borrower, uint256 limit, uint64 expiry) external onlyRole(UNDERWRITER) {
        require(borrower != address(0), "lines: borrower");
        require(expiry > block.timestamp, "lines: expiry");
        Line storage l = _lines[borrower];
        l.limit = limit;
        l.expiry = expiry;
        l.active = true;
        emit LineApproved(borrower, limit, expiry);
    }

    function freezeLine(address borrower, bool frozen) external onlyRole(UNDERWRITER) {
        require(_lines[borrower].active, "lines: inactive");
        _lines[borrower].frozen = frozen;
        emit LineFrozen(borrower, frozen);
    }

    // Borrowing

    function draw(uint256 amount, uint256 termWeeks) external returns (uint256 id) {
        return _draw(msg.sender, amount, termWeeks);
    }

    function drawFor(address borrower, uint256 amount, uint256 termWeeks) external onlyModule returns (uint256 id) {
        return _draw(borrower, amount, termWeeks);
    }

    function _draw(address borrower, uint256 amount, uint256 termWeeks) internal returns (uint256 id) {
        ledger.accrue();
        _requireUsable(borrower);
        require(amount >= MIN_DRAW, "lines: small");
        require(termWeeks > 0, "lines: term");
        require(termWeeks <= MAX_TERM, "lines: term");
        require(debtOf(borrower) + amount <= _lines[borrower].limit, "lines: limit");
        for (uint256 i; i < _tranches[borrower].length; ++i) {
            require(_tranches[borrower][i].maturity >= block.timestamp, "lines: overdue");
        }
        uint64 maturity = uint64(block.timestamp + termWeeks * Units.WEEK);
        uint256 scaled = ledger.increase(borrower, amount, borrower);
        id = _push(borrower, scaled, maturity, false);
        _requireHealthy(borrower);
        emit Drawn(borrower, id, amount, maturity);
    }

    function repay(address borrower, uint256 id, uint256 amount) external returns (uint256 paid) {
        ledger.accrue();
        require(amount > 0, "lines: amount");
        uint256 i = _locate(borrower, id);
        paid = _payOne(borrower, i, amount);
        require(paid > 0, "lines: nothing");
        ledger.burnFrom(msg.sender, paid);
        emit Repaid(borrower, msg.sender, paid);
    }

    function repayAcross(address borrower, uint256 amount) external returns (uint256 paid) {
        paid = _settle(borrower, amount, msg.sender);
    }

    function settle(address borrower, uint256 amount, address payer) external onlyModule returns (uint256 paid) {
        paid = _settle(borrower, amount, payer);
    }

    function forgive(address borrower, uint256 amount) external onlyModule returns (uint256 forgiven) {
        ledger.accrue();
        forgiven = _payAcross(borrower, amount);
    }

    function _settle(address borrower, uint256 amount, address payer) internal returns (uint256 paid) {
        ledger.accrue();
        require(amount > 0, "lines: amount");
        require(_tranches[borrower].length > 0, "lines: no debt");
        paid = _payAcross(borrower, amount);
        ledger.burnFrom(payer, paid);
        emit Repaid(borrower, payer, paid);
    }

    // Tranches

    /// @notice Adds `from` to `into`, which must not mature later.
    function mergeTranches(uint256 into, uint256 from) external {
        require(into != from, "lines: same");
        uint256 i = _locate(msg.sender, into);
        uint256 j = _locate(msg.sender, from);
        Tranche storage a = _tranches[msg.sender][i];
        Tranche storage b = _tranches[msg.sender][j];
        require(!a.lateCharged && !b.lateCharged, "lines: late");
        require(a.maturity <= b.maturity, "lines: order");
        require(a.maturity >= block.timestamp, "lines: overdue");
        a.scaled += b.scaled;
        _dropMerged(msg.sender, j);
        emit Merged(msg.sender, into, from);
    }

    function splitTranche(uint256 id, uint256 amount) external returns (uint256 newId) {
        ledger.accrue();
        uint256 i = _locate(msg.sender, id);
        Tranche storage a = _tranches[msg.sender][i];
        require(amount >= MIN_DRAW, "lines: small");
        uint256 scaled = ledger.toScaledDown(amount);
        require(a.scaled > scaled, "lines: split");
        a.scaled -= scaled;
        newId = _push(msg.sender, scaled, a.maturity, a.lateCharged);
        emit Split(msg.sender, id, newId);
    }

    function rollTranche(uint256 id, uint256 extraWeeks) external {
        ledger.accrue();
        _requireUsable(msg.sender);
        require(extraWeeks > 0 && extraWeeks <= MAX_TERM, "lines: term");
        Tranche storage a = _tranches[msg.sender][_locate(msg.sender, id)];
        require(block.timestamp < a.maturity, "lines: matured");
        uint256 maturity = a.maturity + extraWeeks * Units.WEEK;
        require(maturity <= block.timestamp + MAX_TERM * Units.WEEK, "lines: too long");
        uint256 fee = ledger.toAmountUp(a.scaled).mulDivUp(ROLL_FEE, Units.BPS);
        a.scaled += ledger.charge(msg.sender, fee);
        a.maturity = uint64(maturity);
        _requireHealthy(msg.sender);
        emit Rolled(msg.sender, id, maturity);
    }

    /// @notice One late fee for a tranche past its maturity. Anyone may call it.
    function chargeLate(address borrower, uint256 id) external returns (uint256 fee) {
        ledger.accrue();
        Tranche storage a = _tranches[borrower][_locate(borrower, id)];
        require(block.timestamp > a.maturity + LATE_GRACE, "lines: in time");
        require(!a.lateCharged, "lines: charged");
        fee = ledger.toAmountUp(a.scaled).mulDivDown(governor.value(Params.LATE_FEE), Units.BPS);
        a.lateCharged = true;
        a.scaled += ledger.charge(borrower, fee);
        emit LateCharged(borrower, id, fee);
    }

    function offerTranche(uint256 id, address to) external {
        _locate(msg.sender, id);
        require(to != msg.sender, "lines: to");
        offeredTo[id] = to;
    }

    /// @notice Takes over a tranche that its borrower has offered to the caller.
    function acceptTranche(address from, uint256 id) external {
        ledger.accrue();
        require(offeredTo[id] == msg.sender, "lines: offer");
        _requireUsable(msg.sender);
        Tranche memory a = _tranches[from][_locate(from, id)];
        require(a.maturity >= block.timestamp, "lines: overdue");
        require(debtOf(msg.sender) + ledger.toAmountUp(a.scaled) <= _lines[msg.sender].limit, "lines: limit");
        _removeTranche(from, position[id] - 1);
        ledger.move(from, msg.sender, a.scaled);
        _tranches[msg.sender].push(a);
        position[id] = _tranches[msg.sender].length;
        _syncBorrower(msg.sender);
        _requireHealthy(msg.sender);
        emit Assigned(from, msg.sender, id);
    }

    // Internals

    function _push(address borrower, uint256 scaled, uint64 maturity, bool late) internal returns (uint256 id) {
        require(_tranches[borrower].length < governor.value(Params.MAX_TRANCHES), "lines: tranches");
        lastId += 1;
        id = lastId;
        _tranches[borrower].push(Tranche(uint64(id), uint64(block.timestamp), maturity, late, scaled));
        position[id] = _tranches[borrower].length;
        _syncBorrower(borrower);
    }

    function _payOne(address borrower, uint256 i, uint256 amount) internal returns (uint256 paid) {
        Tranche storage a = _tranches[borrower][i];
        uint256 owed = ledger.toAmountUp(a.scaled);
        if (amount >= owed) {
            ledger.decrease(borrower, a.scaled);
            _removeTranche(borrower, i);
            return owed;
        }
        uint256 scaled = ledger.toScaledDown(amount);
        if (scaled > 0) {
            ledger.decrease(borrower, scaled);
            _reduce(a, scaled);
        }
        return amount;
    }

    /// @dev Pays the tranches in the order of their maturity.
    function _payAcross(address borrower, uint256 amount) internal returns (uint256 paid) {
        while (paid < amount && _tranches[borrower].length > 0) {
            paid += _payOne(borrower, _earliest(borrower), amount - paid);
        }
    }

    function _earliest(address borrower) internal view returns (uint256 best) {
        Tranche[] storage list = _tranches[borrower];
        for (uint256 i = 1; i < list.length; ++i) {
            if (list[i].maturity < list[best].maturity) best = i;
        }
    }

    function _reduce(Tranche storage a, uint256 scaled) internal virtual {
        a.scaled -= scaled;
    }

    function _dropMerged(address borrower, uint256 i) internal virtual {
        _removeTranche(borrower, i);
    }

    function _removeTranche(address borrower, uint256 i) internal {
        Tranche[] storage list = _tranches[borrower];
        uint256 id = list[i].id;
        uint256 last = list.length - 1;
        if (i != last) {
            list[i] = list[last];
            position[list[i].id] = i + 1;
        }
        list.pop();
        delete position[id];
        delete offeredTo[id];
        _syncBorrower(borrower);
    }

    function _syncBorrower(address borrower) internal {
        uint256 slot = _borrowerSlot[borrower];
        bool has = _tranches[borrower].length > 0;
        if (has && slot == 0) {
            _borrowers.push(borrower);
            _borrowerSlot[borrower] = _borrowers.length;
        } else if (!has && slot != 0) {
            address last = _borrowers[_borrowers.length - 1];
            if (last != borrower) {
                _borrowers[slot - 1] = last;
                _borrowerSlot[last] = slot;
            }
            _borrowers.pop();
            delete _borrowerSlot[borrower];
        }
    }

    function _locate(address borrower, uint256 id) internal view returns (uint256 i) {
        uint256 p = position[id];
        require(p != 0 && p <= _tranches[borrower].length, "lines: unknown");
        require(_tranches[borrower][p - 1].id == id, "lines: unknown");
        return p - 1;
    }

    function _requireUsable(address borrower) internal view {
        Line storage l = _lines[borrower];
        require(l.active, "lines: inactive");
        require(!l.frozen, "lines: frozen");
        require(block.timestamp < l.expiry, "lines: expired");
    }

    function _requireHealthy(address account) internal view {
        uint256 debt = debtOf(account);
        if (debt == 0) return;
        require(vault.borrowPower(account) >= debt, "lines: unhealthy");
    }

    // Views and checks

    function checkHealth(address account) external {
        ledger.accrue();
        _requireHealthy(account);
    }

    function debtOf(address borrower) public view returns (uint256 sum) {
        Tranche[] storage list = _tranches[borrower];
        for (uint256 i; i < list.length; ++i) {
            sum += ledger.toAmountUp(list[i].scaled);
        }
    }

    function isOverdue(address borrower) public view returns (bool) {
        Tranche[] storage list = _tranches[borrower];
        for (uint256 i; i < list.length; ++i) {
            if (block.timestamp > list[i].maturity + OVERDUE_GRACE) return true;
        }
        return false;
    }

    function isLiquidatable(address borrower) external view returns (bool) {
        uint256 debt = debtOf(borrower);
        if (debt == 0) return false;
        if (isOverdue(borrower)) return true;
        return vault.liquidationValue(borrower) < debt;
    }

    function lineOf(address borrower) external view returns (Line memory) {
        return _lines[borrower];
    }

    function tranchesOf(address borrower) external view returns (Tranche[] memory) {
        return _tranches[borrower];
    }

    function trancheCount(address borrower) external view returns (uint256) {
        return _tranches[borrower].length;
    }

    function borrowers() external view returns (address[] memory) {
        return _borrowers;
    }
}
