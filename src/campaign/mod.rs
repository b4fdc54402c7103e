//! Where search and execution meet: suites on threads, budgets, judging, shrinking, persisting.
//!
//! A campaign emits [`Event`]s and never prints.

mod budget;
mod corpora;
mod coverage;
mod hunt;
mod judge;
mod keeper;
mod partition;
mod plan;
mod reverts;
pub mod store;
mod suite;
mod tally;
mod threads;
mod unit_tests;
mod verdict;

pub use corpora::{Converted, export, import, minimise};
pub use partition::Partition;
pub use plan::{Options, Plan, Replay, SuitePlan, Tap, Watcher, plan, suites};
use threads::Slots;

use crate::{
    evm::stage::StageContext,
    model::{CampaignReport, Event, SourceCoverage, SuiteReport, stuck},
    panics,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::Instant,
};

/// A signal to stop: set by Ctrl-C, and by `--fail-fast` after the first failure.
#[derive(Clone, Debug)]
pub struct Stop {
    interrupted: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
    /// Whether the sources are others by now.
    stale: Arc<AtomicBool>,
    /// When the time for the run is up, or for a part of it.
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops when `interrupted` becomes true.
    #[must_use]
    pub fn new(interrupted: Arc<AtomicBool>) -> Self {
        Self { interrupted, failed: Arc::default(), stale: Arc::default(), deadline: None }
    }

    /// Stops when `stale` becomes true as well, which is no interrupt.
    #[must_use]
    pub fn or_when(self, stale: Arc<AtomicBool>) -> Self {
        Self { stale, ..self }
    }

    fn requested(&self) -> bool {
        let flags = [&self.interrupted, &self.failed, &self.stale];
        flags.into_iter().any(|flag| flag.load(Ordering::Relaxed)) || self.is_late()
    }

    /// Whether the time is up.
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The same for the next of `parts` that follow each other: it may take its share of the time that is left.
    fn for_one_of(&self, parts: usize) -> Self {
        let now = Instant::now();
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / parts.max(1) as u32;
        Self { deadline: self.deadline.map(share), ..self.clone() }
    }
}

/// Runs all suites of `plan` on its threads; finished suites are reported in the plan's order, so that
/// the same seed prints the same text.
pub fn run(plan: &Plan, context: &StageContext, stop: &Stop, emit: &mut dyn FnMut(&Event)) -> CampaignReport {
    let start = Instant::now();
    let stop = &Stop { deadline: plan.options.budget.map(|budget| start + budget), ..stop.clone() };
    let shares = threads::allot(plan);
    let threads = plan.options.threads.clamp(1, shares.iter().sum::<usize>().max(1));
    let queue = Queue::new(shares, threads);
    emit(&Event::Started { suites: plan.suites.len(), threads });
    let (sender, receiver) = mpsc::channel::<(usize, Event)>();
    let mut done = Done { suites: Vec::new(), covered: SourceCoverage::default(), waiting: BTreeMap::new() };
    std::thread::scope(|scope| {
        let worker = |sender: mpsc::Sender<_>| {
            let queue = &queue;
            scope.spawn(move || work(plan, context, stop, queue, &sender))
        };
        (0..threads).for_each(|_| drop(worker(sender.clone())));
        drop(sender);
        for (index, event) in receiver {
            match event {
                Event::SuiteFinished(report) => done.add(index, report, emit),
                event => emit(&event),
            }
        }
    });
    done.flush(emit);
    let covered = match plan.options.sources {
        true => coverage::with_all(context.project(), done.covered),
        false => done.covered,
    };
    CampaignReport {
        stuck: stuck(done.suites.iter().flat_map(|suite| &suite.stuck), &covered),
        covered,
        suites: done.suites,
        duration: start.elapsed(),
        seed: plan.options.seed,
        interrupted: stop.interrupted.load(Ordering::Relaxed),
        planned: plan.suites.len(),
        known: BTreeSet::new(),
    }
}

/// Finished suites, told in the plan's order.
struct Done {
    suites: Vec<SuiteReport>,
    /// What they covered together.
    covered: SourceCoverage,
    waiting: BTreeMap<usize, Box<SuiteReport>>,
}

impl Done {
    fn add(&mut self, index: usize, report: Box<SuiteReport>, emit: &mut dyn FnMut(&Event)) {
        self.waiting.insert(index, report);
        while let Some(report) = self.waiting.remove(&self.suites.len()) {
            self.tell(report, emit);
        }
    }

    /// Tells what still waits for suites that were never run.
    fn flush(&mut self, emit: &mut dyn FnMut(&Event)) {
        for report in std::mem::take(&mut self.waiting).into_values() {
            self.tell(report, emit);
        }
    }

    fn tell(&mut self, report: Box<SuiteReport>, emit: &mut dyn FnMut(&Event)) {
        let event = Event::SuiteFinished(report);
        emit(&event);
        if let Event::SuiteFinished(mut report) = event {
            self.covered.add(std::mem::take(&mut report.covered));
            self.suites.push(*report);
        }
    }
}

/// Suites that wait for threads.
struct Queue {
    /// Indices of the suites: those that take most threads first, for they are waited for longest.
    order: Vec<usize>,
    /// Threads of each suite.
    shares: Vec<usize>,
    /// How many of the suites have begun.
    begun: AtomicUsize,
    slots: Slots,
}

impl Queue {
    fn new(shares: Vec<usize>, threads: usize) -> Self {
        let mut order: Vec<usize> = (0..shares.len()).collect();
        order.sort_by_key(|suite| std::cmp::Reverse(shares[*suite]));
        Self { order, shares, begun: AtomicUsize::new(0), slots: Slots::new(threads) }
    }

    /// The next suite, and how many rounds of suites there are until the end, this one included.
    fn next(&self, threads: usize) -> Option<(usize, usize)> {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        let waiting: usize = self.order.get(begun..)?.iter().map(|suite| self.shares[*suite]).sum();
        Some((*self.order.get(begun)?, waiting.div_ceil(threads)))
    }
}

fn work(
    plan: &Plan,
    context: &StageContext,
    stop: &Stop,
    queue: &Queue,
    sender: &mpsc::Sender<(usize, Event)>,
) {
    while !stop.requested() {
        let Some((index, rounds)) = queue.next(plan.options.threads.max(1)) else { return };
        let threads = queue.shares[index];
        let _taken = queue.slots.take(threads);
        let suite = &plan.suites[index];
        // The receiver outlives all workers, so sending cannot fail.
        let mut emit = |event| drop(sender.send((index, event)));
        let stop = &stop.for_one_of(rounds);
        let run = || suite::run(suite, threads, plan, context, stop, &mut emit);
        let report = panics::told(run).unwrap_or_else(|panic| suite::broken_off(suite, &panic));
        if report.tests.is_empty() && report.findings.is_empty() {
            // The end came before anything was known of it: it counts as a suite that was not run.
            if plan.options.replay.is_some() {
                emit(Event::Warned { suite: report.id, warnings: report.warnings });
            }
            continue;
        }
        if plan.options.fail_fast && report.failed() {
            stop.failed.store(true, Ordering::Relaxed);
        }
        emit(Event::SuiteFinished(Box::new(report)));
    }
}
