//! How near campaigns come to the limit: each suite's search, and then its transactions by revm's own instructions with
//! nothing around them. Both in one run, so that their ratio says something on any machine.
//!
//!     cargo bench --bench limit [-- REGEX] [CALLS]
//!
//! `ratio` compares the rates at which the same transactions are run. Calls that sequences share and properties of which
//! nothing changed are run by neither side, though the search pays for knowing them. `whole` compares the times when the
//! other side runs these too, as it would have to without that knowledge.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table is what it is run for")]

use alloy_primitives::U256;
use cpu_time::ThreadTime;
use forge_harvey::{
    campaign::{self, Options, Plan, Stop, Tap},
    config::{self, Filter, Loaded},
    evm::{
        bare::Bare,
        stage::{Stage, StageContext},
    },
    model::{Observation, Transaction},
    project::{self, Project},
};
use std::{
    error::Error,
    path::Path,
    sync::{Arc, Mutex},
};
use tempfile::TempDir;

const SUITES: &str = "testdata/suites/**";
const CALLS: u32 = 20_000;
/// Long enough that walks and directed sequences both occur, and as in `testdata/suites`.
const DEPTH: u32 = 20;

/// Transactions and the CPU time of the thread that ran them.
struct Rate {
    transactions: u64,
    seconds: f64,
}

impl Rate {
    fn per_second(&self) -> f64 {
        self.transactions as f64 / self.seconds
    }
}

/// A sequence that a search ran.
struct Ran {
    calls: Vec<Transaction>,
    /// How many of the calls were known.
    resumed: usize,
    /// After which call, which property, and whether what it said was known.
    properties: Vec<(usize, usize, bool)>,
}

impl Ran {
    fn new(sequence: &[Transaction], seen: &Observation) -> Self {
        let calls = sequence[..seen.steps.len()].to_vec();
        let properties = seen.properties.iter().map(|run| (run.step, run.property, run.recalled)).collect();
        Self { calls, resumed: seen.resumed, properties }
    }

    fn properties(&self, known: bool) -> impl Iterator<Item = (usize, usize)> {
        let wanted = self.properties.iter().filter(move |(_, _, recalled)| known || !recalled);
        wanted.map(|(call, property, _)| (*call, *property))
    }
}

struct Bench {
    loaded: Loaded,
    project: Arc<Project>,
    /// Where campaigns leave their failures; gone at the end.
    _scratch: TempDir,
}

impl Bench {
    fn load(calls: u32) -> Result<Self, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut loaded =
            config::load(root, &Default::default(), &Default::default(), &project::find_remappings)?;
        loaded.config.invariant.runs = calls / DEPTH;
        loaded.config.invariant.depth = DEPTH;
        loaded.config.invariant.shrink_run_limit = 0;
        let scratch = tempfile::tempdir()?;
        loaded.config.invariant.failure_persist_dir = scratch.path().to_owned();
        let project = Arc::new(Project::load(&loaded.config, &mut |event| eprintln!("{event}"))?);
        loaded.config.paths.cache = scratch.path().to_owned();
        Ok(Self { loaded, project, _scratch: scratch })
    }

    /// The plan of one suite.
    fn plan(&self, contract: &str, tap: Option<Tap>) -> Result<Plan, Box<dyn Error>> {
        let mut patterns = self.loaded.config.filter.clone();
        patterns.contract = Some(format!("^{contract}$"));
        patterns.path = Some(SUITES.to_owned());
        let filter = Filter::new(&patterns, &self.loaded.config.paths.root)?;
        let options = Options { seed: U256::from(7), threads: 1, fail_fast: false, verbosity: 0, tap };
        let suites = campaign::suites(&self.project, &filter, false);
        Ok(campaign::plan(&self.project, &self.loaded, suites, options)?)
    }

    fn search(&self, contract: &str, tap: Option<Tap>) -> Result<Rate, Box<dyn Error>> {
        let plan = self.plan(contract, tap)?;
        let context = StageContext::new(self.project.clone(), Default::default(), U256::from(7));
        let report = campaign::run(&plan, &context, &Stop::new(Arc::default()), &mut |_| {});
        let suite = report.suites.first().ok_or("no such suite")?;
        Ok(Rate { transactions: suite.stats.executions, seconds: suite.cpu.as_secs_f64() })
    }

    /// What the transactions of `runs` take with nothing around them: those that the search ran, and all.
    fn bare(&self, contract: &str, runs: &[Ran]) -> Result<[Rate; 2], Box<dyn Error>> {
        let plan = self.plan(contract, None)?;
        let suite = plan.suites.first().ok_or("no such suite")?;
        let context = StageContext::new(self.project.clone(), Default::default(), U256::from(7));
        let stage = Stage::build(&context, &suite.config, &suite.suite).map_err(|failure| failure.reason)?;
        let mut bare = Bare::new(Arc::new(stage));
        let mut rate = |run: &dyn Fn(&mut Bare, &Ran) -> u64| {
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

    /// The search, its transactions in the bare loop, and with them those that it knew.
    fn compare(&self, contract: &str) -> Result<[Rate; 3], Box<dyn Error>> {
        let search = self.search(contract, None)?;
        let runs = Arc::new(Mutex::new(Vec::new()));
        let recorded = runs.clone();
        let tap = Tap(Arc::new(move |sequence: &Vec<Transaction>, seen: &Observation| {
            recorded.lock().expect("one thread").push(Ran::new(sequence, seen));
        }));
        self.search(contract, Some(tap))?;
        let runs = runs.lock().expect("one thread");
        let [same, all] = self.bare(contract, &runs)?;
        Ok([search, same, all])
    }
}

/// The line of a suite, and its ratios.
fn row(bench: &Bench, contract: &str) -> Result<[f64; 2], Box<dyn Error>> {
    let [search, same, all] = bench.compare(contract)?;
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
    let bench = Bench::load(args.next().map_or(Ok(CALLS), |calls| calls.parse())?)?;
    println!("| suite | transactions | per CPU second | limit | ratio | with known ones | whole |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut ratios = [Vec::new(), Vec::new()];
    for suite in bench.project.suites() {
        let contract = suite.contract.bare_name();
        let is_wanted = suite.id().path.starts_with("testdata/suites/") && wanted.is_match(contract);
        if is_wanted && !suite.properties.is_empty() {
            ratios.iter_mut().zip(row(&bench, contract)?).for_each(|(all, ratio)| all.push(ratio));
        }
    }
    if ratios[0].is_empty() {
        return Err(format!("no suite matches {wanted}").into());
    }
    let [ratio, whole] = ratios.map(summary);
    println!("\nratio: {ratio}; whole: {whole}");
    Ok(())
}
