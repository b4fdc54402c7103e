//! Campaign of one group of properties. Until the budget is spent, it runs the candidates of an engine,
//! confirms failures, and lets the engine learn.
//!
//! A failure does not end it: a broken property is set aside and the others go on, and a failed assertion is
//! a finding of its own.
//!
//! | module | content |
//! |---|---|
//! | `start` | check of the properties in the state after `setUp` |
//! | `replay` | replay of failures of earlier runs, before the search |
//! | `search` | search by the coordinator, which merges and confirms the results of all workers |
//! | `epoch` | one epoch of a worker |
//! | `workers` | workers beside the first one |
//! | `external_solver` | questions of a worker's engine to an external solver |
//! | `properties` | state of each property, and confirmation of broken ones |
//! | `findings` | failed assertions and other reports of oracles, and their confirmation |
//! | `optima` | largest values of optimizations |
//! | `kept_inputs` | inputs stored by earlier campaigns |
//! | `corpus` | storage of new inputs |
//! | `recorder` | storage of new inputs during the search |
//! | `events` | events that a campaign emits while it runs |
//! | `slow` | warnings about calls that take much of the campaign's time |
//! | `coverage_report` | coverage of the sources, and branches on which the search is stuck |
//! | `ending` | results at the end of a campaign |
//! | `test` | unit, fuzz and table tests, whose sequences are one call |

mod corpus;
mod coverage_report;
mod ending;
mod epoch;
mod events;
mod external_solver;
mod findings;
mod kept_inputs;
mod optima;
mod properties;
mod recorder;
mod replay;
mod search;
mod slow;
mod start;
mod test;
mod workers;

use super::{
    CancellationToken, SuitePlan,
    budget::{Budget, Spent, StoredUse},
    confirmer::Confirmer,
    metrics::Metrics,
    persistence::{Persistence, ReplayedFile},
    plan::{CampaignPlan, Objective, RunOptions},
    store::corpus::LoadedCorpus,
    watchdog::WatchedThread,
};
use crate::{
    config::Config,
    engine::{Example, Statistics},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        CoveragePoint, Event, Finding, Found, Gas, Observation, Sequence, Stats, TestReport, executor::Checks,
    },
    oracle::Detectors,
    project::{FunctionKind, Project},
};
pub(super) use corpus::classify_inputs;
use coverage_report::CoverageReport;
use cpu_time::ThreadTime;
use events::EventSink;
use external_solver::ExternalSolver;
use findings::Findings;
use optima::Optima;
use properties::Properties;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::AtomicUsize},
    time::{Duration, Instant},
};

/// Minimum and maximum number of calls per thread in an epoch, if several threads search.
const LEAST_EPOCH: u64 = 256;
const MOST_EPOCH: u64 = 8192;

/// Number of failed confirmations of a property or assertion after which it is no longer confirmed.
const MOST_TRIES: u32 = 3;

/// Result of a campaign.
pub(super) struct CampaignOutcome {
    pub(super) tests: Vec<TestReport>,
    pub(super) findings: Vec<Finding>,
    pub(super) warnings: Vec<String>,
    pub(super) replayed: Vec<ReplayedFile>,
    pub(super) stats: Stats,
    pub(super) coverage_report: CoverageReport,
    /// CPU time of the threads beside the suite's own.
    pub(super) cpu: Duration,
}

/// Time that the campaigns of a suite share.
#[derive(Clone, Copy)]
pub(super) struct SuiteClock {
    /// Start of the suite's first campaign.
    pub(super) start: Instant,
    /// Number of campaigns with a timeout, which divide the time among them.
    pub(super) timed: u32,
}

/// Context of a campaign, most of which is shared by all campaigns of the suite.
#[derive(Clone, Copy)]
pub(super) struct CampaignContext<'a> {
    /// Token that ends the campaign.
    pub(super) stop: &'a CancellationToken,
    /// Time that the campaigns with a timeout share.
    pub(super) clock: SuiteClock,
    /// Number of threads that search.
    pub(super) threads: usize,
    /// True if this is the first group of invariants, which also replays persisted assertions.
    pub(super) first: bool,
    /// The suite.
    pub(super) suite: &'a SuitePlan,
    /// Options from the command line.
    pub(super) options: &'a RunOptions,
    /// Project of the suite, whose sources contain literals for the dictionary.
    pub(super) project: &'a Project,
    /// Inputs stored by earlier campaigns of the suite.
    pub(super) kept: Option<&'a LoadedCorpus>,
    /// Calls of unit tests, one list for each test.
    pub(super) examples: &'a [Vec<Example>],
    /// Size of the suite's inputs in bytes so far.
    pub(super) recorded: &'a Arc<AtomicUsize>,
    /// Function that deploys the suite again.
    pub(super) redeploy: &'a dyn Fn() -> Option<Arc<TestEnv>>,
    /// Function that registers the calling thread with the watchdog.
    pub(super) watch: &'a (dyn Fn() -> WatchedThread + Sync),
}

