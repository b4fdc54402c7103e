//! What single runs cost, as the search makes them.
//!
//!     cargo bench --bench steps
//!
//! `one_call` runs a call from the state after `setUp`; `last_of_a_hundred` runs it after the first 99 of a sequence that is
//! known, the making of the sequence included; `untracked` is `one_call` without costs. All evaluate the properties.

mod support;

use divan::Bencher;
use forge_harvey::{
    campaign::{self, CancellationToken, SequenceObserver},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{Executor as _, Observation, Outcome, Probing, Sequence, Transaction, executor::Checks},
};
use std::{
    iter::Cycle,
    sync::{Arc, Mutex, OnceLock},
    vec::IntoIter,
};
use support::Suites;

/// One with small calls, one with long ones, one with many reverts.
const CONTRACTS: [&str; 3] = ["EnglishAuctionTest", "LendingMarketTest", "PairTest"];
const DEPTH: u32 = 100;
/// Calls that take turns as the last one.
const LASTS: usize = 500;

fn main() {
    divan::main();
}

/// A suite with calls that a search of it made.
struct Case {
    test_env: Arc<TestEnv>,
    /// 99 calls, none of which reverts.
    first: Sequence,
    lasts: Vec<Transaction>,
}

impl Case {
    fn new(contract: &str) -> Self {
        static SUITES: OnceLock<Suites> = OnceLock::new();
        let suites = SUITES.get_or_init(|| Suites::load(20_000, DEPTH).expect("the suites compile"));
        let calls = Arc::new(Mutex::new(Vec::new()));
        let made = calls.clone();
        let tap = SequenceObserver(Arc::new(move |sequence: &Sequence, seen: &Observation| {
            let good = seen.steps.iter().map(|step| step.outcome == Outcome::Success);
            let calls = sequence.iter().zip(good).filter(|(_, good)| *good).map(|(call, _)| call.clone());
            made.lock().expect("one thread").extend(calls);
        }));
        let plan = suites.plan(contract, Some(tap)).expect("a suite");
        campaign::run_plan(
            &Arc::new(plan),
            &suites.context(),
            &CancellationToken::new(Arc::default()),
            &mut |_| {},
        );
        let mut lasts = std::mem::take(&mut *calls.lock().expect("one thread"));
        let test_env = suites.test_env(contract).expect("it was set up before");
        let first = Self::first(&test_env, lasts.split_off(lasts.len() / 2));
        lasts.dedup();
        lasts.truncate(LASTS);
        Self { test_env, first, lasts }
    }

    /// The first 99 of these calls that do not revert after those before them.
    fn first(test_env: &Arc<TestEnv>, calls: Vec<Transaction>) -> Sequence {
        let mut executor = EvmExecutor::new(test_env.clone());
        let mut first = Sequence::new();
        for call in calls {
            first.push(call);
            let seen = executor.run(&first, &checks(test_env, first.len() - 1), &Probing::default());
            if seen.steps.last().is_none_or(|step| step.outcome != Outcome::Success) {
                first.pop();
            }
            if first.len() + 1 == DEPTH as usize {
                return first;
            }
        }
        panic!("too few calls succeed");
    }

    fn lasts(&self) -> Cycle<IntoIter<Transaction>> {
        self.lasts.clone().into_iter().cycle()
    }

    /// An executor that searches.
    fn executor(&self) -> EvmExecutor {
        let mut executor = EvmExecutor::new(self.test_env.clone());
        executor.begin_search(Arc::new(|| false), true);
        executor
    }
}

fn checks(test_env: &TestEnv, from: usize) -> Checks {
    Checks {
        properties: (0..test_env.suite.properties.len()).collect(),
        interval: 1,
        fail_on_revert: false,
        after_invariant: false,
        depth: DEPTH,
        full_runs_only: true,
        from,
    }
}

/// Calls from the state after `setUp`, one a run.
fn single(bencher: Bencher<'_, '_>, contract: &str, probing: &Probing) {
    let case = Case::new(contract);
    let (mut executor, mut lasts, checks) = (case.executor(), case.lasts(), checks(&case.test_env, 0));
    bencher.bench_local(|| {
        let sequence: Sequence = lasts.next().into_iter().collect();
        executor.run(&sequence, &checks, probing)
    });
}

#[divan::bench(args = CONTRACTS, sample_count = 4000)]
fn one_call(bencher: Bencher<'_, '_>, contract: &str) {
    single(bencher, contract, &Probing::traced());
}

#[divan::bench(args = CONTRACTS, sample_count = 4000)]
fn untracked(bencher: Bencher<'_, '_>, contract: &str) {
    single(bencher, contract, &Probing::default());
}

#[divan::bench(args = CONTRACTS, sample_count = 4000)]
fn last_of_a_hundred(bencher: Bencher<'_, '_>, contract: &str) {
    let case = Case::new(contract);
    let (mut executor, mut lasts) = (case.executor(), case.lasts());
    let checks = checks(&case.test_env, case.first.len());
    bencher.bench_local(|| {
        let mut sequence = case.first.clone();
        sequence.extend(lasts.next());
        executor.run(&sequence, &checks, &Probing::traced())
    });
}
