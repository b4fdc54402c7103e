//! The campaign of one group of properties: ask, run, judge, tell, until the budget is spent.
//!
//! Nothing found ends it: a broken property is set aside and the others go on, and a failed assertion
//! is a finding of its own.
//!
//! | file | holds |
//! |---|---|
//! | `start` | what properties say of the state after `setUp` |
//! | `replay` | failures of earlier runs, tried before anything else |
//! | `properties` | what is known of each property, and how a broken one is confirmed |
//! | `corpus` | what earlier campaigns kept |
//! | `recorder` | what this one keeps |
//! | `findings` | failed assertions and what else oracles report, told apart and confirmed |
//! | `workers` | threads that search beside the campaign's own |
//! | `optima` | the largest values of optimizations |
//! | `tell` | what it tells while it runs |
//! | `ending` | what it ends with |
//! | `slow` | warnings of calls that take the campaign's time |
//! | `coverage_report` | what was covered of the sources, and what it is stuck on |
//! | `test` | unit, fuzz and table tests, whose sequences are one call |

mod corpus;
mod coverage_report;
mod ending;
mod events;
mod findings;
mod optima;
mod properties;
mod recorder;
mod replay;
mod slow;
mod start;
mod test;
mod workers;

use super::{
    Stop, SuitePlan,
    budget::{Budget, Spent},
    confirmer::Confirmer,
    metrics::Metrics,
    persistence::Persistence,
    plan::{Objective, PropertyGroup, RunOptions, SequenceObserver},
    store::corpus::LoadedCorpus,
    watchdog::WatchedThread,
};
use crate::{
    config::{Config, Feature},
    engine::{Engine, Example, Statistics},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        CoveragePoint, Event, Finding, Found, Gas, Observation, Sequence, Stats, TestReport, executor::Checks,
    },
    oracle::Detectors,
    project::{FunctionKind, Project},
};
use coverage_report::CoverageReport;
use cpu_time::ThreadTime;
use findings::Findings;
use optima::Optima;
use properties::Properties;
use recorder::{CorpusRecorder, Ending};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::{Arc, atomic::AtomicUsize},
    time::{Duration, Instant},
};
use workers::{Execution, WorkerPool, WorkerSetup};

/// Calls of an epoch in which several threads search, for each.
const LEAST_EPOCH: u64 = 256;
const MOST_EPOCH: u64 = 8192;

/// Failures of one property or assertion that do not show again after which it is not judged any more.
const MOST_TRIES: u32 = 3;

/// What a group's campaign ends with.
pub(super) struct CampaignOutcome {
    pub(super) tests: Vec<TestReport>,
    pub(super) findings: Vec<Finding>,
    pub(super) warnings: Vec<String>,
    pub(super) stats: Stats,
    pub(super) coverage_report: CoverageReport,
    /// CPU time of threads beside the suite's own.
    pub(super) cpu: Duration,
}

/// What the groups of a suite share.
#[derive(Clone, Copy)]
pub(super) struct CampaignContext<'a> {
    /// What ends them all.
    pub(super) stop: &'a Stop,
    /// When the suite's first campaign began.
    pub(super) start: Instant,
    /// How many of their campaigns have a timeout.
    pub(super) timed: u32,
    /// How many threads search.
    pub(super) threads: usize,
    /// Whether this is the first group, which replays the persisted assertions.
    pub(super) first: bool,
    /// The suite.
    pub(super) suite: &'a SuitePlan,
    /// What the command line says.
    pub(super) options: &'a RunOptions,
    /// Where the values come from that the sources mention.
    pub(super) project: &'a Project,
    /// What earlier campaigns of the suite kept.
    pub(super) kept: Option<&'a LoadedCorpus>,
    /// Calls of unit tests.
    pub(super) examples: &'a [Vec<Example>],
    /// Calls in the suite's corpus by now.
    pub(super) recorded: &'a Arc<AtomicUsize>,
    /// Deploys the suite again.
    pub(super) redeploy: &'a dyn Fn() -> Option<Arc<TestEnv>>,
    /// Shows the watchdog what a thread runs.
    pub(super) watch: &'a (dyn Fn() -> WatchedThread + Sync),
}

