//! What a campaign ends with: one report per suite, in Forge's terms.

use crate::model::{
    coverage::{Looked, SourceCounts, SourceCoverage, Stuck},
    finding::{Counterexample, Finding},
    observation::Gas,
    place::Place,
    scan::Scene,
    target::{ContractId, PropertyKind},
    trace::{Trace, TraceKind},
};
use alloy_primitives::{Address, I256, U256};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
    sync::Arc,
    time::Duration,
};

/// Verdict of one test function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds as far as it was tested.
    Success,
    /// It failed.
    Failure,
    /// `vm.skip`.
    Skipped,
}

/// Calls of one function of one contract during a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallMetrics {
    /// Calls made, discarded ones not counted.
    pub calls: u64,
    /// Calls that reverted.
    pub reverts: u64,
    /// Calls that `vm.assume` rejected.
    pub discards: u64,
}

/// Gas of several runs of one test, without what their transactions cost before any code runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GasOfRuns {
    /// How many.
    pub runs: u64,
    /// The mean.
    pub mean: u64,
    /// The median.
    pub median: u64,
}

impl GasOfRuns {
    /// The figures of these runs.
    #[must_use]
    pub fn new(runs: &[Gas]) -> Self {
        let mut gas: Vec<u64> = runs.iter().map(|gas| gas.of_code()).collect();
        gas.sort_unstable();
        let middle = gas.len() / 2;
        let median = match gas.len() {
            0 => 0,
            even if even % 2 == 0 => gas[middle - 1].midpoint(gas[middle]),
            _ => gas[middle],
        };
        let sum: u128 = gas.iter().map(|gas| u128::from(*gas)).sum();
        let mean = (sum / gas.len().max(1) as u128) as u64;
        Self { runs: gas.len() as u64, mean, median }
    }
}

/// The numbers that follow a test's name, by kind of test.
#[derive(Clone, Debug)]
pub enum TestKind {
    /// A unit test, `setUp()`, `constructor()` and other plain calls.
    Unit {
        /// Gas used.
        gas: u64,
    },
    /// A fuzz test.
    Fuzz {
        /// Gas of the first run.
        first: Gas,
        /// Gas of all runs but that which failed.
        runs: GasOfRuns,
    },
    /// A table test.
    Table {
        /// Gas of all rows that ran.
        runs: GasOfRuns,
    },
    /// An invariant, with the figures of the shared campaign when it ended or when this one failed.
    Invariant {
        /// Runs completed.
        runs: u64,
        /// Calls made.
        calls: u64,
        /// Calls reverted.
        reverts: u64,
        /// Key `path:Name.function`; empty without `show_metrics`, as in Forge.
        metrics: BTreeMap<String, CallMetrics>,
        /// Largest value, for an optimization.
        best: Option<I256>,
    },
}

impl TestKind {
    /// Whether a counterexample is one call of the test itself.
    #[must_use]
    pub fn is_of_one_call(&self) -> bool {
        !matches!(self, Self::Invariant { .. })
    }
}

/// Result of one test function.
#[derive(Clone, Debug)]
pub struct TestReport {
    /// `invariant_x()`.
    pub signature: String,
    /// Verdict.
    pub status: Status,
    /// Why it failed or was skipped.
    pub reason: Option<String>,
    /// The sequence that breaks it (or the best one of an optimization).
    pub counterexample: Option<Counterexample>,
    /// Numbers.
    pub kind: TestKind,
    /// `console.log` and DSTest log lines of setUp and of the replay.
    pub logs: Vec<String>,
    /// Traces: deployment, setUp, one per call of the sequence, then the property.
    pub traces: Vec<(TraceKind, Trace)>,
    /// Labels given with `vm.label`, and the built-in ones.
    pub labels: BTreeMap<Address, String>,
    /// Time spent on it.
    pub duration: Duration,
    /// Its kind, where it is a property of Echidna's or Medusa's, which Forge does not know.
    pub echidna_style: Option<PropertyKind>,
    /// Whether it is a revert of the last call that broke it (`fail_on_revert`).
    pub by_revert: bool,
    /// Whether the contract has an `afterInvariant`, which Forge calls behind the invariant.
    pub after_invariant: bool,
    /// Whether a persisted failure was replayed instead of a campaign.
    pub replayed: bool,
    /// Whether its sequence is shown as Solidity (`show_solidity`).
    pub show_solidity: bool,
    /// Settings in the comments of its function under which its calls ran, as they were written there.
    pub comments: Vec<String>,
    /// Path of the file in Forge's format that replays it, relative to the root.
    pub forge_file: Option<String>,
    /// Why Forge's replay format cannot express the counterexample, when it cannot.
    pub unforgeable: Option<String>,
    /// When it was broken.
    pub found: Option<Found>,
    /// Where its function is declared, or else its contract.
    pub place: Option<Place>,
}

