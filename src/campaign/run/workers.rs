//! Workers beside the first one, each on a thread of its own.
//!
//! Each worker has an executor, and an engine with a random stream of its own. The workers run in epochs of
//! 256 to 8192 calls, which depend on the number of calls so far. After an epoch, the campaign merges their
//! results one after the other, and each engine learns from the runs that were new to the others. The results
//! therefore depend on the number of threads, but not on their speed.

use super::{
    epoch::{EpochObserver, Execution, run_epoch},
    external_solver::ExternalSolver,
    recorder::CorpusRecorder,
    slow::slow_calls,
};
use crate::{
    campaign::{CancellationToken, metrics::Metrics, smt::SmtSolver, watchdog::WatchedThread},
    engine::{Engine, EngineInit, Learned, Statistics},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{Observation, Sequence, Transaction, executor::Checks},
    oracle::{self, Detectors},
};
use alloy_primitives::{Address, I256};
use cpu_time::ThreadTime;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    mem,
    ops::ControlFlow,
    sync::{Arc, mpsc},
    thread::{Scope, ScopedJoinHandle},
    time::Duration,
};

/// Work of one epoch.
struct EpochTask {
    checks: Checks,
    /// Number of calls to run, and number of executions that they may take.
    calls: u64,
    executions: u64,
    /// Part of the budget that is used up, in thousandths.
    used: u32,
    /// Runs that were new to other engines.
    new_runs: Vec<Arc<Execution>>,
}

/// Result of one epoch.
#[derive(Default)]
pub(super) struct EpochReport {
    pub(super) metrics: Metrics,
    /// Number of executions so far.
    pub(super) executions: u64,
    /// Statistics of the engine so far.
    pub(super) search: Statistics,
    /// CPU time so far.
    pub(super) cpu: Duration,
    /// Runs that may show failures, which the campaign must check.
    pub(super) to_confirm: Vec<Arc<Execution>>,
    /// Runs from which other engines learn.
    pub(super) new_runs: Vec<Arc<Execution>>,
}

/// Data with which all workers begin.
pub(super) struct WorkerSetup {
    pub(super) test_env: Arc<TestEnv>,
    pub(super) detectors: Detectors,
    pub(super) init: EngineInit,
    pub(super) cancellation: CancellationToken,
    pub(super) reuse: bool,
    /// Recorder that stores new inputs.
    pub(super) recorder: CorpusRecorder,
    pub(super) depth: u32,
    /// Maximum number of calls that `vm.assume` may reject in a run.
    pub(super) most_rejects: u32,
    /// External SMT solver.
    pub(super) solver: Option<SmtSolver>,
}

impl WorkerSetup {
    /// Prepares an executor for the search.
    pub(super) fn prepare(&self, executor: &mut EvmExecutor) {
        let token = self.cancellation.clone();
        executor.begin_search(Arc::new(move || token.is_requested()), self.reuse);
    }
}

struct WorkerHandle<'scope> {
    tasks: mpsc::Sender<EpochTask>,
    reports: mpsc::Receiver<EpochReport>,
    /// `None` once it has panicked.
    thread: Option<ScopedJoinHandle<'scope, ()>>,
    /// Last report, without the parts that were merged.
    last: EpochReport,
}

/// All workers beside the first one; empty if the campaign has only one thread.
pub(super) struct WorkerPool<'scope>(Vec<WorkerHandle<'scope>>);