/// Subject of a campaign, and its configuration.
struct CampaignSpec {
    config: Arc<Config>,
    /// Settings in the comments of the properties or the test, as they were written.
    comments: Vec<String>,
    /// Kind of the test; `None` for invariants.
    test: Option<FunctionKind>,
}

/// Results of a campaign so far.
struct Results {
    properties: Properties,
    findings: Findings,
    optima: Optima,
    /// Sequences of stored failures that no longer occur, by property, if there is no search.
    held: BTreeMap<usize, Sequence>,
    /// Gas of the first runs of a test that did not fail.
    gas: Vec<Gas>,
    /// Number of all runs of a test that did not fail.
    runs: u64,
    /// Log lines of all runs of a test, if they are shown.
    logs: Vec<String>,
    /// The sequence run last.
    last: Option<Sequence>,
    warnings: Vec<String>,
    /// Files of failures of earlier runs that still occur.
    replayed: Vec<ReplayedFile>,
    /// Functions with a warning for slow calls: contract and signature.
    slow: BTreeSet<(String, String)>,
}

/// Record of the search.
struct SearchRecord {
    /// Operator that made the sequence that is being confirmed.
    operator: &'static str,
    /// Growth of coverage.
    coverage: Vec<CoveragePoint>,
    statistics: Statistics,
    coverage_report: CoverageReport,
    /// Time until the search ended.
    searched: Duration,
}

/// Executions and CPU time of a campaign.
struct Usage {
    /// CPU time of the campaign's own thread.
    cpu: ThreadTime,
    /// CPU time of the other workers.
    worker_cpu: Duration,
    /// Executions of the other workers.
    worker_executions: u64,
    /// Use by stored inputs, whose executions do not count.
    stored: StoredUse,
    /// External solver, whose time is limited by the thread's.
    solver: ExternalSolver,
}

impl Usage {
    /// Returns the CPU time so far. The external solver's time counts as such.
    fn cpu(&self) -> Duration {
        self.cpu.elapsed() + self.solver.spent() + self.worker_cpu
    }
}

/// Coordinator of one campaign: its first worker, which also confirms and merges.
pub(super) struct Campaign<'a> {
    spec: CampaignSpec,
    context: CampaignContext<'a>,
    test_env: Arc<TestEnv>,
    executor: EvmExecutor,
    confirmer: Confirmer<'a>,
    persistence: Persistence<'a>,
    budget: Budget,
    metrics: Metrics,
    results: Results,
    record: SearchRecord,
    usage: Usage,
    events: EventSink<'a>,
}

impl<'a> Campaign<'a> {
    pub(super) fn new(
        context: CampaignContext<'a>,
        group: &CampaignPlan,
        test_env: Arc<TestEnv>,
        emit: &'a mut dyn FnMut(Event),
    ) -> Self {
        let config = group.config.clone();
        let invariant = &config.invariant;
        let SuiteClock { start, timed } = context.clock;
        let budget = Budget::new(start, timed, group, context.stop);
        let detectors = Detectors::new(&config.harvey.oracles, test_env.scene().cloned());
        let (detectors, warnings) = match detectors {
            Ok(detectors) => (detectors, Vec::new()),
            Err(wrong) => (Detectors::default(), vec![wrong]),
        };
        let (properties, test) = match &group.objective {
            Objective::Invariants(properties) => (properties.clone(), None),
            Objective::Test(test) => (vec![0], Some(test.kind)),
        };
        Self {
            confirmer: Confirmer {
                detectors,
                cancellation: budget.cancellation(context.stop),
                redeploy: context.redeploy,
                shrink_limit: if context.options.shrinks { invariant.shrink_run_limit } else { 0 },
                // A file that the user named is replayed at any length.
                depth: context.options.named_file().map_or(invariant.depth, |_| u32::MAX),
                executions: 0,
            },
            persistence: Persistence::new(context.options, context.suite.suite.id(), group, test_env.clone()),
            executor: EvmExecutor::new(test_env.clone()),
            results: Results {
                properties: Properties::new(properties),
                findings: Findings::default(),
                optima: Optima::default(),
                held: BTreeMap::new(),
                gas: Vec::new(),
                runs: 0,
                logs: Vec::new(),
                last: None,
                warnings,
                replayed: Vec::new(),
                slow: BTreeSet::new(),
            },
            record: SearchRecord {
                operator: "replay",
                coverage: Vec::new(),
                statistics: Statistics::default(),
                coverage_report: CoverageReport::default(),
                searched: Duration::ZERO,
            },
            usage: Usage {
                cpu: ThreadTime::now(),
                worker_cpu: Duration::ZERO,
                worker_executions: 0,
                stored: StoredUse::default(),
                solver: ExternalSolver::new(context.options.solver.clone()),
            },
            events: EventSink::new(emit),
            metrics: Metrics::default(),
            spec: CampaignSpec { comments: group.comments.clone(), config, test },
            context,
            budget,
            test_env,
        }
    }

