//! Threads that search beside the campaign's own.
//!
//! Each has an executor, and an engine that draws from a stream of its own. They work in epochs: all run so many calls;
//! then the campaign takes over what they did, one after the other, and what was new to one engine is told to the others
//! before they go on. So the results depend on how many threads there are, but not on which is faster.

use super::{recorder::CorpusRecorder, slow::slow_calls};
use crate::{
    campaign::{budget::Halt, metrics::Metrics, watchdog::WatchedThread},
    engine::{Candidate, Engine, EngineInit, Statistics},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{Executor as _, Observation, Sequence, executor::Checks},
    oracle::{self, Detectors},
};
use alloy_primitives::{Address, I256};
use cpu_time::ThreadTime;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    mem,
    sync::{Arc, mpsc},
    thread::{Scope, ScopedJoinHandle},
    time::Duration,
};

/// The CPU time of one sequence in this many is taken.
const TIMED: u64 = 8;

/// A candidate and what it showed.
pub(super) struct Execution {
    pub(super) candidate: Candidate,
    pub(super) observation: Observation,
}

impl Execution {
    /// Runs what the engine asks for next; `None` if there is nothing to call.
    pub(super) fn next(engine: &mut Engine, executor: &mut EvmExecutor, checks: &mut Checks) -> Option<Self> {
        // Asking for the time takes a while.
        let start = engine.told().is_multiple_of(TIMED).then(ThreadTime::now);
        let candidate = engine.ask();
        if candidate.sequence().is_empty() {
            return None;
        }
        let ran = Self::of(candidate, executor, checks);
        if let Some(start) = start {
            engine.note_cpu(&ran.candidate, start.elapsed() * TIMED as u32);
        }
        Some(ran)
    }

    /// Runs a sequence.
    pub(super) fn of(candidate: Candidate, executor: &mut EvmExecutor, checks: &mut Checks) -> Self {
        checks.from = candidate.from();
        let observation = executor.run(candidate.sequence(), checks, candidate.probing());
        Self { candidate, observation }
    }

    /// Calls that it counts for, one at least.
    pub(super) fn calls(&self) -> u64 {
        self.observation.steps.len().max(1) as u64
    }

    /// Tells an engine that did not make it.
    pub(super) fn tell(&self, engine: &mut Engine) {
        engine.tell(&self.candidate.shared(), &self.observation);
    }
}

/// One epoch's work.
struct EpochTask {
    checks: Checks,
    /// Calls to run, and executions that they may take.
    calls: u64,
    executions: u64,
    /// What was new to others.
    news: Vec<Arc<Execution>>,
}

/// What one epoch came to.
#[derive(Default)]
pub(super) struct EpochReport {
    pub(super) metrics: Metrics,
    /// Executions so far.
    pub(super) executions: u64,
    /// What the search came to so far.
    pub(super) search: Statistics,
    /// CPU time so far.
    pub(super) cpu: Duration,
    /// What the campaign has to look at.
    pub(super) notable: Vec<Arc<Execution>>,
    /// What other engines learn from.
    pub(super) news: Vec<Arc<Execution>>,
}

/// What all helpers begin with.
pub(super) struct WorkerSetup {
    pub(super) test_env: Arc<TestEnv>,
    pub(super) detectors: Detectors,
    pub(super) init: EngineInit,
    pub(super) halt: Halt,
    pub(super) reuse: bool,
    /// Keeps what is new.
    pub(super) recorder: CorpusRecorder,
    pub(super) depth: u32,
    /// Most calls that `vm.assume` may reject in a run.
    pub(super) most_rejects: u32,
}

impl WorkerSetup {
    /// Prepares an executor for the search.
    pub(super) fn prepare(&self, executor: &mut EvmExecutor) {
        let halt = self.halt.clone();
        executor.begin_search(Arc::new(move || halt.requested()), self.reuse);
    }
}

struct WorkerHandle<'scope> {
    orders: mpsc::Sender<EpochTask>,
    reports: mpsc::Receiver<EpochReport>,
    /// `None` once it has panicked.
    thread: Option<ScopedJoinHandle<'scope, ()>>,
    /// What it reported last, but for what was taken over.
    last: EpochReport,
}

/// All of them, none if the campaign has but one thread.
pub(super) struct WorkerPool<'scope>(Vec<WorkerHandle<'scope>>);

