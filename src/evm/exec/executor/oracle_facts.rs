//! Facts for the oracles of a scan, about calls of the scanned contract.

use super::{EvmExecutor, SavedEnv, assertions};
use crate::{
    evm::{
        base::place::CodePlace,
        state::layers::StateLayer,
        trace::{
            call_tree::Tracer,
            cmplog::SeenCoverage,
            coverage::CoverageRecorder,
            taint::{Holder, SeenCall, SeenDecision, TaintFacts, TaintTracker},
        },
        vm::call::{Callee, TopCall},
    },
    model::{
        Decision, Gain, Handover, Input, Observation, Outcome, OutwardCall, Probing, Reentered, Scheme,
        Sequence, Site, TaintReport, TaintedMessage, Takeover, Transaction, executor::Checks,
    },
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_primitives::{Address, U256};
use rustc_hash::FxHashMap;
use std::{mem, sync::Arc};

/// Maximum number of reentrancy proofs in one run, beside that of its last call.
const PROOFS: usize = 2;

/// Maximum number of proofs of the same functions and call, except for last calls.
const TRIES: u32 = 16;

/// Balances of actors and contract before a call, in wei.
pub(super) struct OwnedBalances {
    actors: Vec<(Address, U256)>,
    contract: U256,
}

/// Recorders that are paused.
pub(super) struct PausedRecorders {
    taint: Option<Box<TaintTracker>>,
    recorders: [Option<Box<CoverageRecorder>>; 2],
    novelty: SeenCoverage,
    logs: Option<Vec<String>>,
    tracer: Option<Tracer>,
    reuse: bool,
}

/// Result of an execution, for comparison with others.
#[derive(PartialEq, Eq)]
struct ExecutionDigest {
    state: u64,
    owned: Vec<U256>,
}

/// Tells whether taint is tracked.
pub(super) fn tracks_taint(executor: &EvmExecutor) -> bool {
    executor.test_env.scan.as_ref().is_some_and(|scan| scan.taint.is_some())
}

/// Begins taint tracking of a call of a scan, and returns the balances before it.
pub(super) fn begin_taint(executor: &mut EvmExecutor, tx: &Transaction) -> Option<OwnedBalances> {
    let scan = executor.test_env.scan.clone()?;
    if let Some(taint) = &mut executor.evm.vm.ctx.chain.taint {
        taint.begin(tx);
    }
    let actors = scan.scene.actors.iter().filter(|actor| actor.address != scan.scene.deployer);
    let owned = |address: Address| (address, executor.evm.balance(address));
    Some(OwnedBalances {
        actors: actors.map(|actor| owned(actor.address)).collect(),
        contract: executor.evm.balance(scan.scene.contract.address),
    })
}

/// Ends taint tracking of the pending call, and returns the report.
pub(super) fn end_taint(
    executor: &mut EvmExecutor,
    tx: &Transaction,
    before: Option<OwnedBalances>,
    kept: bool,
) -> Option<TaintReport> {
    let (before, scan) = (before?, executor.test_env.scan.clone()?);
    let facts = executor.evm.vm.ctx.chain.taint.as_mut().map(|taint| taint.end(kept));
    let mut taint = located(executor, facts.unwrap_or_default());
    taint.balance = [before.contract, executor.evm.balance(scan.scene.contract.address)];
    for (account, owned) in before.actors.into_iter().filter(|_| kept) {
        // An account with too low a balance is first funded with the difference.
        let sent = if account == tx.sender { tx.value } else { U256::ZERO };
        let wei = executor.evm.balance(account).saturating_sub(owned.max(sent) - sent);
        if !wei.is_zero() {
            taint.gains.push(Gain { account, wei, tokens: U256::ZERO });
        }
    }
    Some(taint)
}

fn located(executor: &mut EvmExecutor, facts: TaintFacts) -> TaintReport {
    let TaintFacts { calls, decisions, wraps, takeovers, wild_jumps, destroyed, reentered, is_passed_on } =
        facts;
    let handovers = handovers(executor, &calls);
    let calls: Vec<_> = calls.into_iter().map(|call| located_call(executor, call)).collect();
    TaintReport {
        handovers,
        reentered: reentered
            .and_then(|number| calls.get(number))
            .zip(executor.evm.inspector().reentered)
            .map(|(call, by)| Reentered { site: call.site.clone(), by }),
        decisions: decisions.into_iter().map(|decision| located_decision(executor, decision)).collect(),
        wraps: wraps.iter().map(|place| locate(executor, place)).collect(),
        takeovers: takeovers.iter().map(|holder| takeover(executor, holder)).collect(),
        wild_jumps: wild_jumps.iter().map(|place| locate(executor, place)).collect(),
        destroyed: destroyed.iter().map(|(place, account)| (locate(executor, place), *account)).collect(),
        calls,
        is_passed_on,
        ..TaintReport::default()
    }
}

/// Returns the calls that gave an actor enough gas to call back, and after which their contract wrote storage.
fn handovers(executor: &mut EvmExecutor, calls: &[SeenCall]) -> Vec<Handover> {
    let Some(reentrants) = executor.evm.inspector().reentrants.clone() else { return Vec::new() };
    let mut made: FxHashMap<Address, u32> = FxHashMap::default();
    let mut handovers = Vec::new();
    for call in calls {
        let TaintedMessage { scheme, from, to, is_stipend, .. } = call.message;
        if scheme != Scheme::Call || !reentrants.contains(&to) {
            continue;
        }
        let nth = made.entry(from).or_default();
        if call.is_followed && !is_stipend {
            handovers.push(Handover { contract: from, nth: *nth });
        }
        *nth += 1;
    }
    handovers
}

fn locate(executor: &mut EvmExecutor, place: &CodePlace) -> Site {
    assertions::site(executor, place, &[])
}

fn located_call(executor: &mut EvmExecutor, call: SeenCall) -> OutwardCall {
    OutwardCall {
        site: locate(executor, &call.place),
        message: call.message,
        decided: call.decided,
        source: call.source.map(|place| locate(executor, &place)),
        success: call.success,
        out_of_gas: call.out_of_gas,
        reverted_at: call.reverted_at.map(|place| locate(executor, &place)),
        is_checked: call.is_checked,
    }
}

fn takeover(executor: &mut EvmExecutor, holder: &Holder) -> Takeover {
    Takeover { site: locate(executor, &holder.place), by: holder.by, replaced: holder.replaced }
}

fn located_decision(executor: &mut EvmExecutor, decision: SeenDecision) -> Decision {
    Decision { site: locate(executor, &decision.place), origins: decision.origins }
}

/// Adds to the report the token balances of the actors in the contract, if the call changed something.
pub(super) fn count_tokens(executor: &mut EvmExecutor, taint: &mut Option<TaintReport>, changed: bool) {
    let Some((taint, scan)) = taint.as_mut().zip(executor.test_env.scan.clone()) else { return };
    let Some(function) = scan.balance_of.as_ref().filter(|_| changed) else { return };
    let aside = put_aside(executor);
    for actor in scan.scene.actors.iter().filter(|actor| actor.address != scan.scene.deployer) {
        let data = function.abi_encode_input(&[DynSolValue::Address(actor.address)]);
        let Ok(data) = data else { continue };
        let output = executor.throw_away(&TopCall::ask(scan.scene.contract.address, data.into()));
        let tokens = output.output.get(..32).filter(|_| output.is_success()).map(U256::from_be_slice);
        let Some(tokens) = tokens.filter(|tokens| !tokens.is_zero()) else { continue };
        match taint.gains.iter_mut().find(|gain| gain.account == actor.address) {
            Some(gain) => gain.tokens = tokens,
            None => taint.gains.push(Gain { account: actor.address, wei: U256::ZERO, tokens }),
        }
    }
    take_up(executor, aside);
}

/// Pauses all recorders, for calls that the oracles make themselves.
pub(super) fn put_aside(executor: &mut EvmExecutor) -> PausedRecorders {
    let chain = &mut executor.evm.vm.ctx.chain;
    PausedRecorders {
        taint: chain.taint.take(),
        recorders: [chain.coverage.take(), executor.recorder.take()],
        novelty: mem::take(&mut executor.novelty),
        logs: executor.logs.take(),
        tracer: executor.evm.inspector().tracer.take(),
        reuse: mem::take(&mut executor.caches.enabled),
    }
}

/// Resumes the paused recorders.
pub(super) fn take_up(executor: &mut EvmExecutor, aside: PausedRecorders) {
    let chain = &mut executor.evm.vm.ctx.chain;
    chain.taint = aside.taint;
    [chain.coverage, executor.recorder] = aside.recorders;
    (executor.novelty, executor.logs, executor.caches.enabled) = (aside.novelty, aside.logs, aside.reuse);
    executor.evm.inspector().tracer = aside.tracer;
}

/// Drops the reentrant calls that made no difference from the observation. A reentrant call makes a
/// difference if the two calls lead to another state when they are made one after the other, in either order.
/// The last call of a run is always examined. The others are examined as long as their functions were not
/// examined often.
pub(super) fn prove_reentry(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    if !tracks_taint(executor) {
        return;
    }
    let mut proofs = 0;
    for index in 0..observation.steps.len() {
        let step = &observation.steps[index];
        let Some(reentered) = step.taint.as_ref().and_then(|taint| taint.reentered.as_ref()) else {
            continue;
        };
        let is_last = index + 1 == sequence.len();
        let is_new = proofs < PROOFS && is_seldom_proved(executor, &sequence[index], &reentered.site);
        let is_to_prove = step.outcome == Outcome::Success && (is_last || is_new);
        proofs += usize::from(is_to_prove);
        let is_proved = is_to_prove && makes_a_difference(executor, &sequence[..=index]);
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
            Arc::make_mut(taint).reentered = None;
        }
    }
}

