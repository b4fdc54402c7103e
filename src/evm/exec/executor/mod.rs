//! Runs sequences from the state after `setUp` and evaluates properties on them.
//!
//! A call that reverts leaves nothing behind but its time and block advance, so whatever is found here
//! obeys Forge's replay rules (it commits no reverted call when it replays a persisted failure).

mod assertions;
mod creation;
mod oracle_facts;
mod properties;
mod property_cache;
mod snapshot_cache;
mod step;

pub use properties::PropertyCall;

use super::test_env::TestEnv;
use crate::evm::{
    base::{
        constants::{FAILED_SLOT, VM_ADDRESS},
        heartbeat::{self, Purpose},
        limits::{EndsWhen, LimitExceeded},
    },
    cheats::Cheats,
    trace::{
        call_tree::Tracer,
        cmplog::{CodeKeys, SeenCoverage},
        coverage::{Coverage, CoverageRecorder},
    },
    vm::{
        block::BlockContext,
        call::{CallOutput, TopCall},
        evm::Evm,
        inspector::CallInspector,
    },
};
use crate::model::{
    EdgeId, Executor, Exhausted, Footprint, Observation, Outcome, PathId, Probing, Sequence, Site, Slot,
    Trace, Transaction, ValueId, Work, executor::Checks,
};
use alloy_primitives::{Address, B256, Selector, U256};
use property_cache::PropertyCache;
use rustc_hash::FxHashMap;
use snapshot_cache::SnapshotCache;
use std::{mem, sync::Arc, time::Duration};

/// Most gas of a transaction on storage that was tampered with. A length that no program would write can make a loop
/// of a billion gas, and nothing such a run shows is a finding.
const TAMPERED_GAS: u64 = 30_000_000;

/// Executes on one thread.
pub struct EvmExecutor {
    evm: Evm,
    test_env: Arc<TestEnv>,
    unsupported: Option<String>,
    /// Log lines of all calls, while a replay records them.
    logs: Option<Vec<String>>,
    /// Top-level transactions run.
    executions: u64,
    /// Where assertions stand, by code, place and callers: looked up once.
    sites: FxHashMap<(B256, usize, Vec<usize>), Site>,
    /// Whether an INVALID is an assertion, by code and place.
    asserts: FxHashMap<(B256, usize), bool>,
    novelty: SeenCoverage,
    snapshots: SnapshotCache,
    property_cache: PropertyCache,
    /// Work done before what is tracked.
    untraced: Option<u64>,
    /// Whether storage was tampered with, so that edges say nothing of what calls can reach.
    tampered: bool,
    /// Whether what was run before is not run again.
    reuse: bool,
    /// Records the last transactions of runs, and the properties after them.
    recorder: Option<Box<CoverageRecorder>>,
    /// Who called back in the last call.
    reentered: Option<Address>,
    /// CPU time that a call may take, if there is a bound.
    timeout: Option<Duration>,
    /// Functions whose calls were ended since they took too much, and how often.
    late: FxHashMap<(Address, Option<Selector>), u32>,
    /// What calls of this run had no more of.
    exhausted: Option<Exhausted>,
}

/// What the pending transaction recorded.
#[derive(Default)]
struct TransactionRecord {
    path: PathId,
    edges: Vec<EdgeId>,
    values: Vec<ValueId>,
    footprint: Option<Arc<Footprint>>,
    /// Of a property: whether it was not run.
    recalled: bool,
}

/// Cheatcode state and environment, to go back to.
struct SavedEnv {
    cheats: Cheats,
    block_context: BlockContext,
}

/// A sequence run with everything recorded.
#[derive(Clone, Debug, Default)]
pub struct RecordedRun {
    /// What it showed.
    pub observation: Observation,
    /// One trace per call, then those of the property and of `afterInvariant`; not yet decoded.
    pub traces: Vec<Trace>,
    /// Log lines of the calls and of the property.
    pub logs: Vec<String>,
}