    /// Runs the campaign to its end.
    pub(super) fn run(mut self) -> CampaignOutcome {
        match self.spec.test {
            _ if !self.test_env.setup.prepared => test::fail_unprepared(&mut self),
            None => self.run_invariants(),
            Some(FunctionKind::Fuzz) => test::fuzz(&mut self),
            Some(_) if self.context.options.replay.is_some() => {}
            Some(kind) => test::run_rows(&mut self, kind),
        }
        ending::finish(self)
    }

    fn begin(&mut self) {
        self.events.emit(Event::SuiteStarted {
            suite: self.test_env.suite.id.clone(),
            properties: self.results.properties.alive.len(),
            calls: self.budget.calls(),
            time: self.budget.time(),
        });
    }

    fn run_invariants(&mut self) {
        self.begin();
        start::check_initial_state(self);
        replay::replay_persisted(self);
        if !self.results.properties.all_skipped() && !self.test_env.targets.targets.is_empty() {
            self.search();
        }
        let lent = self
            .persistence
            .write_forge_files(&mut self.results.findings.all, &self.results.properties.alive);
        self.results.warnings.extend(lent);
    }

    fn checks(&self) -> Checks {
        Checks {
            properties: self.results.properties.alive.clone(),
            interval: self.spec.config.invariant.check_interval,
            fail_on_revert: self.spec.config.invariant.fail_on_revert,
            after_invariant: self.test_env.suite.after_invariant.is_some(),
            depth: self.spec.config.invariant.depth,
            full_runs_only: true,
            from: 0,
        }
    }

    /// Tells whether all requested results are known: the verdict on a test, or any failure under
    /// `--fail-fast`.
    fn may_end_early(&self) -> bool {
        test::is_decided(self) || self.context.options.fail_fast && self.failures() > 0
    }

    /// Tells whether the search is to end.
    fn is_over(&self) -> bool {
        self.context.stop.is_run_ending() || self.budget.is_spent(&self.spent()) || self.may_end_early()
    }

    /// Returns the duration of the search. Without a search, returns the time since the campaign began.
    fn time(&self) -> Duration {
        if self.record.searched.is_zero() {
            self.results.properties.started.elapsed()
        } else {
            self.record.searched
        }
    }

    fn spent(&self) -> Spent {
        let executions = self.executions() - self.usage.stored.executions;
        Spent { calls: self.metrics.calls, executions, stale: self.metrics.stale }
    }

    /// Returns the number of executions so far. It includes those of the other workers up to the last epoch.
    fn executions(&self) -> u64 {
        self.executor.executions() + self.usage.worker_executions
    }

    /// Returns the point of the campaign at which the failure that is being confirmed was found.
    fn found(&self) -> Found {
        Found {
            calls: self.metrics.calls,
            executions: self.executions(),
            seconds: self.budget.seconds(),
            cpu_seconds: self.usage.cpu().as_secs_f64(),
            operator: self.record.operator,
        }
    }

    /// Returns the number of properties and assertions broken so far.
    fn failures(&self) -> usize {
        self.results.properties.broken() + self.results.findings.all.len()
    }

    fn is_notable(&self, sequence: &Sequence, observation: &Observation) -> bool {
        !observation.broken.is_empty()
            || self.results.optima.is_better(observation)
            || !findings::new_findings(self, sequence, observation).is_empty()
    }

    /// Confirms the results of an execution: new assertion failures, broken properties, and better values.
    fn confirm(&mut self, sequence: &Sequence, observation: &Observation, replayed: bool) {
        events::emit_progress(self, Some("Shrink"));
        findings::confirm_findings(self, sequence, observation, replayed);
        properties::confirm_properties(self, sequence, observation, replayed);
        self.results.optima.keep(sequence, observation);
    }
}