/// One campaign.
pub(super) struct Campaign<'a> {
    config: Arc<Config>,
    /// Where the configuration differs from the suite's, by what comments.
    comments: Vec<String>,
    context: CampaignContext<'a>,
    test_env: Arc<TestEnv>,
    executor: EvmExecutor,
    confirmer: Confirmer<'a>,
    persistence: Persistence<'a>,
    budget: Budget,
    metrics: Metrics,
    properties: Properties,
    findings: Findings,
    optima: Optima,
    /// Kind of the test, where it is that of one.
    test: Option<FunctionKind>,
    /// Gas of the runs of a test that did not fail.
    gas: Vec<Gas>,
    /// What the runs of a test logged, where all logs are wanted.
    logs: Vec<String>,
    /// What made the sequence that is being judged.
    operator: &'static str,
    coverage: Vec<CoveragePoint>,
    /// What the search came to.
    search: Statistics,
    /// What was covered of the sources.
    coverage_report: CoverageReport,
    /// CPU time of the campaign's own thread.
    cpu: ThreadTime,
    /// Time until the search ended.
    searched: Duration,
    /// Kept failures that fail no longer, by property, where nothing else is run.
    held: BTreeMap<usize, Sequence>,
    /// The sequence that was told last.
    last: Option<Sequence>,
    warnings: Vec<String>,
    /// When progress was told last.
    told: Instant,
    /// What helpers took so far.
    worker_executions: u64,
    /// What running the corpus took, which is no part of the budget.
    kept_executions: u64,
    worker_cpu: Duration,
    /// Functions that were warned of: contract and signature.
    slow: BTreeSet<(String, String)>,
    emit: &'a mut dyn FnMut(Event),
}

impl<'a> Campaign<'a> {
    pub(super) fn new(
        context: CampaignContext<'a>,
        group: &PropertyGroup,
        test_env: Arc<TestEnv>,
        emit: &'a mut dyn FnMut(Event),
    ) -> Self {
        let config = group.config.clone();
        let invariant = &config.invariant;
        let budget = Budget::new(context.start, context.timed, invariant, &config.harvey, group.is_test());
        let detectors = Detectors::new(&config.harvey.oracles, test_env.scene().cloned());
        let (detectors, warnings) = match detectors {
            Ok(detectors) => (detectors, Vec::new()),
            Err(wrong) => (Detectors::default(), vec![wrong]),
        };
        let (properties, test) = match &group.subject {
            Objective::Invariants(properties) => (properties.clone(), None),
            Objective::Test(test) => (vec![0], Some(test.kind)),
        };
        Self {
            confirmer: Confirmer {
                detectors,
                halt: budget.halt(context.stop),
                redeploy: context.redeploy,
                shrink_limit: invariant.shrink_run_limit,
                // What a user names is run whole.
                depth: context.options.named_file().map_or(invariant.depth, |_| u32::MAX),
                executions: 0,
            },
            persistence: Persistence::new(context.options, context.suite.suite.id(), group, test_env.clone()),
            executor: EvmExecutor::new(test_env.clone()),
            properties: Properties::new(properties),
            test,
            gas: Vec::new(),
            logs: Vec::new(),
            findings: Findings::default(),
            optima: Optima::default(),
            metrics: Metrics::default(),
            context,
            budget,
            warnings,
            operator: "replay",
            coverage: Vec::new(),
            search: Statistics::default(),
            coverage_report: CoverageReport::default(),
            cpu: ThreadTime::now(),
            searched: Duration::ZERO,
            held: BTreeMap::new(),
            last: None,
            told: Instant::now(),
            worker_executions: 0,
            kept_executions: 0,
            worker_cpu: Duration::ZERO,
            slow: BTreeSet::new(),
            comments: group.comments.clone(),
            config,
            test_env,
            emit,
        }
    }

    /// Runs the campaign to its end.
    pub(super) fn run(mut self) -> CampaignOutcome {
        match self.test {
            _ if !self.test_env.setup.prepared => self.fail_unprepared(),
            None => self.run_invariants(),
            Some(FunctionKind::Fuzz) => self.fuzz(),
            Some(_) if self.context.options.replay.is_some() => {}
            Some(kind) => self.run_rows(kind),
        }
        self.finish()
    }

    fn begin(&mut self) {
        self.tell(Event::SuiteStarted {
            suite: self.test_env.suite.id.clone(),
            properties: self.properties.alive.len(),
            budget: self.budget.calls(),
        });
    }

    fn run_invariants(&mut self) {
        self.begin();
        self.probe();
        self.replay_persisted();
        if !self.properties.all_skipped() && !self.test_env.targets.targets.is_empty() {
            self.search();
        }
        let lent = self.persistence.lend_files(&mut self.findings.all, &self.properties.alive);
        self.warnings.extend(lent);
    }

