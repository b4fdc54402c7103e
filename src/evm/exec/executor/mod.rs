//! Runs sequences from the state after `setUp` and evaluates properties on them.
//!
//! A call that reverts leaves nothing behind but its time and block advance, so whatever is found here
//! obeys Forge's replay rules (it commits no reverted call when it replays a persisted failure).

mod assertions;
mod creation;
mod oracle_facts;
mod properties;
mod property_cache;
mod run;
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
    EdgeId, Executor, Exhausted, Footprint, Observation, PathId, Probing, Sequence, Trace, ValueId,
    executor::Checks,
};
use alloy_primitives::{Address, Selector};
use assertions::AssertionSites;
use property_cache::PropertyCache;
use rustc_hash::FxHashMap;
use snapshot_cache::SnapshotCache;
use std::{mem, sync::Arc, time::Duration};

/// Results that are used again in place of running the same again.
#[derive(Default)]
struct Caches {
    /// True while a search runs that uses them.
    enabled: bool,
    snapshots: SnapshotCache,
    properties: PropertyCache,
}

/// CPU time of calls.
#[derive(Default)]
struct CallTimes {
    /// CPU time that a call may take, if it is limited.
    limit: Option<Duration>,
    /// Number of calls ended for their time or memory, by function.
    late: FxHashMap<(Address, Option<Selector>), u32>,
}

/// State of the sequence that runs.
#[derive(Default)]
struct RunState {
    /// An unsupported cheatcode that was called.
    unsupported: Option<String>,
    /// Work done before the traced part.
    untraced: Option<u64>,
    /// True if storage was tampered with, so that edges do not show what calls can reach.
    tampered: bool,
    /// Account that called back in the last call.
    reentered: Option<Address>,
    /// Resource that a call ran out of.
    exhausted: Option<Exhausted>,
}

/// Executor of sequences on one thread.
pub struct EvmExecutor {
    evm: Evm,
    test_env: Arc<TestEnv>,
    run: RunState,
    caches: Caches,
    sites: AssertionSites,
    time: CallTimes,
    /// Edges and values that this executor has reported.
    novelty: SeenCoverage,
    /// Log lines of all calls, while a replay records them.
    logs: Option<Vec<String>>,
    /// Coverage recorder for the last transactions of runs and the properties after them.
    recorder: Option<Box<CoverageRecorder>>,
    /// Number of top-level transactions run.
    executions: u64,
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
        let inspector = CallInspector::new(test_env.start.cheats.clone());
        let mut evm = Evm::new(test_env.start.base_state.clone(), &test_env.start.env, inspector);
        let timeout = test_env.limits.timeout;
        evm.bound_time(timeout);
        evm.end_when(test_env.limits.ends_when.clone());
        evm.surround(&test_env.start.block_context);
        if let Some(scan) = &test_env.scan {
            evm.vm.ctx.chain.taint = scan.tracks_taint.then(Box::default);
        }
        let recorder = &mut evm.vm.ctx.chain;
        recorder.path.codes = CodeKeys::of(test_env.project.clone());
        recorder.cmplog.preimages = test_env.start.preimages.clone();
        Self {
            evm,
            test_env,
            run: RunState::default(),
            caches: Caches::default(),
            sites: AssertionSites::default(),
            time: CallTimes { limit: timeout, ..CallTimes::default() },
            novelty: SeenCoverage::default(),
            logs: None,
            recorder: None,
            executions: 0,
        }
    }

    /// Prepares for a search, to which all edges are new. Its runs end early, in the middle of a call if need be, once
    /// `limits` says so; with `reuse`, what was run before is not run again: prefixes of runs that are tracked, and
    /// properties.
    pub fn begin_search(&mut self, limits: EndsWhen, reuse: bool) {
        self.begin_replays(limits);
        // What data stems from is not known in the middle of a sequence.
        self.caches.enabled = reuse && !oracle_facts::tracks_taint(self);
        self.novelty = SeenCoverage::default();
    }

    /// What follows runs to its end, unless the stage's own is near.
    pub fn end_search(&mut self) {
        self.evm.end_when(self.test_env.limits.ends_when.clone());
    }

    /// What follows is run once, and may take its time.
    pub fn be_patient(&mut self) {
        self.time.limit = self.test_env.limits.patient_timeout();
        self.evm.bound_time(self.time.limit);
    }

    pub(crate) fn reset(&mut self) {
        self.evm.vm.ctx.chain.limits.begin_run();
        self.run.exhausted = None;
        self.evm.begin_over(None);
        self.evm.surround(&self.test_env.start.block_context);
        self.evm.inspector().cheats = self.test_env.start.cheats.clone();
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
        self.run.exhausted = self.exhaustion(&output).or(self.run.exhausted);
        if let Some(unsupported) = &self.evm.inspector().cheats.transaction.unsupported {
            self.run.unsupported = Some(unsupported.clone());
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
        let is_told = counts && !self.run.tampered;
        let edges = if is_told { self.novelty.of(path, recorded.edges()) } else { Vec::new() };
        let values = if is_told && kept { self.novelty.values(recorded.values()) } else { Vec::new() };
        let footprint = self.evm.footprint(kept).map(Arc::new);
        TransactionRecord { path, edges, values, footprint, recalled: false }
    }

    fn reason(&self, output: &CallOutput) -> String {
        self.evm.reason(&self.test_env.names.abis, output)
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
        self.test_env.suite.test
    }

    /// The unsupported cheatcode that was called since the last time this was asked.
    pub fn take_unsupported(&mut self) -> Option<String> {
        self.run.unsupported.take()
    }

    /// Whether a call of this run was ended before its time.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.evm.was_ended()
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
        let reuse = mem::take(&mut self.caches.enabled);
        let observation = self.run_with(
            sequence,
            &Checks { interval: 0, full_runs_only: false, ..checks.clone() },
            &Probing::default(),
        );
        self.caches.enabled = reuse;
        self.evm.vm.ctx.chain.writes.traced = None;
        let tracer = self.evm.inspector().tracer.take();
        let traces = tracer.map(|mut tracer| tracer.take()).unwrap_or_default();
        RecordedRun { observation, traces, logs: self.logs.take().unwrap_or_default() }
    }
}

impl Executor for EvmExecutor {
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = self.run_with(sequence, checks, probing);
        observation.unsupported = self.run.unsupported.take();
        observation
    }
}
