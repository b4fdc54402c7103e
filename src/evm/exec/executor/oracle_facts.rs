//! What oracles look at, of calls of a contract that is scanned.

use super::EvmExecutor;
use crate::{
    evm::{
        base::place::CodePlace,
        trace::{
            call_tree::Tracer,
            cmplog::SeenCoverage,
            coverage::CoverageRecorder,
            taint::{SeenCall, SeenDecision, TaintFacts, TaintTracker},
        },
        vm::call::TopCall,
    },
    model::{
        Decision, Gain, Input, Observation, Outcome, OutwardCall, Probing, Reentered, Sequence, Site,
        TaintReport, Transaction, executor::Checks,
    },
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_primitives::{Address, U256};
use std::{mem, sync::Arc};

/// Proofs of one run at most.
const PROOFS: usize = 2;

/// What actors and the contract own before a call.
pub(super) struct OwnedBalances {
    actors: Vec<(Address, U256)>,
    contract: U256,
}

/// What records, while it does not.
pub(super) struct PausedRecorders {
    taint: Option<Box<TaintTracker>>,
    recorders: [Option<Box<CoverageRecorder>>; 2],
    novelty: SeenCoverage,
    logs: Option<Vec<String>>,
    tracer: Option<Tracer>,
    reuse: bool,
}

/// What an execution left, to be compared with others.
#[derive(PartialEq, Eq)]
struct ExecutionDigest {
    state: u64,
    owned: Vec<U256>,
}

impl EvmExecutor {
    /// Whether data is followed.
    pub(super) fn tracks_taint(&self) -> bool {
        self.test_env.scan.as_ref().is_some_and(|scan| scan.tracks_taint)
    }

    /// Before a call of a scan.
    pub(super) fn begin_audit(&mut self, tx: &Transaction) -> Option<OwnedBalances> {
        let scan = self.test_env.scan.clone()?;
        if let Some(taint) = &mut self.evm.vm.ctx.chain.taint {
            taint.begin(tx);
        }
        let actors = scan.scene.actors.iter().filter(|actor| actor.address != scan.scene.deployer);
        let owned = |address: Address| (address, self.evm.balance(address));
        Some(OwnedBalances {
            actors: actors.map(|actor| owned(actor.address)).collect(),
            contract: self.evm.balance(scan.scene.contract.address),
        })
    }

    /// After it, while it is pending.
    pub(super) fn end_audit(
        &mut self,
        tx: &Transaction,
        before: Option<OwnedBalances>,
        kept: bool,
    ) -> Option<TaintReport> {
        let (before, scan) = (before?, self.test_env.scan.clone()?);
        self.reentered = self.evm.inspector().reentered;
        let facts = self.evm.vm.ctx.chain.taint.as_mut().map(|taint| taint.end(kept));
        let mut taint = self.located(facts.unwrap_or_default());
        taint.balance = [before.contract, self.evm.balance(scan.scene.contract.address)];
        for (account, owned) in before.actors.into_iter().filter(|_| kept) {
            // Whoever owns too little is given the difference first.
            let sent = if account == tx.sender { tx.value } else { U256::ZERO };
            let wei = self.evm.balance(account).saturating_sub(owned.max(sent) - sent);
            if !wei.is_zero() {
                taint.gains.push(Gain { account, wei, tokens: U256::ZERO });
            }
        }
        Some(taint)
    }

    fn located(&mut self, facts: TaintFacts) -> TaintReport {
        let TaintFacts { calls, decisions, wraps, wild_jumps, destroyed, wrote, reentered, is_passed_on } =
            facts;
        let calls: Vec<_> = calls.into_iter().map(|call| self.outward(call)).collect();
        TaintReport {
            reentered: reentered
                .and_then(|number| calls.get(number))
                .zip(self.reentered)
                .map(|(call, by)| Reentered { site: call.site.clone(), by }),
            decisions: decisions.into_iter().map(|decision| self.decision(decision)).collect(),
            wraps: wraps.iter().map(|place| self.place(place)).collect(),
            wild_jumps: wild_jumps.iter().map(|place| self.place(place)).collect(),
            destroyed: destroyed.iter().map(|(place, account)| (self.place(place), *account)).collect(),
            calls,
            wrote,
            is_passed_on,
            ..TaintReport::default()
        }
    }

    fn place(&mut self, place: &CodePlace) -> Site {
        self.site(place, &[])
    }

    fn outward(&mut self, call: SeenCall) -> OutwardCall {
        OutwardCall {
            site: self.place(&call.place),
            message: call.message,
            decided: call.decided,
            success: call.success,
            out_of_gas: call.out_of_gas,
            reverted_at: call.reverted_at.map(|place| self.place(&place)),
            is_checked: call.is_checked,
        }
    }

    fn decision(&mut self, decision: SeenDecision) -> Decision {
        Decision { site: self.place(&decision.place), origins: decision.origins }
    }

    /// Asks what actors own of the contract's tokens, after a call that changed something.
    pub(super) fn count_tokens(&mut self, taint: &mut Option<TaintReport>, changed: bool) {
        let Some((taint, scan)) = taint.as_mut().zip(self.test_env.scan.clone()) else { return };
        let Some(function) = scan.balance_of.as_ref().filter(|_| changed) else { return };
        let aside = self.put_aside();
        for actor in scan.scene.actors.iter().filter(|actor| actor.address != scan.scene.deployer) {
            let data = function.abi_encode_input(&[DynSolValue::Address(actor.address)]);
            let Ok(data) = data else { continue };
            let output = self.throw_away(&TopCall::ask(scan.scene.contract.address, data.into()));
            let tokens = output.output.get(..32).filter(|_| output.is_success()).map(U256::from_be_slice);
            let Some(tokens) = tokens.filter(|tokens| !tokens.is_zero()) else { continue };
            match taint.gains.iter_mut().find(|gain| gain.account == actor.address) {
                Some(gain) => gain.tokens = tokens,
                None => taint.gains.push(Gain { account: actor.address, wei: U256::ZERO, tokens }),
            }
        }
        self.take_up(aside);
    }

    /// Puts everything aside that records, for calls of our own.
    pub(super) fn put_aside(&mut self) -> PausedRecorders {
        let chain = &mut self.evm.vm.ctx.chain;
        PausedRecorders {
            taint: chain.taint.take(),
            recorders: [chain.coverage.take(), self.recorder.take()],
            novelty: mem::take(&mut self.novelty),
            logs: self.logs.take(),
            tracer: self.evm.inspector().tracer.take(),
            reuse: mem::take(&mut self.reuse),
        }
    }

    /// Goes on recording.
    pub(super) fn take_up(&mut self, aside: PausedRecorders) {
        let chain = &mut self.evm.vm.ctx.chain;
        chain.taint = aside.taint;
        [chain.coverage, self.recorder] = aside.recorders;
        (self.novelty, self.logs, self.reuse) = (aside.novelty, aside.logs, aside.reuse);
        self.evm.inspector().tracer = aside.tracer;
    }

    /// Whether calling back made a difference: the same two calls one after the other, in either order, leave something else.
    /// What made none is forgotten.
    pub(super) fn prove_reentry(&mut self, sequence: &Sequence, observation: &mut Observation) {
        if !self.tracks_taint() {
            return;
        }
        let mut proofs = 0;
        for index in 0..observation.steps.len() {
            let step = &observation.steps[index];
            if step.taint.as_ref().is_none_or(|taint| taint.reentered.is_none()) {
                continue;
            }
            let is_to_prove = proofs < PROOFS && step.outcome == Outcome::Success;
            proofs += usize::from(is_to_prove);
            let is_proved = is_to_prove && self.makes_a_difference(&sequence[..=index]);
            if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
                Arc::make_mut(taint).reentered = None;
            }
        }
    }

    fn makes_a_difference(&mut self, calls: &[Transaction]) -> bool {
        let Some((last, before)) = calls.split_last() else { return false };
        let Some(reentry) = last.reentry.clone() else { return false };
        let aside = self.put_aside();
        let (together, reentered) = self.left(before, std::slice::from_ref(last));
        let mut differs = false;
        if let Some(sender) = reentered {
            let outer = Transaction { reentry: None, ..last.clone() };
            let inner = Transaction {
                sender,
                target: reentry.target,
                value: U256::ZERO,
                warp: U256::ZERO,
                roll: U256::ZERO,
                input: Input::clone(&reentry.input),
                reentry: None,
            };
            // Whichever comes first lets the time pass.
            let time = |tx: &Transaction| Transaction { warp: last.warp, roll: last.roll, ..tx.clone() };
            let still = Transaction { warp: U256::ZERO, roll: U256::ZERO, ..outer.clone() };
            let (one, _) = self.left(before, &[outer, inner.clone()]);
            let (other, _) = self.left(before, &[time(&inner), still]);
            // Of what was ended before its time nothing is known.
            differs = together != one && together != other && !self.evm.vm.ctx.chain.limits.is_requested();
        }
        self.take_up(aside);
        differs
    }

    /// What remains after calls, and who called back in the last one.
    fn left(&mut self, before: &[Transaction], calls: &[Transaction]) -> (ExecutionDigest, Option<Address>) {
        let sequence: Sequence = before.iter().chain(calls).cloned().collect();
        let checks = Checks {
            properties: Vec::new(),
            interval: 0,
            fail_on_revert: false,
            after_invariant: false,
            depth: u32::MAX,
            full_runs_only: true,
            from: 0,
        };
        self.reset();
        let seen = self.run_steps(&sequence, &checks, &Probing::default());
        let accounts = self.test_env.scan.iter().flat_map(|scan| {
            let actors = scan.scene.actors.iter().map(|actor| actor.address);
            actors.chain([scan.scene.contract.address])
        });
        let owned = accounts.map(|account| self.evm.balance(account)).collect();
        (ExecutionDigest { state: seen.state, owned }, self.reentered)
    }
}