impl EvmExecutor {
    /// An executor over the state that `test_env` holds.
    #[must_use]
    pub fn new(test_env: Arc<TestEnv>) -> Self {
        let inspector = CallInspector::new(test_env.cheats.clone());
        let mut evm = Evm::new(test_env.base_state.clone(), &test_env.env, inspector);
        let timeout = test_env.call_timeout;
        evm.bound_time(timeout);
        evm.end_when(test_env.ends_when.clone());
        evm.surround(&test_env.block_context);
        if let Some(scan) = &test_env.scan {
            evm.vm.ctx.chain.taint = scan.tracks_taint.then(Box::default);
        }
        let recorder = &mut evm.vm.ctx.chain;
        recorder.path.codes = CodeKeys::of(test_env.project.clone());
        recorder.cmplog.preimages = test_env.preimages.clone();
        Self {
            evm,
            test_env,
            unsupported: None,
            logs: None,
            executions: 0,
            sites: FxHashMap::default(),
            asserts: FxHashMap::default(),
            novelty: SeenCoverage::default(),
            snapshots: SnapshotCache::default(),
            property_cache: PropertyCache::default(),
            untraced: None,
            tampered: false,
            reuse: false,
            recorder: None,
            reentered: None,
            timeout,
            late: FxHashMap::default(),
            exhausted: None,
        }
    }

    /// Prepares for a search, to which all edges are new. Its runs end early, in the middle of a call if need be, once
    /// `limits` says so; with `reuse`, what was run before is not run again: prefixes of runs that are tracked, and
    /// properties.
    pub fn begin_search(&mut self, limits: EndsWhen, reuse: bool) {
        self.begin_replays(limits);
        // What data stems from is not known in the middle of a sequence.
        self.reuse = reuse && !self.tracks_taint();
        self.novelty = SeenCoverage::default();
    }

    /// What follows runs to its end, unless the stage's own is near.
    pub fn end_search(&mut self) {
        self.evm.end_when(self.test_env.ends_when.clone());
    }

    /// What follows is run once, and may take its time.
    pub fn be_patient(&mut self) {
        self.timeout = self.test_env.patient_timeout();
        self.evm.bound_time(self.timeout);
    }

    pub(crate) fn reset(&mut self) {
        self.evm.vm.ctx.chain.limits.begin_run();
        self.exhausted = None;
        self.evm.begin_over(None);
        self.evm.surround(&self.test_env.block_context);
        self.evm.inspector().cheats = self.test_env.cheats.clone();
        if let Some(taint) = &mut self.evm.vm.ctx.chain.taint {
            taint.begin_sequence();
        }
        if let Some(scan) = &self.test_env.scan {
            self.evm.inspector().reentrants = Some(scan.reentrants.clone());
        }
    }

    fn save(&mut self) -> SavedEnv {
        SavedEnv { block_context: self.evm.block_context(), cheats: self.evm.inspector().cheats.clone() }
    }

    fn undo(&mut self, saved: SavedEnv) {
        self.evm.discard();
        self.evm.surround(&saved.block_context);
        self.evm.inspector().cheats = saved.cheats;
    }

    /// All top-level transactions run so far: calls of sequences, properties and whatever else was asked.
    #[must_use]
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// One top-level call, still pending.
    fn call(&mut self, call: &TopCall) -> CallOutput {
        self.executions += 1;
        heartbeat::turn_to(Purpose::Run(self.test_env.clone()));
        let output = self.evm.transact(call);
        self.exhausted = self.exhaustion(&output).or(self.exhausted);
        if let Some(unsupported) = &self.evm.inspector().cheats.transaction.unsupported {
            self.unsupported = Some(unsupported.clone());
        }
        if let Some(logs) = &mut self.logs {
            logs.append(&mut self.evm.inspector().cheats.take_logs());
        }
        output
    }

    /// What the call that ran last had no more of.
    fn exhaustion(&self, output: &CallOutput) -> Option<Exhausted> {
        let out_of_gas = output.is_out_of_gas().then_some(Exhausted::Gas);
        out_of_gas.map(|gas| match self.evm.excess() {
            Some(LimitExceeded::Time) => Exhausted::Time,
            Some(LimitExceeded::Memory) => Exhausted::Memory,
            None => gas,
        })
    }