impl<'scope> WorkerPool<'scope> {
    pub(super) fn start(
        scope: &'scope Scope<'scope, '_>,
        count: usize,
        setup: &'scope WorkerSetup,
        watch: &'scope (dyn Fn() -> WatchedThread + Sync),
    ) -> Self {
        let worker = |stream: usize| {
            let (tasks, ordered) = mpsc::channel();
            let (reporter, reports) = mpsc::channel();
            let thread = scope.spawn(move || {
                let _watched = watch();
                serve(setup, stream as u64, &ordered, &reporter);
            });
            WorkerHandle { tasks, reports, thread: Some(thread), last: EpochReport::default() }
        };
        Self((1..=count).map(worker).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Begins an epoch of all workers. `new_runs` are the runs that were new to the campaign's own engine.
    pub(super) fn begin(
        &mut self,
        checks: &Checks,
        (calls, executions): (u64, u64),
        used: u32,
        new_runs: &[Arc<Execution>],
    ) {
        let all: Vec<Vec<Arc<Execution>>> =
            self.0.iter_mut().map(|worker| mem::take(&mut worker.last.new_runs)).collect();
        for (index, worker) in self.0.iter().enumerate() {
            let others = all.iter().enumerate().filter(|(other, _)| *other != index);
            let new_runs =
                new_runs.iter().chain(others.flat_map(|(_, new_runs)| new_runs)).cloned().collect();
            // A worker that is gone has panicked. This is noticed when its report is awaited.
            let checks = checks.clone();
            _ = worker.tasks.send(EpochTask { checks, calls, executions, used, new_runs });
        }
    }

    /// Waits for the end of the epoch. Returns the metrics and the runs to confirm of each worker, in order.
    pub(super) fn end(&mut self) -> Vec<(Metrics, Vec<Arc<Execution>>)> {
        let mut taken = Vec::new();
        for worker in &mut self.0 {
            // A worker that has panicked sends no more reports.
            if let Ok(report) = worker.reports.recv() {
                worker.last = report;
            }
            taken.push((mem::take(&mut worker.last.metrics), mem::take(&mut worker.last.to_confirm)));
        }
        taken
    }

    /// Panics if a worker has panicked. It is called after all results were merged.
    pub(super) fn panic_if_one_did(&mut self) {
        for worker in &mut self.0 {
            if let Some(thread) = worker.thread.take_if(|thread| thread.is_finished())
                && let Err(panic) = thread.join()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }

    /// Returns the runs of the last epoch that were new to the workers' engines.
    pub(super) fn new_runs(&self) -> impl Iterator<Item = &Arc<Execution>> {
        self.0.iter().flat_map(|worker| &worker.last.new_runs)
    }

    /// Returns the number of executions of all workers.
    pub(super) fn executions(&self) -> u64 {
        self.0.iter().map(|worker| worker.last.executions).sum()
    }

    /// Returns the CPU time of all workers.
    pub(super) fn cpu(&self) -> Duration {
        self.0.iter().map(|worker| worker.last.cpu).sum()
    }

    /// Adds the statistics of each worker's engine. Paths and branches remain those of the campaign's engine,
    /// which learned from all runs.
    pub(super) fn add_to(&self, statistics: &mut Statistics) {
        self.0.iter().for_each(|worker| statistics.absorb(&worker.last.search));
    }
}

/// Serves epochs until the coordinator ends.
fn serve(
    setup: &WorkerSetup,
    stream: u64,
    tasks: &mpsc::Receiver<EpochTask>,
    reports: &mpsc::Sender<EpochReport>,
) {
    let start = ThreadTime::now();
    let mut worker = Worker::new(setup);
    let mut engine = Engine::new(EngineInit { stream, ..setup.init.clone() });
    for EpochTask { mut checks, calls, executions, used, new_runs } in tasks {
        engine.note_budget(used);
        for run in new_runs {
            run.tell(&mut engine);
        }
        worker.last_execution = worker.executor.executions().saturating_add(executions);
        run_epoch(&mut engine, &mut worker, calls, &mut checks);
        let cpu = start.elapsed() + worker.solver.spent();
        let report = EpochReport { cpu, ..worker.end_epoch(&engine) };
        if reports.send(report).is_err() {
            return;
        }
    }
}

/// A worker beside the first one, without its engine.
struct Worker<'a> {
    setup: &'a WorkerSetup,
    executor: EvmExecutor,
    solver: ExternalSolver,
    metrics: Metrics,
    /// Number of executions at which the epoch ends.
    last_execution: u64,
    /// Best values of optimizations.
    best: FxHashMap<usize, I256>,
    /// Failures for which its engine was credited.
    failures: FxHashSet<WorkerEvent>,
    /// Events of the epoch.
    seen: FxHashSet<WorkerEvent>,
    report: EpochReport,
}

/// Event that a worker reports to the campaign once in an epoch.
#[derive(Clone, PartialEq, Eq, Hash)]
enum WorkerEvent {
    Broken(usize),
    Better(usize, I256),
    Finding(oracle::Key),
    Slow(Address, Option<[u8; 4]>),
    Unsupported,
}

impl EpochObserver for Worker<'_> {
    fn executor(&mut self) -> &mut EvmExecutor {
        &mut self.executor
    }

    fn metrics(&mut self) -> &mut Metrics {
        &mut self.metrics
    }

    fn is_over(&mut self) -> bool {
        self.executor.executions() >= self.last_execution
            || self.metrics.rejects > self.setup.most_rejects
            || self.setup.cancellation.is_requested()
    }

    fn solver(&mut self) -> &mut ExternalSolver {
        &mut self.solver
    }

    fn before_learning(&mut self, _: &Execution, _: &mut Checks) -> ControlFlow<(), bool> {
        ControlFlow::Continue(false)
    }

    /// Notes failures for the coordinator, which confirms them at the end of the epoch.
    fn after_learning(&mut self, run: Execution, learned: Learned, engine: &mut Engine) {
        let Execution { candidate, observation } = &run;
        self.setup.recorder.note(candidate.sequence(), observation, learned);
        self.metrics.add(&self.setup.test_env, candidate.sequence(), observation, self.setup.depth);
        let events = self.events(candidate.sequence(), observation);
        let is_failure =
            |event: &&WorkerEvent| matches!(event, WorkerEvent::Broken(_) | WorkerEvent::Finding(_));
        let failures = events.iter().filter(is_failure);
        if failures.filter(|event| self.failures.insert((*event).clone())).count() > 0 {
            engine.credit(candidate);
        }
        let is_notable =
            events.into_iter().fold(false, |is_notable, event| self.seen.insert(event) | is_notable);
        if is_notable || learned.is_new() {
            let run = Arc::new(run);
            self.report.to_confirm.extend(is_notable.then(|| run.clone()));
            self.report.new_runs.extend(learned.is_new().then_some(run));
        }
    }
}

impl<'a> Worker<'a> {
    fn new(setup: &'a WorkerSetup) -> Self {
        let mut executor = EvmExecutor::new(setup.test_env.clone());
        setup.prepare(&mut executor);
        Self {
            setup,
            executor,
            solver: ExternalSolver::new(setup.solver.clone()),
            metrics: Metrics::default(),
            last_execution: 0,
            best: FxHashMap::default(),
            failures: FxHashSet::default(),
            seen: FxHashSet::default(),
            report: EpochReport::default(),
        }
    }

