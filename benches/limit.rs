//! How near campaigns come to the limit: each suite's search, and then its sequences by revm's own instructions with
//! nothing around them. Both in one run, so that their ratio says something on any machine.
//!
//!     cargo bench --bench limit [-- REGEX] [CALLS]

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
    model::Sequence,
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

    fn bare(&self, contract: &str, runs: &[(Sequence, usize)]) -> Result<Rate, Box<dyn Error>> {
        let plan = self.plan(contract, None)?;
        let suite = plan.suites.first().ok_or("no such suite")?;
        let context = StageContext::new(self.project.clone(), Default::default(), U256::from(7));
        let stage = Stage::build(&context, &suite.config, &suite.suite).map_err(|failure| failure.reason)?;
        let mut bare = Bare::new(Arc::new(stage));
        let start = ThreadTime::now();
        let transactions = runs.iter().map(|(sequence, from)| bare.run(sequence, *from)).sum();
        Ok(Rate { transactions, seconds: start.elapsed().as_secs_f64() })
    }

    fn compare(&self, contract: &str) -> Result<[Rate; 2], Box<dyn Error>> {
        let search = self.search(contract, None)?;
        let runs = Arc::new(Mutex::new(Vec::new()));
        let recorded = runs.clone();
        let tap = Tap(Arc::new(move |sequence: &Sequence, from| {
            recorded.lock().expect("one thread").push((sequence.clone(), from));
        }));
        self.search(contract, Some(tap))?;
        let runs = runs.lock().expect("one thread");
        Ok([search, self.bare(contract, &runs)?])
    }
}

/// The line of a suite, and its ratio.
fn row(bench: &Bench, contract: &str) -> Result<f64, Box<dyn Error>> {
    let [search, bare] = bench.compare(contract)?;
    let (transactions, search, bare) = (search.transactions, search.per_second(), bare.per_second());
    let ratio = search / bare;
    println!("| {contract} | {transactions} | {search:.0} | {bare:.0} | {ratio:.2} |");
    Ok(ratio)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let wanted = regex::Regex::new(args.next().as_deref().unwrap_or("Test$"))?;
    let bench = Bench::load(args.next().map_or(Ok(CALLS), |calls| calls.parse())?)?;
    println!("| suite | transactions | per CPU second | limit | ratio |");
    println!("| --- | --- | --- | --- | --- |");
    let mut ratios = Vec::new();
    for suite in bench.project.suites() {
        let contract = suite.contract.bare_name();
        let is_wanted = suite.id().path.starts_with("testdata/suites/") && wanted.is_match(contract);
        if is_wanted && !suite.properties.is_empty() {
            ratios.push(row(&bench, contract)?);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let [least, ..] = ratios[..] else { return Err(format!("no suite matches {wanted}").into()) };
    println!("\nratio: median {:.2}, least {least:.2}", ratios[ratios.len() / 2]);
    Ok(())
}