    fn failed_flag(&mut self) -> bool {
        self.evm.inspector().cheats.failed_before_restore()
            || !self.evm.storage(VM_ADDRESS, FAILED_SLOT).is_zero()
    }

    /// What the pending transaction recorded; `kept` tells whether what it wrote will stay. The edges of one that does not
    /// count stay new to others.
    fn seen(&mut self, kept: bool, counts: bool) -> TransactionRecord {
        let recorded = &self.evm.vm.ctx.chain.path;
        let path = recorded.path();
        let is_told = counts && !self.tampered;
        let edges = if is_told { self.novelty.of(path, recorded.edges()) } else { Vec::new() };
        let values = if is_told && kept { self.novelty.values(recorded.values()) } else { Vec::new() };
        let footprint = self.evm.footprint(kept).map(Arc::new);
        TransactionRecord { path, edges, values, footprint, recalled: false }
    }

    fn reason(&self, output: &CallOutput) -> String {
        self.evm.reason(&self.test_env.abis, output)
    }

    /// Runs a call and undoes it, cheatcode state and block included.
    pub(crate) fn throw_away(&mut self, call: &TopCall) -> CallOutput {
        let saved = self.save();
        let output = self.call(call);
        self.undo(saved);
        output
    }

    /// Address of the test contract.
    pub(crate) fn test(&self) -> Address {
        self.test_env.test
    }

    /// The unsupported cheatcode that was called since the last time this was asked.
    pub fn take_unsupported(&mut self) -> Option<String> {
        self.unsupported.take()
    }

    fn run_with(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        self.reset();
        self.evm.vm.ctx.chain.cmplog.hashing = probing.track;
        if sequence.is_empty() {
            self.begin_probing(probing, None);
        }
        let before = self.evm.vm.ctx.chain.limits.work();
        self.untraced = None;
        let mut observation = self.run_steps(sequence, checks, probing);
        let after = self.evm.vm.ctx.chain.limits.work();
        let untraced = self.untraced.filter(|_| probing.track).unwrap_or(after);
        observation.work = Work { plain: untraced - before, traced: after - untraced };
        self.evm.vm.ctx.chain.cmplog.hashing = false;
        self.evm.trace_comparisons(false);
        self.recorder = self.evm.vm.ctx.chain.coverage.take().or_else(|| self.recorder.take());
        self.evm.bound_gas(None);
        self.tampered = false;
        if probing.state.is_empty() {
            self.prove_reentry(sequence, &mut observation);
        }
        observation
    }

    /// What follows is the last transaction, if there is one, and then the properties. Time is set so that the transaction
    /// reads the word that was asked for behind its own delay.
    fn begin_probing(&mut self, probing: &Probing, last: Option<&Transaction>) {
        for (slot, value) in &probing.state {
            let delay = match (*slot, last) {
                (Slot::TIMESTAMP, Some(tx)) => tx.warp,
                (Slot::BLOCK_NUMBER, Some(tx)) => tx.roll,
                _ => U256::ZERO,
            };
            self.evm.set_storage(*slot, value.saturating_sub(delay));
        }
        self.untraced = Some(self.evm.vm.ctx.chain.limits.work());
        self.evm.trace_comparisons(probing.track);
        self.evm.vm.ctx.chain.coverage = self.recorder.take();
        self.tampered = !probing.state.is_empty();
        if self.tampered {
            self.evm.bound_gas(Some(TAMPERED_GAS));
        }
    }

    fn run_steps(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = Observation::default();
        self.run_on(sequence, checks, probing, &mut observation);
        if self.is_halted() {
            // What was ended may have been a property.
            observation.broken.clear();
            observation.best.clear();
        }
        observation.exhausted = self.exhausted;
        observation
    }

