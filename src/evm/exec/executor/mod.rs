//! Executor: runs sequences from the state after `setUp` and evaluates properties.
//!
//! A call that reverts changes nothing but block time and number. Forge's replay of a persisted failure does
//! not commit reverted calls either, so all failures found here can be replayed by Forge.

mod assertions;
mod caches;
mod creation;
mod oracle_facts;
mod proofs;
mod properties;
mod read_changes;
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
        symbolic::SymbolicTracker,
    },
    vm::{
        block::BlockContext,
        call::{CallOutput, TopCall},
        evm::Evm,
        inspector::CallInspector,
    },
};
use crate::model::{
    Dependencies, EdgeId, Executor, Exhausted, Footprint, Observation, PathId, Place, Probing, Sequence,
    Trace, ValueId, executor::Checks,
};
use alloy_primitives::{Address, U256};
use assertions::AssertionSites;
use caches::{Caches, CallOf};
use oracle_facts::TokenBalances;
use proofs::ProofTries;
use rustc_hash::FxHashMap;
use snapshot_cache::SnapshotCache;
use std::{mem, sync::Arc, time::Duration};

/// CPU time limits of calls.
#[derive(Default)]
struct CallTimes {
    /// CPU time limit of a call, if there is one.
    limit: Option<Duration>,
    /// Number of calls that were ended for their time or memory, by target and function.
    late: FxHashMap<CallOf, u32>,
}

/// State of the current run.
#[derive(Default)]
struct SequenceState {
    /// Unsupported cheatcode that was called.
    unsupported: Option<String>,
    /// Work before the traced part of the run.
    untraced: Option<u64>,
    /// True if storage was modified directly, so that edges do not show the reach of real calls.
    tampered: bool,
    /// Resource that a call ran out of.
    exhausted: Option<Exhausted>,
    /// Indices of the calls whose sender was given missing wei, while a replay records them.
    overdrafts: Vec<usize>,
    /// Place at which the last call failed, while a replay records it.
    failed_at: Option<Place>,
    /// Tracker for the last call of the run, if that is executed symbolically.
    symbolic: Option<Box<SymbolicTracker>>,
}

/// Executor of sequences on one thread.
pub struct EvmExecutor {
    evm: Evm,
    test_env: Arc<TestEnv>,
    run: SequenceState,
    caches: Caches,
    sites: AssertionSites,
    time: CallTimes,
    /// Edges and values that this executor has already reported.
    novelty: SeenCoverage,
    /// Log lines of all calls, while a replay records them.
    logs: Option<Vec<String>>,
    /// Coverage recorder for the last call of a run and the properties after it.
    recorder: Option<Box<CoverageRecorder>>,
    /// Token balances of the actors of a scan.
    tokens: TokenBalances,
    proofs: ProofTries,
    /// Number of top-level transactions so far.
    executions: u64,
}

/// Recordings of the pending transaction.
#[derive(Default)]
struct TransactionRecord {
    path: PathId,
    edges: Vec<EdgeId>,
    values: Vec<ValueId>,
    footprint: Option<Arc<Footprint>>,
    /// True for a property whose result comes from the cache.
    recalled: bool,
}

/// Cheatcode state and block context, to be restored later.
#[derive(Clone)]
struct SavedEnv {
    cheats: Cheats,
    block_context: BlockContext,
}

/// Run of a sequence with all recordings.
#[derive(Clone, Debug, Default)]
pub struct RecordedRun {
    /// Observation of the run.
    pub observation: Observation,
    /// Traces of the calls, the property and `afterInvariant`, in this order and not decoded.
    pub traces: Vec<Trace>,
    /// Log lines of the calls and of the property.
    pub logs: Vec<String>,
    /// Indices of the calls whose sender owned less than the value, and was given the difference.
    pub overdrafts: Vec<usize>,
    /// Place in the sources at which the last call failed, if it did and the place is known.
    pub failed_at: Option<Place>,
}

impl EvmExecutor {
    /// Creates an executor over the state of `test_env`.
    #[must_use]
    pub fn new(test_env: Arc<TestEnv>) -> Self {
        let inspector = CallInspector::new(test_env.start.cheats.clone());
        let mut evm = Evm::new(test_env.start.base_state.clone(), &test_env.start.env, inspector);
        let timeout = test_env.limits.timeout;
        evm.bound_time(timeout);
        evm.end_when(test_env.limits.ends_when.clone());
        evm.surround(&test_env.start.block_context);
        evm.vm.ctx.chain.taint = test_env.start.taint.is_some().then(Box::default);
        let recorder = &mut evm.vm.ctx.chain;
        recorder.path.codes = CodeKeys::of(test_env.project.clone());
        recorder.path.abis = Some(test_env.names.abis.clone());
        recorder.cmplog.preimages = test_env.start.preimages.clone();
        Self {
            evm,
            test_env,
            run: SequenceState::default(),
            caches: Caches::default(),
            sites: AssertionSites::default(),
            time: CallTimes { limit: timeout, ..CallTimes::default() },
            novelty: SeenCoverage::default(),
            logs: None,
            recorder: None,
            tokens: TokenBalances::default(),
            proofs: ProofTries::default(),
            executions: 0,
        }
    }

    /// Prepares a search. All edges count as new, and runs end once `limits` returns true, even in the middle
    /// of a call. If `reuse` is true, prefixes of traced runs and properties are not run again if their
    /// results are cached.
    pub fn begin_search(&mut self, ends_when: EndsWhen, reuse: bool) {
        self.begin_replays(ends_when);
        self.caches.enabled = reuse;
        self.proofs.is_search = true;
        self.novelty = SeenCoverage::default();
    }