/// Tells whether few proofs were tried for these functions and this call, and counts another one.
fn is_seldom_proved(executor: &mut EvmExecutor, call: &Transaction, site: &Site) -> bool {
    let selector = |input: &Input| input.function().map(|function| function.selector());
    let inner = call.reentry.as_ref().and_then(|reentry| selector(&reentry.input));
    let tries = executor.proofs.entry((selector(&call.input), inner, site.code, site.pc)).or_default();
    *tries += 1;
    *tries <= TRIES
}

/// State before the last call.
struct StateBefore {
    layer: Option<Arc<StateLayer>>,
    env: SavedEnv,
}

fn makes_a_difference(executor: &mut EvmExecutor, calls: &[Transaction]) -> bool {
    let Some((last, before)) = calls.split_last() else { return false };
    let Some(reentry) = last.reentry.clone().filter(|_| !last.input.is_creation()) else { return false };
    let aside = put_aside(executor);
    executor.reset();
    executor.run_steps(&before.to_vec(), &Checks::at_the_end(Vec::new()), &Probing::default());
    let before = StateBefore { layer: executor.evm.fold(), env: executor.save() };
    let (together, reentered) = left(executor, &before, &[(last, TopCall::of(last))]);
    let mut differs = false;
    if let Some(caller) = reentered {
        let outer = TopCall { reentry: None, ..TopCall::of(last) };
        let to = Callee::Account(reentry.target);
        let inner = TopCall::plain(caller, to, U256::ZERO, reentry.input.calldata());
        // The callback is a part of the attacker's transaction.
        let inner = TopCall { origin: Some(last.sender), ..inner };
        let still = Transaction { warp: U256::ZERO, roll: U256::ZERO, ..last.clone() };
        // The first of the two calls gets the delay.
        let (one, _) = left(executor, &before, &[(last, outer.clone()), (&still, inner.clone())]);
        let (other, _) = left(executor, &before, &[(last, inner), (&still, outer)]);
        // If a run was ended early, its result is unknown.
        differs = together != one && together != other && !executor.evm.vm.ctx.chain.limits.is_requested();
    }
    take_up(executor, aside);
    differs
}

/// Returns the result of calls, each after the delay of a transaction, and the account that made a reentrant
/// call in the last one.
fn left(
    executor: &mut EvmExecutor,
    before: &StateBefore,
    calls: &[(&Transaction, TopCall)],
) -> (ExecutionDigest, Option<Address>) {
    executor.evm.begin_over(before.layer.clone());
    executor.evm.surround(&before.env.block_context);
    executor.evm.inspector().cheats.clone_from(&before.env.cheats);
    let mut reentered = None;
    for (delay, call) in calls {
        executor.evm.wait(delay);
        let saved = executor.save();
        let is_kept = executor.call(call).is_success();
        reentered = executor.evm.inspector().reentered;
        if is_kept {
            executor.evm.commit();
        } else {
            executor.undo(saved);
        }
    }
    let accounts = executor.test_env.scan.iter().flat_map(|scan| {
        let actors = scan.scene.actors.iter().map(|actor| actor.address);
        actors.chain([scan.scene.contract.address])
    });
    let owned = accounts.map(|account| executor.evm.balance(account)).collect();
    (ExecutionDigest { state: executor.evm.digest(), owned }, reentered)
}