    /// Whether a call of this run was ended before its time.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.evm.was_ended()
    }

    fn run_on(
        &mut self,
        sequence: &Sequence,
        checks: &Checks,
        probing: &Probing,
        observation: &mut Observation,
    ) {
        let shared = self.shared(sequence, checks, probing);
        let mut counted = self.resume(&sequence[..shared], observation);
        let resumed = observation.resumed;
        // The state after `setUp` was judged before the campaign, but for those who ask about it alone.
        let mut unchecked = sequence.is_empty();
        for (index, tx) in sequence.iter().enumerate().skip(resumed) {
            if self.evm.vm.ctx.chain.limits.is_requested() {
                return;
            }
            if index == shared && index > resumed {
                self.keep_prefix(counted, observation);
            }
            if index + 1 == sequence.len() {
                self.begin_probing(probing, Some(tx));
            }
            let step = self.step(tx, index, checks, observation);
            if self.is_halted() {
                observation.ended_in = Some(index);
                return;
            }
            let outcome = step.outcome;
            let counts = outcome != Outcome::Discard && !tx.is_only_ours();
            let ended = counts && step.reason.is_some();
            if let (Some(reason), true) = (&step.reason, ended) {
                observation.broken = self.broken_all(checks, reason, false);
            }
            observation.steps.push(step);
            if ended {
                return;
            }
            counted += u32::from(counts);
            if counts && outcome == Outcome::Success {
                let due = checks.interval != 0 && counted.is_multiple_of(checks.interval);
                if due && index >= checks.from {
                    self.check(checks, observation);
                }
                unchecked = !due && index >= checks.from;
            }
            if !observation.broken.is_empty() {
                return;
            }
            if counted >= checks.depth {
                break;
            }
        }
        if counted >= checks.depth || !checks.full_runs_only {
            self.end_run(checks, unchecked, observation);
        }
        observation.state = self.evm.digest();
    }

    /// What follows ends early, in the middle of a call if need be, once `limits` says so.
    pub fn begin_replays(&mut self, limits: EndsWhen) {
        self.evm.end_when(Some(limits));
    }

    /// Runs sequences and adds to `coverage` what their last calls run of the code, and the properties after them. Of the
    /// edges that are `wanted` those are located that one of them just missed. Says whether all were run.
    pub fn cover(
        &mut self,
        coverage: &mut Coverage,
        sequences: &[&Sequence],
        wanted: Vec<EdgeId>,
        checks: &Checks,
    ) -> bool {
        let mut recorder =
            CoverageRecorder { coverage: mem::take(coverage), wanted: wanted.into_iter().collect() };
        for sequence in sequences {
            if self.evm.vm.ctx.chain.limits.is_requested() {
                break;
            }
            let from = sequence.len().saturating_sub(1);
            let checks = Checks { interval: 0, full_runs_only: false, from, ..checks.clone() };
            self.recorder = Some(Box::new(mem::take(&mut recorder)));
            self.run_with(sequence, &checks, &Probing::default());
            recorder = self.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        }
        *coverage = recorder.coverage;
        !self.evm.vm.ctx.chain.limits.is_requested()
    }

    /// Runs a sequence and then the properties, recording traces and logs.
    pub fn replay(&mut self, sequence: &Sequence, checks: &Checks) -> RecordedRun {
        self.evm.inspector().tracer = Some(Tracer::default());
        self.evm.vm.ctx.chain.writes.traced = Some(Vec::new());
        self.logs = Some(Vec::new());
        let reuse = mem::take(&mut self.reuse);
        let observation = self.run_with(
            sequence,
            &Checks { interval: 0, full_runs_only: false, ..checks.clone() },
            &Probing::default(),
        );
        self.reuse = reuse;
        self.evm.vm.ctx.chain.writes.traced = None;
        let tracer = self.evm.inspector().tracer.take();
        let traces = tracer.map(|mut tracer| tracer.take()).unwrap_or_default();
        RecordedRun { observation, traces, logs: self.logs.take().unwrap_or_default() }
    }
}

impl Executor for EvmExecutor {
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = self.run_with(sequence, checks, probing);
        observation.unsupported = self.unsupported.take();
        observation
    }
}
