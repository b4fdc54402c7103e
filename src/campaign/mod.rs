//! Where search and execution meet: suites on threads, budgets, judging, shrinking, persisting.
//!
//! A campaign emits [`Event`]s and never prints.

mod budget;
mod hunt;
mod judge;
mod keeper;
mod plan;
pub mod store;
mod suite;
mod tally;
mod verdict;

pub use plan::{Options, Plan, SuitePlan, plan, suites};

use crate::{
    evm::stage::StageContext,
    model::{CampaignReport, Event, SuiteReport},
};
use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::Instant,
};

/// A signal to stop: set by Ctrl-C, and by `--fail-fast` after the first failure.
#[derive(Debug)]
pub struct Stop<'a> {
    interrupted: &'a AtomicBool,
    failed: AtomicBool,
}

impl<'a> Stop<'a> {
    /// Stops when `interrupted` becomes true.
    #[must_use]
    pub fn new(interrupted: &'a AtomicBool) -> Self {
        Self { interrupted, failed: AtomicBool::new(false) }
    }

    fn requested(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }
}

/// Runs all suites of `plan` on its threads; finished suites are reported in the plan's order, so that
/// the same seed prints the same text.
pub fn run(
    plan: &Plan,
    context: &StageContext,
    stop: &Stop<'_>,
    emit: &mut dyn FnMut(Event),
) -> CampaignReport {
    let start = Instant::now();
    let threads = plan.options.threads.clamp(1, plan.suites.len().max(1));
    emit(Event::Started { suites: plan.suites.len(), threads });
    let (sender, receiver) = mpsc::channel::<(usize, Event)>();
    let next = AtomicUsize::new(0);
    let mut suites = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(plan, context, stop, next, &sender));
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Box<SuiteReport>> = BTreeMap::new();
        for (index, event) in receiver {
            match event {
                Event::SuiteFinished(report) => {
                    waiting.insert(index, report);
                    while let Some(report) = waiting.remove(&suites.len()) {
                        emit(Event::SuiteFinished(report.clone()));
                        suites.push(*report);
                    }
                }
                event => emit(event),
            }
        }
    });
    CampaignReport {
        suites,
        duration: start.elapsed(),
        seed: plan.options.seed,
        interrupted: stop.interrupted.load(Ordering::Relaxed),
    }
}

fn work(
    plan: &Plan,
    context: &StageContext,
    stop: &Stop<'_>,
    next: &AtomicUsize,
    sender: &mpsc::Sender<(usize, Event)>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(suite) = plan.suites.get(index) else { return };
        // The receiver outlives all workers, so sending cannot fail.
        let mut emit = |event| drop(sender.send((index, event)));
        let report = suite::run(suite, plan, context, stop, &mut emit);
        if plan.options.fail_fast && report.failed() {
            stop.failed.store(true, Ordering::Relaxed);
        }
        emit(Event::SuiteFinished(Box::new(report)));
    }
}
