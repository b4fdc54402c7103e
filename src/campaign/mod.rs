//! Campaigns, which connect the search with execution. They run suites on threads within a budget, and
//! confirm, shrink and persist failures.
//!
//! A campaign emits [`Event`]s and never prints.
//!
//! | file | content |
//! |---|---|
//! | `plan/` | suites to run, and the grouping of their properties into campaigns |
//! | `threads`, `queue`, `suite` | threads and time of each suite, and one suite from deployment to its report |
//! | `run/` | one campaign: initial checks, search, confirmation, results |
//! | `confirmer` | shrinking, and replay from a fresh deployment |
//! | `budget`, `cancellation`, `watchdog` | limits of a campaign and of the whole run |
//! | `metrics`, `reverts`, `source_coverage` | counts, reasons of reverts, coverage of the sources |
//! | `persistence`, `store/` | failures and inputs on disk, in our format, Forge's and other fuzzers' |
//! | `smt/` | external SMT solvers |
//! | `unit_tests` | calls of unit tests, as seeds of the search |
//! | `handler/` | calls that a contract accepts, for a first invariant suite |
//! | `corpora` | commands on corpora: minimise, import, export |
//! | `outcomes` | effects of stored inputs, by which a mutant is compared with the original |
//! | `partition` | division of the campaigns among several machines |
//! | `verdict` | reports of failures that need no campaign |

mod budget;
mod cancellation;
mod confirmer;
mod corpora;
mod handler;
mod metrics;
mod outcomes;
mod partition;
mod persistence;
mod plan;
mod queue;
mod reverts;
mod run;
pub mod smt;
mod source_coverage;
pub mod store;
mod suite;
mod threads;
mod unit_tests;
mod verdict;
mod watchdog;

pub use cancellation::CancellationToken;
pub use corpora::{Converted, export, import, minimise};
pub use handler::learn_handler;
pub use outcomes::{
    Build, Difference, InputKey, InputOutcome, InputOutcomes, InputStatements, StoredInputs, all_outcomes,
    assertion_name, explain_difference, fails_after, outcomes, outcomes_and_statements,
};
pub use partition::Partition;
pub use plan::{ObserverFn, Plan, ReplayMode, RunOptions, SequenceObserver, SuitePlan, plan, suites};
use queue::{SuiteQueue, SuiteTurn};
use watchdog::{Heartbeats, OverrunningCall, Watchdog};

use crate::{
    evm::exec::test_env::ProjectContext,
    model::{Event, RunReport, SourceCoverage, SuiteReport, stuck},
    panics,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, mpsc},
    time::Instant,
};

/// Runs all suites of `plan` on its threads. Finished suites are reported in the plan's order, so that the
/// same seed prints the same text.
pub fn run_plan(
    plan: &Arc<Plan>,
    context: &ProjectContext,
    stop: &CancellationToken,
    emit: &mut dyn FnMut(&Event),
) -> RunReport {
    let start = Instant::now();
    let stop = stop.clone().after(plan.options.budget);
    let shares = threads::allot(plan);
    let threads = plan.options.threads.clamp(1, shares.iter().sum::<usize>().max(1));
    let weights: Vec<usize> = plan.suites.iter().map(SuitePlan::size).collect();
    emit(&Event::Started { suites: plan.suites.len(), threads, time: plan.options.budget });
    let run_state = Arc::new(RunState {
        plan: plan.clone(),
        context: context.clone(),
        stop: stop.clone(),
        queue: SuiteQueue::new(shares, &weights, threads),
        heartbeats: Heartbeats::default(),
    });
    let mut collector = ReportCollector::default();
    let mut watchdog = Watchdog::new(plan, context.project(), run_state.heartbeats.clone(), stop.clone());
    for (index, event) in EventStream::of(&run_state, threads, &mut watchdog) {
        collector.take(index, event, emit);
    }
    let culprit = watchdog.culprit();
    collector.end(plan, culprit, watchdog.warning(), &stop, emit);
    let ReportCollector { done, .. } = collector;
    let covered = match plan.options.sources {
        true => source_coverage::with_all(context.project(), done.covered),
        false => done.covered,
    };
    RunReport {
        stuck: stuck(done.suites.iter().flat_map(|suite| &suite.coverage.stuck), &covered),
        covered,
        suites: done.suites,
        duration: start.elapsed(),
        seed: plan.options.seed,
        interrupted: stop.is_interrupted(),
        overrun: watchdog.has_ended_it(),
        planned: plan.suites.len(),
        known: BTreeSet::new(),
    }
}

/// State shared by all threads. No thread is joined: one that does not end is left behind.
struct RunState {
    plan: Arc<Plan>,
    context: ProjectContext,
    stop: CancellationToken,
    queue: SuiteQueue,
    heartbeats: Heartbeats,
}

/// Events of the threads. They end when all threads end, or when the watchdog gives up on those that do not
/// end.
struct EventStream<'a, 'b> {
    receiver: mpsc::Receiver<(usize, Event)>,
    watchdog: &'a mut Watchdog<'b>,
}

impl<'a, 'b> EventStream<'a, 'b> {
    fn of(run_state: &Arc<RunState>, threads: usize, watchdog: &'a mut Watchdog<'b>) -> Self {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (run_state, sender) = (run_state.clone(), sender.clone());
            std::thread::spawn(move || {
                work(&run_state, &sender);
                // The state goes first, since the end of the events may be the end of the process: what was
                // fetched of a fork is written to disk when its last user is dropped.
                drop(run_state);
                drop(sender);
            });
        }
        Self { receiver, watchdog }
    }
}

