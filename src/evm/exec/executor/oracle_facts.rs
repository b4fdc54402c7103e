//! Facts for the oracles, about calls of a scanned contract or of a test contract's targets.

use super::{EvmExecutor, assertions};
use crate::{
    evm::{
        base::place::CodePlace,
        trace::{
            call_tree::Tracer,
            cmplog::SeenCoverage,
            coverage::CoverageRecorder,
            taint::{
                Holder, SeenCall, SeenDecision, SeenLength, SeenWrap, TaintFacts, TaintSnapshot, TaintTracker,
            },
        },
        vm::{call::TopCall, evm::Evm},
    },
    model::{
        Decision, Gain, GrownLength, Handover, Origins, OutwardCall, Proofs, Reentered, Scene, Scheme, Site,
        Slot, TaintReport, TaintedMessage, Takeover, TokenWord, Transaction, Wrap,
    },
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_primitives::{Address, U256};
use rustc_hash::FxHashMap;
use std::{mem, sync::Arc};

/// Balances of actors and contract before a call, in wei; none without a scan.
#[derive(Default)]
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

/// Tells whether taint is tracked.
pub(super) fn tracks_taint(executor: &EvmExecutor) -> bool {
    executor.test_env.start.taint.is_some()
}

/// Begins taint tracking of a call, and returns the balances before it; `None` if the oracles need no facts.
pub(super) fn begin_taint(executor: &mut EvmExecutor, tx: &Transaction) -> Option<OwnedBalances> {
    let Some(scan) = executor.test_env.scan.clone() else {
        executor.evm.vm.ctx.chain.taint.as_mut()?.begin(tx);
        return Some(OwnedBalances::default());
    };
    begin_tokens(executor);
    if let Some(taint) = &mut executor.evm.vm.ctx.chain.taint {
        taint.begin(tx);
    }
    let actors = scan.scene.actors.iter().filter(|actor| Some(actor.address) != scan.scene.deployer);
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
    let before = before?;
    let facts = executor.evm.vm.ctx.chain.taint.as_mut().map(|taint| taint.end(kept));
    let mut facts = facts.unwrap_or_default();
    let Some(scan) = executor.test_env.scan.clone() else {
        let report = located(executor, facts);
        return Some(in_tested_code(executor, report));
    };
    facts.forget(|account| scan.scene.actor(account).is_some() || scan.scene.guessed.contains(&account));
    let mut taint = located(executor, facts);
    taint.balance = [before.contract, executor.evm.balance(scan.scene.contract.address)];
    for (account, owned) in before.actors.into_iter().filter(|_| kept) {
        // An account with too low a balance is first funded with the difference.
        let sent = if account == tx.sender { tx.value } else { U256::ZERO };
        let wei = executor.evm.balance(account).saturating_sub(owned.max(sent) - sent);
        if !wei.is_zero() {
            taint.gains.push(Gain { account, wei, ..Gain::default() });
        }
    }
    drop_gains_of_payers(executor, &mut taint);
    Some(taint)
}

/// Drops the gains of accounts that spent tokens which the scan gave them: they paid for what they got.
fn drop_gains_of_payers(executor: &EvmExecutor, taint: &mut TaintReport) {
    let tokens = executor.test_env.scan.iter().flat_map(|scan| &scan.scene.prepared.tokens);
    let spent = |token: &&TokenWord| executor.evm.storage(token.slot.address, token.slot.slot) < token.value;
    if !taint.gains.is_empty() {
        let payers: Vec<Address> = tokens.filter(spent).map(|token| token.holder).collect();
        taint.gains.retain(|gain| !payers.contains(&gain.account));
    }
}

/// Returns the facts about the project's contracts, without those about tests, handlers and libraries.
fn in_tested_code(executor: &EvmExecutor, mut report: TaintReport) -> TaintReport {
    let project = &executor.test_env.project;
    let is_tested = |site: &Site| {
        site.location
            .as_ref()
            .is_some_and(|place| project.is_contract(&place.path) && !project.is_scaffolding(&place.path))
    };
    report.calls.retain(|call| is_tested(&call.site));
    report.decisions.retain(|decision| is_tested(&decision.site));
    report.wraps.retain(|wrap| is_tested(&wrap.site));
    report.wild_jumps.retain(is_tested);
    report
}

fn located(executor: &mut EvmExecutor, facts: TaintFacts) -> TaintReport {
    let TaintFacts { calls, decisions, wraps, takeovers, lengths, last_condition, .. } = facts;
    let TaintFacts { wild_jumps, destroyed, reentered, is_passed_on, handed_on, .. } = facts;
    let handovers = handovers(executor, &calls);
    let calls: Vec<_> = calls.into_iter().map(|call| located_call(executor, call)).collect();
    let reentered = reentered
        .zip(executor.evm.inspector().reentered)
        .map(|(place, by)| Reentered { site: locate(executor, &place), by });
    let is_own = !is_passed_on && !last_condition.has(Origins::of_call());
    let panicked = assertions::panic(executor).filter(|_| is_own);
    TaintReport {
        handovers,
        proofs: Proofs { reentered, panicked, ..Proofs::default() },
        lengths: lengths.iter().map(|length| grown_length(executor, length)).collect(),
        decisions: decisions.into_iter().map(|decision| located_decision(executor, decision)).collect(),
        wraps: wraps.iter().map(|wrap| located_wrap(executor, wrap)).collect(),
        takeovers: takeovers.iter().map(|holder| takeover(executor, holder, handed_on)).collect(),
        wild_jumps: wild_jumps.iter().map(|place| locate(executor, place)).collect(),
        destroyed: destroyed.iter().map(|(place, account)| (locate(executor, place), *account)).collect(),
        calls,
        is_passed_on,
        ..TaintReport::default()
    }
}

fn located_wrap(executor: &mut EvmExecutor, wrap: &SeenWrap) -> Wrap {
    Wrap { site: locate(executor, &wrap.place), grows: wrap.grows, by: wrap.by }
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
        is_undone: call.is_undone,
    }
}

