//! How near campaigns come to the limit: each suite's search, and then its transactions by revm's own instructions with
//! nothing around them. Both in one run, so that their ratio says something on any machine.
//!
//!     cargo bench --bench limit [-- REGEX] [CALLS]
//!
//! `ratio` compares the rates at which the same transactions are run. Calls that sequences share and properties of which
//! nothing changed are run by neither side, though the search pays for knowing them. `whole` compares the times when the
//! other side runs these too, as it would have to without that knowledge.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table is what it is run for")]

mod support;

use cpu_time::ThreadTime;
use forge_harvey::{
    campaign::{self, CancellationToken, SequenceObserver},
    evm::exec::bare::BareExecutor,
    model::{Observation, Transaction},
};
use std::{
    error::Error,
    sync::{Arc, Mutex},
};
use support::{SUITES, Suites};

const CALLS: u32 = 20_000;
/// Times that each side runs: other work on the machine makes single figures worthless.
const TURNS: usize = 3;
/// Long enough that random and directed sequences both occur, and as in `testdata/suites`.
const DEPTH: u32 = 20;

/// Transactions and the CPU time of the thread that ran them.
#[derive(Clone, Copy)]
struct Rate {
    transactions: u64,
    seconds: f64,
}

impl Rate {
    fn per_second(&self) -> f64 {
        self.transactions as f64 / self.seconds
    }

    fn faster(self, other: Self) -> Self {
        if other.seconds < self.seconds { other } else { self }
    }
}

/// A sequence that a search ran.
struct Execution {
    calls: Vec<Transaction>,
    /// How many of the calls were known.
    resumed: usize,
    /// After which call, which property, and whether what it said was known.
    properties: Vec<(usize, usize, bool)>,
}

impl Execution {
    fn new(sequence: &[Transaction], seen: &Observation) -> Self {
        let calls = sequence[..seen.steps.len()].to_vec();
        let properties = seen.properties.iter().map(|run| (run.step, run.property, run.recalled)).collect();
        Self { calls, resumed: seen.work.resumed, properties }
    }

    fn properties(&self, known: bool) -> impl Iterator<Item = (usize, usize)> {
        let wanted = self.properties.iter().filter(move |(_, _, recalled)| known || !recalled);
        wanted.map(|(call, property, _)| (*call, *property))
    }
}

/// A suite in the search and in the bare loop.
struct Pair<'a> {
    suites: &'a Suites,
    contract: &'a str,
}

impl Pair<'_> {
    fn search(&self, tap: Option<SequenceObserver>) -> Result<Rate, Box<dyn Error>> {
        let plan = self.suites.plan(self.contract, tap)?;
        let report = campaign::run_plan(
            &Arc::new(plan),
            &self.suites.context(),
            &CancellationToken::new(Arc::default()),
            &mut |_| {},
        );
        let suite = report.suites.first().ok_or("no such suite")?;
        Ok(Rate { transactions: suite.stats.executions, seconds: suite.cpu.as_secs_f64() })
    }

    /// What the transactions of `runs` take with nothing around them: those that the search ran, and all.
    fn bare(&self, runs: &[Execution]) -> Result<[Rate; 2], Box<dyn Error>> {
        let mut bare = BareExecutor::new(self.suites.test_env(self.contract)?);
        let mut rate = |run: &dyn Fn(&mut BareExecutor, &Execution) -> u64| {
            let start = ThreadTime::now();
            let transactions = runs.iter().map(|ran| run(&mut bare, ran)).sum();
            Rate { transactions, seconds: start.elapsed().as_secs_f64() }
        };
        let known = rate(&|bare, ran| bare.run(&ran.calls[..ran.resumed], [].into_iter()));
        let both = rate(&|bare, ran| bare.run(&ran.calls, ran.properties(false)));
        let all = rate(&|bare, ran| bare.run(&ran.calls, ran.properties(true)));
        let (transactions, seconds) = (both.transactions - known.transactions, both.seconds - known.seconds);
        Ok([Rate { transactions, seconds }, all])
    }

    /// The search, its transactions in the bare loop, and with them those that it knew; of several turns, the fastest.
    fn compare(&self) -> Result<[Rate; 3], Box<dyn Error>> {
        let runs = Arc::new(Mutex::new(Vec::new()));
        let recorded = runs.clone();
        let tap = SequenceObserver(Arc::new(move |sequence: &Vec<Transaction>, seen: &Observation| {
            recorded.lock().expect("one thread").push(Execution::new(sequence, seen));
        }));
        self.search(Some(tap))?;
        let runs = runs.lock().expect("one thread");
        let mut best: Option<[Rate; 3]> = None;
        for _ in 0..TURNS {
            let search = self.search(None)?;
            let [same, all] = self.bare(&runs)?;
            let turn = [search, same, all];
            best = Some(match best {
                None => turn,
                Some(best) => std::array::from_fn(|side| best[side].faster(turn[side])),
            });
        }
        Ok(best.expect("a turn"))
    }
}

/// The line of a suite, and its ratios.
fn row(suites: &Suites, contract: &str) -> Result<[f64; 2], Box<dyn Error>> {
    let [search, same, all] = Pair { suites, contract }.compare()?;
    let ratios = [search.per_second() / same.per_second(), all.seconds / search.seconds];
    println!(
        "| {contract} | {} | {:.0} | {:.0} | {:.2} | {} | {:.2} |",
        search.transactions,
        search.per_second(),
        same.per_second(),
        ratios[0],
        all.transactions,
        ratios[1],
    );
    Ok(ratios)
}

/// Median and least.
fn summary(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    format!("median {:.2}, least {:.2}", ratios[ratios.len() / 2], ratios[0])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let wanted = regex::Regex::new(args.next().as_deref().unwrap_or("Test$"))?;
    let suites = Suites::load(args.next().map_or(Ok(CALLS), |calls| calls.parse())?, DEPTH)?;
    println!("| suite | transactions | per CPU second | limit | ratio | with known ones | whole |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut ratios = [Vec::new(), Vec::new()];
    for suite in suites.project.suites() {
        let contract = suite.contract.bare_name();
        let is_wanted = suite.id().path.starts_with(SUITES) && wanted.is_match(contract);
        if is_wanted && !suite.properties.is_empty() {
            ratios.iter_mut().zip(row(&suites, contract)?).for_each(|(all, ratio)| all.push(ratio));
        }
    }
    if ratios[0].is_empty() {
        return Err(format!("no suite matches {wanted}").into());
    }
    let [ratio, whole] = ratios.map(summary);
    println!("\nratio: {ratio}; whole: {whole}");
    Ok(())
}