impl<'scope> WorkerPool<'scope> {
    pub(super) fn start(
        scope: &'scope Scope<'scope, '_>,
        count: usize,
        setup: &'scope WorkerSetup,
        watch: &'scope (dyn Fn() -> WatchedThread + Sync),
    ) -> Self {
        let worker = |stream: usize| {
            let (orders, ordered) = mpsc::channel();
            let (reporter, reports) = mpsc::channel();
            let thread = scope.spawn(move || {
                let _watched = watch();
                help(setup, stream as u64, &ordered, &reporter);
            });
            WorkerHandle { orders, reports, thread: Some(thread), last: EpochReport::default() }
        };
        Self((1..=count).map(worker).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Lets all of them begin an epoch; `news` are those of the campaign's own engine.
    pub(super) fn begin(
        &mut self,
        checks: &Checks,
        (calls, executions): (u64, u64),
        news: &[Arc<Execution>],
    ) {
        let all: Vec<Vec<Arc<Execution>>> =
            self.0.iter_mut().map(|worker| mem::take(&mut worker.last.news)).collect();
        for (index, worker) in self.0.iter().enumerate() {
            let others = all.iter().enumerate().filter(|(other, _)| *other != index);
            let news = news.iter().chain(others.flat_map(|(_, news)| news)).cloned().collect();
            // One that is gone has panicked, which is seen when its report is awaited.
            _ = worker.orders.send(EpochTask { checks: checks.clone(), calls, executions, news });
        }
    }

    /// Awaits the end of the epoch, and gives each helper's tally and what it saw that is notable, in turn.
    pub(super) fn end(&mut self) -> Vec<(Metrics, Vec<Arc<Execution>>)> {
        let mut taken = Vec::new();
        for worker in &mut self.0 {
            // One that has panicked reports nothing more.
            if let Ok(report) = worker.reports.recv() {
                worker.last = report;
            }
            taken.push((mem::take(&mut worker.last.metrics), mem::take(&mut worker.last.notable)));
        }
        taken
    }

    /// Panics as a helper did, once everything that was found is taken over.
    pub(super) fn panic_if_one_did(&mut self) {
        for worker in &mut self.0 {
            if let Some(thread) = worker.thread.take_if(|thread| thread.is_finished())
                && let Err(panic) = thread.join()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }

    /// What was new to them in the last epoch.
    pub(super) fn news(&self) -> impl Iterator<Item = &Arc<Execution>> {
        self.0.iter().flat_map(|worker| &worker.last.news)
    }

    /// Executions of all of them.
    pub(super) fn executions(&self) -> u64 {
        self.0.iter().map(|worker| worker.last.executions).sum()
    }

    /// CPU time of all of them.
    pub(super) fn cpu(&self) -> Duration {
        self.0.iter().map(|worker| worker.last.cpu).sum()
    }

    /// Adds what each tried for itself; paths and branches are the campaign's engine's, which was told of all.
    pub(super) fn add_to(&self, statistics: &mut Statistics) {
        self.0.iter().for_each(|worker| statistics.absorb(&worker.last.search));
    }
}

/// The life of a helper: as long as there are orders.
fn help(
    setup: &WorkerSetup,
    stream: u64,
    orders: &mpsc::Receiver<EpochTask>,
    reports: &mpsc::Sender<EpochReport>,
) {
    let start = ThreadTime::now();
    let mut executor = EvmExecutor::new(setup.test_env.clone());
    setup.prepare(&mut executor);
    let engine = Engine::new(EngineInit { stream, ..setup.init.clone() });
    let (best, failures) = Default::default();
    let mut worker = Worker { setup, engine, executor, metrics: Metrics::default(), best, failures };
    for EpochTask { checks, calls, executions, news } in orders {
        for ran in news {
            ran.tell(&mut worker.engine);
        }
        let mut report = worker.epoch(checks, calls, executions);
        report.cpu = start.elapsed();
        if reports.send(report).is_err() {
            return;
        }
    }
}

struct Worker<'a> {
    setup: &'a WorkerSetup,
    engine: Engine,
    executor: EvmExecutor,
    metrics: Metrics,
    /// Best values of optimizations.
    best: FxHashMap<usize, I256>,
    /// Failures that its engine was credited for.
    failures: FxHashSet<WorkerEvent>,
}

/// What the campaign needs to be shown once in an epoch.
#[derive(Clone, PartialEq, Eq, Hash)]
enum WorkerEvent {
    Broken(usize),
    Better(usize, I256),
    Finding(oracle::Key),
    Slow(Address, Option<[u8; 4]>),
    Unsupported,
}

impl Worker<'_> {
    fn epoch(&mut self, mut checks: Checks, calls: u64, executions: u64) -> EpochReport {
        let mut report = EpochReport::default();
        let mut seen = FxHashSet::default();
        let mut run = 0;
        let last = self.executor.executions().saturating_add(executions);
        while run < calls
            && self.executor.executions() < last
            && self.metrics.rejects <= self.setup.most_rejects
            && !self.setup.halt.requested()
        {
            let Some(ran) = Execution::next(&mut self.engine, &mut self.executor, &mut checks) else { break };
            run += ran.calls();
            let Execution { candidate, observation } = &ran;
            let learned = self.engine.tell(candidate, observation);
            self.setup.recorder.note(candidate.sequence(), observation, learned);
            if candidate.is_aggressive() {
                self.metrics.add_aggressive(observation);
                continue;
            }
            self.metrics.add(&self.setup.test_env, candidate.sequence(), observation, self.setup.depth);
            let events = self.events(candidate.sequence(), observation);
            let failures = events
                .iter()
                .filter(|event| matches!(event, WorkerEvent::Broken(_) | WorkerEvent::Finding(_)));
            if failures.filter(|event| self.failures.insert((*event).clone())).count() > 0 {
                self.engine.credit(candidate);
            }
            let is_notable =
                events.into_iter().fold(false, |is_notable, event| seen.insert(event) | is_notable);
            if is_notable || learned.is_news() {
                let ran = Arc::new(ran);
                report.notable.extend(is_notable.then(|| ran.clone()));
                report.news.extend(learned.is_news().then_some(ran));
            }
        }
        report.metrics = self.metrics.take();
        report.executions = self.executor.executions();
        report.search = self.engine.statistics();
        report
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
        let called = |address| self.setup.test_env.called(address);
        let detections = self.setup.detectors.detect(sequence, observation, &called);
        events.extend(detections.into_iter().map(|detection| WorkerEvent::Finding(detection.key)));
        events.extend(slow_calls(sequence, observation).map(|(tx, _)| {
            let function = tx.input.function().map(|function| function.selector().0);
            WorkerEvent::Slow(tx.target, function)
        }));
        events.extend(observation.unsupported.is_some().then_some(WorkerEvent::Unsupported));
        events
    }
}