impl Iterator for EventStream<'_, '_> {
    type Item = (usize, Event);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.watchdog.gives_up() {
                return None;
            }
            match self.receiver.recv_timeout(watchdog::TICK) {
                Ok(report) => return Some(report),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Reports and failures received so far.
#[derive(Default)]
struct ReportCollector {
    done: OrderedReports,
    /// Failures in suites that have not finished, each as property and reason.
    broken: BTreeMap<usize, Vec<(String, String)>>,
    finished: BTreeSet<usize>,
}

impl ReportCollector {
    fn take(&mut self, index: usize, event: Event, emit: &mut dyn FnMut(&Event)) {
        match event {
            Event::SuiteFinished(report) => {
                self.broken.remove(&index);
                self.finished.insert(index);
                self.done.add(index, report, emit);
            }
            event => {
                if let Event::Broken(failure) = &event {
                    let failed = (failure.property.clone(), failure.reason.clone());
                    self.broken.entry(index).or_default().push(failed);
                }
                emit(&event);
            }
        }
    }

    /// Reports the known failures of suites that did not finish. The call that prevented a suite from
    /// finishing is reported as a failure of it and stored.
    fn end(
        &mut self,
        plan: &Plan,
        culprit: Option<OverrunningCall>,
        warning: Option<String>,
        stop: &CancellationToken,
        emit: &mut dyn FnMut(&Event),
    ) {
        let mut broken = std::mem::take(&mut self.broken);
        let mut warnings: Vec<String> = warning.into_iter().collect();
        if let Some(OverrunningCall { suite: index, call }) = culprit {
            let suite = &plan.suites[index];
            let name = call.name(suite.suite.id());
            // A suite that finished after all has its verdict.
            if stop.is_interrupted() || self.finished.contains(&index) {
                warnings.push(format!("{}: {name} {}", suite.suite.id(), call.reason));
            } else {
                let kept = suite.hung_calls().keep(&call);
                warnings.extend(kept.err().map(|error| error.to_string()));
                broken.entry(index).or_default().push((name, call.reason));
            }
        }
        for (index, broken) in broken {
            let report = Box::new(suite::unfinished(&plan.suites[index], broken));
            self.done.add(index, report, emit);
        }
        self.done.flush(emit);
        if let (Some(suite), false) = (plan.suites.first(), warnings.is_empty()) {
            emit(&Event::Warned { suite: suite.suite.id().clone(), warnings });
        }
    }
}

/// Finished suites, reported in the plan's order.
#[derive(Default)]
struct OrderedReports {
    suites: Vec<SuiteReport>,
    /// Coverage of all of them together.
    covered: SourceCoverage,
    waiting: BTreeMap<usize, Box<SuiteReport>>,
}

impl OrderedReports {
    fn add(&mut self, index: usize, report: Box<SuiteReport>, emit: &mut dyn FnMut(&Event)) {
        self.waiting.insert(index, report);
        while let Some(report) = self.waiting.remove(&self.suites.len()) {
            self.tell(report, emit);
        }
    }

    /// Reports the suites that still wait for suites that never ran.
    fn flush(&mut self, emit: &mut dyn FnMut(&Event)) {
        for report in std::mem::take(&mut self.waiting).into_values() {
            self.tell(report, emit);
        }
    }

    fn tell(&mut self, report: Box<SuiteReport>, emit: &mut dyn FnMut(&Event)) {
        let event = Event::SuiteFinished(report);
        emit(&event);
        if let Event::SuiteFinished(mut report) = event {
            self.covered.add(std::mem::take(&mut report.coverage.sources));
            self.suites.push(*report);
        }
    }
}

fn work(run_state: &RunState, sender: &mpsc::Sender<(usize, Event)>) {
    let RunState { plan, context, stop, queue, heartbeats } = run_state;
    while !stop.is_run_ending() {
        let Some(SuiteTurn { index, threads, share }) = queue.next() else { return };
        let _permit = queue.permits.take(threads);
        let _watched = heartbeats.watch(index);
        let suite = &plan.suites[index];
        // The receiver is gone once the watchdog has given up.
        let mut emit = |event| drop(sender.send((index, event)));
        let stop = &stop.for_share(share);
        // Only the search must end within the suite's share of the time. Other calls may go on until the run
        // is overdue.
        let ends = {
            let stop = run_state.stop.clone();
            Arc::new(move || stop.is_overdue())
        };
        let suite_context =
            suite::SuiteContext { plan, context: &context.ending_when(ends), stop, heartbeats, index };
        let run = || suite::run(suite, threads, suite_context, &mut emit);
        let report = panics::caught_loudly(run).unwrap_or_else(|panic| suite::broken_off(suite, &panic));
        if report.tests.is_empty() && report.findings.is_empty() {
            // The run ended before the suite had any result, so it counts as a suite that was not run.
            if plan.options.replay.is_some() {
                emit(Event::Warned { suite: report.id, warnings: report.warnings });
            }
            continue;
        }
        if plan.options.fail_fast && report.failed() {
            stop.fail();
        }
        emit(Event::SuiteFinished(Box::new(report)));
    }
}
