// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {CreditLines} from "../../src/clearinghouse/CreditLines.sol";
import {Properties} from "../Properties.sol";

abstract contract LinesTargets is Properties {
    /// @dev Late fees taken by tranche and maturity.
    mapping(uint256 => mapping(uint256 => uint256)) internal ghostLate;

    function _pick(address borrower, uint256 seed) internal view returns (bool found, CreditLines.Tranche memory tr) {
        CreditLines.Tranche[] memory list = lines.tranchesOf(borrower);
        if (list.length == 0) return (false, tr);
        return (true, list[seed % list.length]);
    }

    function lines_approve(uint256 actorSeed, uint256 limit, uint256 termWeeks) public tracked(_actor(actorSeed)) {
        limit = between(limit, 1_000e18, 5_000_000e18);
        termWeeks = between(termWeeks, 1, 52);
        lines.approveLine(_actor(actorSeed), limit, uint64(block.timestamp + termWeeks * 7 days));
    }

    function lines_freeze(uint256 actorSeed, uint256 dice) public tracked(_actor(actorSeed)) {
        lines.freezeLine(_actor(actorSeed), dice % 4 == 0);
    }

    function lines_draw(uint256 actorSeed, uint256 amount, uint256 termWeeks) public {
        address actor = _actor(actorSeed);
        ledger.accrue();
        (,, uint256 room) = house.statusOf(actor);
        if (room < 200e18) return;
        amount = between(amount, 100e18, room - 10);
        termWeeks = between(termWeeks, 1, 26);
        __before(actor);
        vm.prank(actor);
        uint256 id = lines.draw(amount, termWeeks);
        __after(actor);
        eq(_after.dollars, _before.dollars + amount, "draw: dollars");
        gte(_after.debt, _before.debt + amount, "draw: debt");
        eq(_after.tranches, _before.tranches + 1, "draw: tranches");
        eq(lines.position(id), _after.tranches, "draw: position");
    }

    function lines_draw_raw(uint256 actorSeed, uint256 amount, uint256 termWeeks) public tracked(_actor(actorSeed)) {
        vm.prank(_actor(actorSeed));
        lines.draw(amount, termWeeks);
    }

    function lines_drawMax(uint256 actorSeed, uint256 termWeeks) public {
        address actor = _actor(actorSeed);
        ledger.accrue();
        (,, uint256 room) = house.statusOf(actor);
        if (room < 200e18) return;
        __before(actor);
        vm.prank(actor);
        lines.draw(room - 10, between(termWeeks, 1, 26));
        __after(actor);
        lte(_after.debt, vault.borrowPower(actor), "drawMax: power");
        lte(_after.debt, lines.lineOf(actor).limit, "drawMax: limit");
    }

    function lines_repay(uint256 payerSeed, uint256 borrowerSeed, uint256 trancheSeed, uint256 amount) public {
        address payer = _actor(payerSeed);
        address borrower = _borrower(borrowerSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(borrower, trancheSeed);
        if (!found) return;
        ledger.accrue();
        amount = between(amount, 1, least(dollar.balanceOf(payer), ledger.toAmountUp(tr.scaled)));
        uint256 debt = lines.debtOf(borrower);
        __before(payer);
        vm.prank(payer);
        uint256 paid = lines.repay(borrower, tr.id, amount);
        __after(payer);
        lte(paid, amount, "repay: paid");
        eq(_after.dollars + paid, _before.dollars, "repay: dollars");
        gte(lines.debtOf(borrower) + paid, debt, "repay: too much");
    }

    function lines_repay_raw(uint256 payerSeed, uint256 borrowerSeed, uint256 id, uint256 amount)
        public
        tracked(_actor(payerSeed))
    {
        vm.prank(_actor(payerSeed));
        lines.repay(_borrower(borrowerSeed), id, amount);
    }

    function lines_repayFull(uint256 actorSeed, uint256 trancheSeed) public {
        address actor = _actor(actorSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(actor, trancheSeed);
        if (!found) return;
        __before(actor);
        vm.prank(actor);
        lines.repay(actor, tr.id, type(uint256).max);
        __after(actor);
        eq(lines.position(tr.id), 0, "repayFull: position");
        eq(_after.tranches + 1, _before.tranches, "repayFull: tranches");
    }

    function lines_repayAcross(uint256 payerSeed, uint256 borrowerSeed, uint256 amount)
        public
        tracked(_actor(payerSeed))
    {
        address payer = _actor(payerSeed);
        amount = between(amount, 1, dollar.balanceOf(payer));
        vm.prank(payer);
        uint256 paid = lines.repayAcross(_borrower(borrowerSeed), amount);
        lte(paid, amount, "repayAcross: paid");
    }

    function lines_merge(uint256 actorSeed, uint256 firstSeed, uint256 secondSeed) public {
        address actor = _actor(actorSeed);
        (bool found, CreditLines.Tranche memory a) = _pick(actor, firstSeed);
        if (!found) return;
        (, CreditLines.Tranche memory b) = _pick(actor, secondSeed);
        if (a.id == b.id) return;
        if (a.maturity > b.maturity) (a, b) = (b, a);
        __before(actor);
        vm.prank(actor);
        lines.mergeTranches(a.id, b.id);
        __after(actor);
        lte(_after.debt, _before.debt, "merge: debt");
        eq(_after.tranches + 1, _before.tranches, "merge: tranches");
    }

    function lines_split(uint256 actorSeed, uint256 trancheSeed, uint256 amount) public {
        address actor = _actor(actorSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(actor, trancheSeed);
        if (!found) return;
        ledger.accrue();
        amount = between(amount, 100e18, ledger.toAmountUp(tr.scaled));
        __before(actor);
        vm.prank(actor);
        lines.splitTranche(tr.id, amount);
        __after(actor);
        gte(_after.debt, _before.debt, "split: debt falls");
        lte(_after.debt, _before.debt + 2, "split: debt grows");
    }

    function lines_roll(uint256 actorSeed, uint256 trancheSeed, uint256 extraWeeks) public {
        address actor = _actor(actorSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(actor, trancheSeed);
        if (!found) return;
        __before(actor);
        vm.prank(actor);
        lines.rollTranche(tr.id, between(extraWeeks, 1, 26));
        __after(actor);
        gte(_after.debt, _before.debt, "roll: debt");
        eq(_after.tranches, _before.tranches, "roll: tranches");
    }

    function lines_chargeLate(uint256 borrowerSeed, uint256 trancheSeed) public {
        address borrower = _borrower(borrowerSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(borrower, trancheSeed);
        if (!found) return;
        __before(borrower);
        lines.chargeLate(borrower, tr.id);
        __after(borrower);
        ghostLate[tr.id][tr.maturity] += 1;
        eq(ghostLate[tr.id][tr.maturity], 1, "chargeLate: more than one fee");
        gte(_after.debt, _before.debt, "chargeLate: debt");
    }

    function lines_offer(uint256 actorSeed, uint256 trancheSeed, uint256 toSeed) public tracked(_actor(actorSeed)) {
        (bool found, CreditLines.Tranche memory tr) = _pick(_actor(actorSeed), trancheSeed);
        if (!found) return;
        vm.prank(_actor(actorSeed));
        lines.offerTranche(tr.id, _actor(toSeed));
    }

    function lines_accept(uint256 toSeed, uint256 fromSeed, uint256 trancheSeed) public {
        address to = _actor(toSeed);
        address from = _actor(fromSeed);
        (bool found, CreditLines.Tranche memory tr) = _pick(from, trancheSeed);
        if (!found) return;
        ledger.accrue();
        uint256 both = lines.debtOf(from) + lines.debtOf(to);
        __before(to);
        vm.prank(to);
        lines.acceptTranche(from, tr.id);
        __after(to);
        eq(lines.debtOf(from) + lines.debtOf(to), both, "accept: debt");
        lte(_after.debt, vault.borrowPower(to), "accept: power");
    }

    function test_drawRepayRoundTrip(uint256 actorSeed, uint256 amount, uint256 termWeeks) public {
        address actor = _actor(actorSeed);
        ledger.accrue();
        (,, uint256 room) = house.statusOf(actor);
        if (room < 200e18) return;
        amount = between(amount, 100e18, room - 10);
        __before(actor);
        vm.prank(actor);
        uint256 id = lines.draw(amount, between(termWeeks, 1, 26));
        vm.prank(actor);
        uint256 paid = lines.repay(actor, id, amount + 10);
        __after(actor);
        gte(paid, amount, "round trip: profit");
        lte(paid, amount + 10, "round trip: loss");
        eq(_after.debt, _before.debt, "round trip: debt");
    }
}