fn grown_length(executor: &mut EvmExecutor, length: &SeenLength) -> GrownLength {
    let (address, slot) = length.slot;
    let slot = Slot { address, slot };
    GrownLength { site: locate(executor, &length.place), slot, by: length.counted_by }
}

fn takeover(executor: &mut EvmExecutor, holder: &Holder, handed_on: Option<(Address, U256)>) -> Takeover {
    Takeover {
        site: locate(executor, &holder.place),
        by: holder.by,
        replaced: holder.replaced,
        is_handed_on: handed_on == Some(holder.slot),
    }
}

fn located_decision(executor: &mut EvmExecutor, decision: SeenDecision) -> Decision {
    Decision { site: locate(executor, &decision.place), origins: decision.origins }
}

/// Tokens in the scanned contract, in the order of [`token_holders`].
#[derive(Default)]
pub(super) struct TokenBalances {
    /// Balances after the deployment.
    start: Option<Vec<U256>>,
    /// Balances after the last call of the sequence; `None` before its first call.
    pub(super) now: Option<Vec<U256>>,
}

/// Facts that the oracles of a scan have collected before the next call of a sequence.
#[derive(Clone, Debug)]
pub(super) struct ScanSnapshot {
    taint: TaintSnapshot,
    tokens: Option<Vec<U256>>,
    reentrants: Option<Arc<[Address]>>,
}

impl ScanSnapshot {
    /// Returns the snapshot of a scan; `None` if no taint is tracked.
    pub(super) fn of(executor: &mut EvmExecutor) -> Option<Self> {
        let taint = executor.evm.vm.ctx.chain.taint.as_ref()?.snapshot();
        let reentrants = executor.evm.inspector().reentrants.clone();
        Some(Self { taint, tokens: executor.tokens.now.clone(), reentrants })
    }

    /// Restores the snapshot.
    pub(super) fn restore(&self, evm: &mut Evm, tokens: &mut TokenBalances) {
        if let Some(taint) = &mut evm.vm.ctx.chain.taint {
            taint.resume(&self.taint);
        }
        tokens.now.clone_from(&self.tokens);
        evm.inspector().reentrants.clone_from(&self.reentrants);
    }
}

/// Adds to the report the tokens that actors gained in the contract, if the call changed something.
pub(super) fn count_tokens(executor: &mut EvmExecutor, taint: &mut Option<TaintReport>, changed: bool) {
    let Some((taint, scan)) = taint.as_mut().zip(executor.test_env.scan.clone()) else { return };
    if scan.balance_of.is_none() || !changed {
        return;
    }
    let after = token_balances(executor);
    let before = executor.tokens.now.replace(after.clone()).unwrap_or_default();
    let is_minted = after.iter().zip(&before).all(|(after, before)| after >= before);
    for (account, (after, before)) in token_holders(&scan.scene).zip(after.iter().zip(before)) {
        let tokens = after.saturating_sub(before);
        if tokens.is_zero() {
            continue;
        }
        match taint.gains.iter_mut().find(|gain| gain.account == account) {
            Some(gain) => (gain.tokens, gain.is_minted) = (tokens, is_minted),
            None => taint.gains.push(Gain { account, wei: U256::ZERO, tokens, is_minted }),
        }
    }
    drop_gains_of_payers(executor, taint);
}

/// Notes the token balances at the beginning of a sequence.
fn begin_tokens(executor: &mut EvmExecutor) {
    if executor.tokens.now.is_none() {
        let start = executor.tokens.start.take().unwrap_or_else(|| token_balances(executor));
        executor.tokens.now = Some(start.clone());
        executor.tokens.start = Some(start);
    }
}

/// Returns the accounts whose tokens are counted: actors, the contract and its dependencies.
fn token_holders(scene: &Scene) -> impl Iterator<Item = Address> {
    let contracts = scene.dependencies.iter().chain([&scene.contract]).map(|built| built.address);
    scene.actors.iter().map(|actor| actor.address).chain(contracts)
}

/// Asks the scanned contract for the token balances. Zero stands for no answer.
fn token_balances(executor: &mut EvmExecutor) -> Vec<U256> {
    let Some(scan) = executor.test_env.scan.clone() else { return Vec::new() };
    let Some(function) = &scan.balance_of else { return Vec::new() };
    let aside = put_aside(executor);
    let balance = |account: Address| {
        let data = function.abi_encode_input(&[DynSolValue::Address(account)]).unwrap_or_default();
        let output = executor.throw_away(&TopCall::ask(scan.scene.contract.address, data.into()));
        let tokens = output.output.get(..32).filter(|_| output.is_success()).map(U256::from_be_slice);
        tokens.unwrap_or_default()
    };
    let balances = token_holders(&scan.scene).map(balance).collect();
    take_up(executor, aside);
    balances
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