    /// Ends a search: later runs end early only for the limits of the test environment.
    pub fn end_search(&mut self) {
        self.evm.end_when(self.test_env.limits.ends_when.clone());
        self.proofs.is_search = false;
    }

    /// Raises the CPU time limit of calls, for runs that are made only once.
    pub fn be_patient(&mut self) {
        self.time.limit = self.test_env.limits.patient_timeout();
        self.evm.bound_time(self.time.limit);
    }

    pub(crate) fn reset(&mut self) {
        self.evm.vm.ctx.chain.limits.begin_run();
        self.run.exhausted = None;
        self.run.overdrafts.clear();
        self.tokens.now = None;
        self.evm.begin_over(None);
        self.evm.surround(&self.test_env.start.block_context);
        self.evm.inspector().cheats = self.test_env.start.cheats.clone();
        let start = self.test_env.start.taint.as_ref();
        if let Some((taint, start)) = self.evm.vm.ctx.chain.taint.as_mut().zip(start) {
            taint.begin_sequence(start);
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

    /// Returns the number of top-level transactions so far: calls of sequences, properties and getters.
    #[must_use]
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Makes a top-level call; its changes stay pending.
    fn call(&mut self, call: &TopCall) -> CallOutput {
        self.executions += 1;
        heartbeat::turn_to(Purpose::Run(self.test_env.clone()));
        let output = self.evm.transact(call);
        self.run.exhausted = self.exhaustion(&output).or(self.run.exhausted);
        let transaction = &self.evm.vm.inspector.cheats.transaction;
        if let Some(unsupported) = &transaction.unsupported {
            self.run.unsupported = Some(unsupported.clone());
        }
        if transaction.read_gaps && !self.caches.needs_all_calls {
            self.caches.needs_all_calls = true;
            self.caches.snapshots = SnapshotCache::default();
        }
        if let Some(logs) = &mut self.logs {
            logs.append(&mut self.evm.inspector().cheats.take_logs());
            self.run.failed_at = assertions::failure_place(self, &output);
        }
        output
    }

    /// Returns the resource that the last call ran out of, if there is one.
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

    /// Returns the recordings of the pending transaction. `kept` is true if its changes will be kept.
    /// `counts` is false for rejected calls; their edges are not reported and stay new.
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

    /// Makes a call and discards its changes, cheatcode state and block included.
    pub(crate) fn throw_away(&mut self, call: &TopCall) -> CallOutput {
        let saved = self.save();
        let output = self.call(call);
        self.undo(saved);
        output
    }

    /// Returns the address of the test contract.
    pub(crate) fn test(&self) -> Address {
        self.test_env.suite.test
    }

    /// Returns the wei of an account after the last run.
    #[must_use]
    pub fn balance(&self, account: Address) -> U256 {
        self.evm.balance(account)
    }

    /// Returns the unsupported cheatcode that was called since the last call of this function.
    pub fn take_unsupported(&mut self) -> Option<String> {
        self.run.unsupported.take()
    }

    /// Tells whether a call of this run was ended early because the end of the run was requested.
    #[must_use]
    pub fn was_ended(&self) -> bool {
        self.evm.was_ended()
    }

    /// Prepares replays, which end once `limits` returns true, even in the middle of a call.
    pub fn begin_replays(&mut self, ends_when: EndsWhen) {
        self.evm.end_when(Some(ends_when));
    }

    /// Runs sequences and adds to `coverage` the code that their last calls and the properties after them
    /// execute. Locates those of the `wanted` edges that the sequences just missed. Returns true if all
    /// sequences were run.
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

    /// Runs a sequence and then the properties, and returns the code that they execute.
    pub fn covered_by(&mut self, sequence: &Sequence, checks: &Checks) -> Coverage {
        let reuse = mem::take(&mut self.caches.enabled);
        self.evm.vm.ctx.chain.coverage = Some(Box::default());
        self.run_with(sequence, checks, &Probing::default());
        self.caches.enabled = reuse;
        self.recorder.take().map(|recorder| recorder.coverage).unwrap_or_default()
    }

    /// Runs a sequence, and returns what the decision about an edge in its last call depends on. Returns `None` if the
    /// call makes no such decision, or is too long to follow.
    pub fn dependencies(
        &mut self,
        sequence: &Sequence,
        edge: EdgeId,
        checks: &Checks,
    ) -> Option<Dependencies> {
        let taint = self.evm.vm.ctx.chain.taint.take();
        self.run.symbolic = Some(Box::new(SymbolicTracker::new(edge)));
        let checks = Checks { properties: Vec::new(), interval: 0, full_runs_only: true, ..checks.clone() };
        self.run_with(sequence, &checks, &Probing::default());
        self.evm.vm.ctx.chain.taint = taint;
        self.run.symbolic.take()?.dependencies()
    }

    /// Runs a sequence and then the properties, and records traces and logs.
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
        let overdrafts = mem::take(&mut self.run.overdrafts);
        let logs = self.logs.take().unwrap_or_default();
        RecordedRun { observation, traces, logs, overdrafts, failed_at: self.run.failed_at.take() }
    }
}

impl Executor for EvmExecutor {
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = self.run_with(sequence, checks, probing);
        observation.unsupported = self.run.unsupported.take();
        observation
    }
}