impl TestReport {
    /// The report of a plain call, with nothing beside its verdict.
    #[must_use]
    pub fn new(signature: impl Into<String>, status: Status) -> Self {
        Self {
            signature: signature.into(),
            status,
            reason: None,
            counterexample: None,
            kind: TestKind::Unit { gas: 0 },
            logs: Vec::new(),
            traces: Vec::new(),
            labels: BTreeMap::new(),
            duration: Duration::ZERO,
            echidna_style: None,
            by_revert: false,
            after_invariant: false,
            replayed: false,
            show_solidity: false,
            comments: Vec::new(),
            forge_file: None,
            unforgeable: None,
            found: None,
            place: None,
        }
    }
}

/// Figures of one campaign.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Target calls made, discarded ones included.
    pub calls: u64,
    /// All top-level EVM transactions after `setUp`: target calls, property calls, and whatever was run again
    /// to confirm, shrink or show.
    pub executions: u64,
    /// Distinct path ids seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
    /// What predictions came to.
    pub predictions: Predictions,
    /// Those of them that were for branches of properties.
    pub property_predictions: Predictions,
    /// Sequences in the test suite at the end, and the calls in them.
    pub kept: (u64, u64),
    /// What each operator of the search cost and earned.
    pub origins: Vec<OriginStats>,
    /// How coverage grew.
    pub coverage: Vec<CoveragePoint>,
    /// What was called, ordered by name.
    pub functions: Vec<FunctionStats>,
}

/// Calls of one function during a campaign, and why they reverted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionStats {
    /// `path:Name.function`.
    pub name: String,
    /// How often it was called.
    pub metrics: CallMetrics,
    /// Reasons of reverts, the most frequent first, with how often they were given. Arguments of custom errors are not
    /// told apart.
    pub reasons: Vec<(String, u64)>,
}

impl Stats {
    /// Adds what was called in another campaign.
    pub fn add_function(&mut self, more: FunctionStats) {
        match self.functions.binary_search_by(|known| known.name.cmp(&more.name)) {
            Ok(index) => self.functions[index].add(more),
            Err(index) => self.functions.insert(index, more),
        }
    }
}

impl FunctionStats {
    fn add(&mut self, more: Self) {
        self.metrics.calls += more.metrics.calls;
        self.metrics.reverts += more.metrics.reverts;
        self.metrics.discards += more.metrics.discards;
        for (reason, times) in more.reasons {
            match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, known)) => *known += times,
                None => self.reasons.push((reason, times)),
            }
        }
        self.reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    }

    /// `Name.function`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(&self.name)
    }
}

/// What predictions came to: those of the Secant method (Harvey section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predictions {
    /// Branches that were tried to be flipped.
    pub tried: u64,
    /// Those that the first value flipped.
    pub one_shot: u64,
    /// Those that a later value flipped.
    pub iterated: u64,
    /// Those whose first value led elsewhere, so that the branch was not reached.
    pub unreached: u64,
    /// Those whose first value came no nearer than the execution that it was predicted from.
    pub no_nearer: u64,
}

impl AddAssign for Predictions {
    fn add_assign(&mut self, more: Self) {
        self.tried += more.tried;
        self.one_shot += more.one_shot;
        self.iterated += more.iterated;
        self.unreached += more.unreached;
        self.no_nearer += more.no_nearer;
    }
}