    /// Returns the report of the epoch, and prepares for the next one.
    fn end_epoch(&mut self, engine: &Engine) -> EpochReport {
        self.seen.clear();
        EpochReport {
            metrics: self.metrics.take(),
            executions: self.executor.executions(),
            search: engine.statistics(),
            ..mem::take(&mut self.report)
        }
    }

    fn events(&mut self, sequence: &Sequence, observation: &Observation) -> Vec<WorkerEvent> {
        let mut events: Vec<WorkerEvent> =
            observation.broken.iter().map(|broken| WorkerEvent::Broken(broken.property)).collect();
        for &(property, value, _) in &observation.best {
            if self.best.get(&property).is_none_or(|best| *best < value) {
                self.best.insert(property, value);
                events.push(WorkerEvent::Better(property, value));
            }
        }
        let entered = |call: &Transaction| self.setup.test_env.entered(call);
        let detections = self.setup.detectors.detect(sequence, observation, &entered);
        events.extend(detections.into_iter().map(|detection| WorkerEvent::Finding(detection.key)));
        events.extend(slow_calls(sequence, observation).map(|(tx, _)| {
            let function = tx.input.function().map(|function| function.selector().0);
            WorkerEvent::Slow(tx.target, function)
        }));
        events.extend(observation.unsupported.is_some().then_some(WorkerEvent::Unsupported));
        events
    }
}