    fn checks(&self) -> Checks {
        Checks {
            properties: self.properties.alive.clone(),
            interval: self.config.invariant.check_interval,
            fail_on_revert: self.config.invariant.fail_on_revert,
            after_invariant: self.test_env.suite.after_invariant.is_some(),
            depth: self.config.invariant.depth,
            full_runs_only: true,
            from: 0,
        }
    }

    /// What all threads begin with; the campaign's own executor is prepared.
    fn setup(&mut self) -> WorkerSetup {
        let examples = self.examples();
        let setup = WorkerSetup {
            test_env: self.test_env.clone(),
            detectors: self.confirmer.detectors.clone(),
            init: self.persistence.engine_init(self.context.project.literals(), examples, &mut self.executor),
            halt: self.budget.halt(self.context.stop),
            reuse: !self.config.harvey.without.contains(&Feature::Reuse),
            depth: self.config.invariant.depth,
            most_rejects: self.config.invariant.max_assume_rejects,
            recorder: CorpusRecorder::new(
                self.persistence.inputs(),
                self.test_env.targets.clone(),
                self.context.recorded.clone(),
            ),
        };
        setup.prepare(&mut self.executor);
        setup
    }

    /// Calls of unit tests, where sequences are longer than one call.
    fn examples(&self) -> &'a [Vec<Example>] {
        if self.test.is_none() { self.context.examples } else { &[] }
    }

    fn search(&mut self) {
        if self.context.options.replay.is_some() {
            return;
        }
        let setup = self.setup();
        let mut engine = Engine::new(setup.init.clone());
        let corpus = self.persistence.corpus(&self.properties.alive);
        let (news, goes_on) = self.run_kept(corpus.as_ref(), &mut engine);
        self.search = engine.statistics();
        self.note_coverage(&engine, false);
        if goes_on {
            std::thread::scope(|scope| {
                scope.spawn(|| setup.recorder.write_now_and_then());
                let _ending = Ending(&setup.recorder);
                let mut workers =
                    WorkerPool::start(scope, self.context.threads - 1, &setup, self.context.watch);
                self.search_with(&mut engine, &mut workers, news, &setup.recorder);
            });
        }
        self.warnings.extend(setup.recorder.error());
        self.executor.end_search();
        self.searched = self.properties.started.elapsed();
        self.coverage_report(&engine);
        if let Some(corpus) = corpus {
            self.keep(&corpus, &engine);
        }
        self.tell_progress(None);
    }

    /// Epoch after epoch; without helpers, each is one sequence.
    fn search_with(
        &mut self,
        engine: &mut Engine,
        workers: &mut WorkerPool<'_>,
        mut news: Vec<Arc<Execution>>,
        recorder: &CorpusRecorder,
    ) {
        let mut goes_on = true;
        while goes_on && !self.is_over() {
            let (checks, epoch) = (self.checks(), self.epoch(workers.len()));
            workers.begin(&checks, epoch, &mem::take(&mut news));
            goes_on = self.run_epoch(engine, epoch.0, checks, &mut news, recorder);
            goes_on &= self.take_over(workers, engine);
            self.note_coverage(engine, false);
            workers.panic_if_one_did();
        }
        self.note_coverage(engine, true);
        self.search = engine.statistics();
        workers.add_to(&mut self.search);
    }

    /// Calls that each thread runs before all learn of each other's, and executions that they may take: few at first,
    /// when there is much to learn.
    fn epoch(&self, workers: usize) -> (u64, u64) {
        let threads = workers as u64 + 1;
        let (calls, executions) = self.budget.left(&self.spent());
        let fair =
            if workers == 0 { 1 } else { (self.metrics.calls / threads / 8).clamp(LEAST_EPOCH, MOST_EPOCH) };
        (fair.min(calls / threads).max(1), (executions / threads).max(1))
    }

    /// Runs so many calls; says whether there is a reason to go on. What engines of helpers learn from goes to `news`.
    fn run_epoch(
        &mut self,
        engine: &mut Engine,
        calls: u64,
        mut checks: Checks,
        news: &mut Vec<Arc<Execution>>,
        recorder: &CorpusRecorder,
    ) -> bool {
        let mut run = 0;
        while run < calls && !self.is_over() {
            let Some(ran) = Execution::next(engine, &mut self.executor, &mut checks) else { return false };
            run += ran.calls();
            if ran.candidate.is_aggressive() {
                // On tampered storage nothing is a finding.
                self.metrics.add_aggressive(&ran.observation);
                engine.tell(&ran.candidate, &ran.observation);
                continue;
            }
            if let Some(SequenceObserver(tap)) = &self.context.options.tap {
                tap(ran.candidate.sequence(), &ran.observation);
            }
            let depth = self.config.invariant.depth;
            self.metrics.add(&self.test_env, ran.candidate.sequence(), &ran.observation, depth);
            self.note_gas(&ran.observation);
            self.note_logs(ran.candidate.sequence());
            let failures = self.failures();
            if !self.look_at(&ran, &mut checks) {
                return false;
            }
            if self.failures() > failures {
                engine.credit(&ran.candidate);
            }
            let learned = engine.tell(&ran.candidate, &ran.observation);
            self.record(&ran, learned, engine, recorder);
            self.warn_of_the_disk(recorder);
            if learned.is_news() && self.context.threads > 1 {
                news.push(Arc::new(ran));
            } else if ran.observation.ended_in.is_none() {
                self.last = Some(ran.candidate.into_sequence());
            }
            self.tell_progress_now_and_then();
        }
        true
    }

    /// Judges what a run showed; says whether there is a reason to go on.
    fn look_at(&mut self, ran: &Execution, checks: &mut Checks) -> bool {
        let (sequence, observation) = (ran.candidate.sequence(), &ran.observation);
        self.operator = ran.candidate.origin();
        self.warn_of_slow_calls(sequence, observation);
        if self.is_notable(sequence, observation) {
            self.confirmer(sequence, observation, false);
            *checks = self.checks();
        }
        !self.gives_up(sequence, observation)
    }

    /// Takes over what the helpers did in this epoch; says whether there is a reason to go on.
    fn take_over(&mut self, workers: &mut WorkerPool<'_>, engine: &mut Engine) -> bool {
        let mut goes_on = true;
        let done = workers.end();
        (self.worker_executions, self.worker_cpu) = (workers.executions(), workers.cpu());
        for (metrics, notable) in done {
            let rejects = metrics.rejects;
            self.metrics.absorb(metrics);
            for ran in notable {
                goes_on &= self.look_at(&ran, &mut self.checks());
            }
            if rejects > self.config.invariant.max_assume_rejects {
                self.fail_for_rejects();
                goes_on = false;
            }
        }
        for ran in workers.news() {
            ran.tell(engine);
        }
        goes_on
    }

    /// Whether there is all that was asked for: the verdict on a test, or under `--fail-fast` a failure.
    fn may_end_early(&self) -> bool {
        self.is_decided() || self.context.options.fail_fast && self.failures() > 0
    }

    /// Whether the search is to end.
    fn is_over(&self) -> bool {
        self.context.stop.requested() || self.budget.is_spent(&self.spent()) || self.may_end_early()
    }

    /// Time of the search, or until now where there was none.
    fn time(&self) -> Duration {
        if self.searched.is_zero() { self.properties.started.elapsed() } else { self.searched }
    }

    fn spent(&self) -> Spent {
        let executions = self.executions() - self.kept_executions;
        Spent { calls: self.metrics.calls, executions, stale: self.metrics.stale }
    }

    /// Executions so far, those of helpers up to the last epoch.
    fn executions(&self) -> u64 {
        self.executor.executions() + self.worker_executions
    }

    /// Keeps a point of the coverage's growth whenever the executions have grown by a tenth.
    fn note_coverage(&mut self, engine: &Engine, last: bool) {
        let executions = self.executions();
        let known = self.coverage.last().map_or(0, |point| point.executions);
        if executions * 10 >= known * 11 + 10 || last && executions > known {
            let search = engine.statistics();
            let seconds = self.budget.seconds();
            self.coverage.push(CoveragePoint {
                executions,
                seconds,
                paths: search.paths,
                branches: search.branches,
            });
        }
    }

    /// When what is being judged was found.
    fn found(&self) -> Found {
        Found {
            calls: self.metrics.calls,
            executions: self.executions(),
            seconds: self.budget.seconds(),
            cpu_seconds: (self.cpu.elapsed() + self.worker_cpu).as_secs_f64(),
            operator: self.operator,
        }
    }

    /// Properties and assertions broken so far.
    fn failures(&self) -> usize {
        self.properties.broken() + self.findings.all.len()
    }

    fn is_notable(&self, sequence: &Sequence, observation: &Observation) -> bool {
        !observation.broken.is_empty()
            || self.optima.is_better(observation)
            || !self.new_findings(sequence, observation).is_empty()
    }

    /// Confirms what an execution showed: new assertion failures, broken properties, better values.
    fn confirmer(&mut self, sequence: &Sequence, observation: &Observation, replayed: bool) {
        self.tell_progress(Some("Shrink"));
        self.judge_findings(sequence, observation, replayed);
        self.judge_properties(sequence, observation, replayed);
        self.optima.keep(sequence, observation);
    }
}