/// What an operator of the search cost and earned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OriginStats {
    /// The technique that it belongs to.
    pub technique: &'static str,
    /// Its name.
    pub operator: &'static str,
    /// Sequences run.
    pub sequences: u64,
    /// Transactions executed: calls and properties.
    pub executions: u64,
    /// Work of the EVM and what else is counted, by which the budget is shared.
    pub cost: u64,
    /// CPU time.
    pub cpu: Duration,
    /// Edges covered for the first time.
    pub edges: u64,
    /// Classes of values that nothing had read before.
    pub values: u64,
    /// Just-missed branches that came nearer, and better values of optimizations.
    pub nearer: u64,
    /// Paths taken for the first time.
    pub paths: u64,
    /// Failures found.
    pub findings: u64,
}

impl OriginStats {
    /// Adds what the same operator did elsewhere.
    pub fn add(&mut self, more: Self) {
        self.sequences += more.sequences;
        self.executions += more.executions;
        self.cost += more.cost;
        self.cpu += more.cpu;
        self.edges += more.edges;
        self.values += more.values;
        self.nearer += more.nearer;
        self.paths += more.paths;
        self.findings += more.findings;
    }
}

/// What was covered at one time of a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoveragePoint {
    /// Executions of the search.
    pub executions: u64,
    /// Seconds since the campaign began.
    pub seconds: f64,
    /// Distinct path ids seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
}

/// When something was found, and by what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Target calls made until then.
    pub calls: u64,
    /// Executions of the search until then: those that confirmed and shrank earlier findings are not counted.
    pub executions: u64,
    /// Seconds since the campaign began.
    pub seconds: f64,
    /// CPU seconds of the campaign's threads since then.
    pub cpu_seconds: f64,
    /// What made the sequence: an operator of the search, or `replay` for a failure of an earlier run.
    pub operator: &'static str,
}

/// Result of one test contract.
#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Which contract.
    pub id: ContractId,
    /// Results ordered by signature.
    pub tests: Vec<TestReport>,
    /// Failed assert properties.
    pub findings: Vec<Finding>,
    /// Settings in the comments of the contract, as they were written there.
    pub comments: Vec<String>,
    /// Warnings, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
    /// Wall-clock time.
    pub duration: Duration,
    /// CPU time of the thread that ran it.
    pub cpu: Duration,
    /// Campaign figures; zero when none ran.
    pub stats: Stats,
    /// What its campaigns covered of the sources; what all suites covered is kept once, so that this is taken from it when
    /// it was told.
    pub covered: SourceCoverage,
    /// How much that was, by path.
    pub sources: BTreeMap<Arc<str>, SourceCounts>,
    /// How much was looked at for it.
    pub looked: Looked,
    /// What its campaigns are stuck on.
    pub stuck: Vec<Stuck>,
    /// What stood before the first call, of a contract that was called without a test contract.
    pub scene: Option<Scene>,
    /// Whether a bug of ours ended it.
    pub panicked: bool,
}

/// Result of the whole command.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Suites in the order they finished.
    pub suites: Vec<SuiteReport>,
    /// Wall-clock time of the tests, compilation not included.
    pub duration: Duration,
    /// The seed that reproduces the run.
    pub seed: U256,
    /// Whether Ctrl-C or a termination signal ended it early.
    pub interrupted: bool,
    /// Whether a call that did not answer, or too little memory, ended it early.
    pub overrun: bool,
    /// Suites that were to run.
    pub planned: usize,
    /// Ids of failures that were known before (`--baseline`).
    pub known: BTreeSet<String>,
    /// What all campaigns covered of the sources; contracts that nothing ran are in it, where a report shows sources.
    pub covered: SourceCoverage,
    /// Branches that no campaign passed, those first that most code is behind.
    pub stuck: Vec<Stuck>,
}

impl SuiteReport {
    /// The report of a suite of which nothing ran yet.
    #[must_use]
    pub fn new(id: ContractId) -> Self {
        Self {
            id,
            tests: Vec::new(),
            findings: Vec::new(),
            comments: Vec::new(),
            warnings: Vec::new(),
            duration: Duration::ZERO,
            cpu: Duration::ZERO,
            stats: Stats::default(),
            covered: SourceCoverage::default(),
            sources: BTreeMap::new(),
            looked: Looked::default(),
            stuck: Vec::new(),
            scene: None,
            panicked: false,
        }
    }

    /// Number of tests with the given status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.tests.iter().filter(|test| test.status == status).count()
    }

    /// Whether any test failed or any assert property was broken.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.count(Status::Failure) > 0 || !self.findings.is_empty()
    }
}
