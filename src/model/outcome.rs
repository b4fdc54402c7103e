//! Results of a campaign: one report per suite, in Forge's terms.

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
    /// It skipped itself (`vm.skip`).
    Skipped,
}

/// Calls of one function of one contract during a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallMetrics {
    /// Calls made, without discarded ones.
    pub calls: u64,
    /// Calls that reverted.
    pub reverts: u64,
    /// Calls that `vm.assume` rejected.
    pub discards: u64,
}

/// Gas of several runs of one test, without the cost of their transactions before any code runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GasOfRuns {
    /// Number of runs.
    pub runs: u64,
    /// Mean gas.
    pub mean: u64,
    /// Median gas.
    pub median: u64,
}

impl GasOfRuns {
    /// Computes the figures of these runs.
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
        /// Gas of all runs except the failed one.
        runs: GasOfRuns,
    },
    /// A table test.
    Table {
        /// Gas of all rows that ran.
        runs: GasOfRuns,
    },
    /// An invariant, with the figures of the shared campaign at its end, or when this invariant failed.
    Invariant {
        /// Runs completed.
        runs: u64,
        /// Calls made.
        calls: u64,
        /// Calls reverted.
        reverts: u64,
        /// Calls by `path:Name.function`; empty without `show_metrics`, as in Forge.
        metrics: BTreeMap<String, CallMetrics>,
        /// Largest value, for an optimization.
        best: Option<I256>,
    },
}

impl TestKind {
    /// Tells whether a counterexample is one call of the test itself.
    #[must_use]
    pub fn is_of_one_call(&self) -> bool {
        !matches!(self, Self::Invariant { .. })
    }
}

/// Result of one test function.
#[derive(Clone, Debug)]
pub struct TestReport {
    /// Signature, as in `invariant_x()`.
    pub signature: String,
    /// Verdict.
    pub status: Status,
    /// Reason for which it failed or was skipped.
    pub reason: Option<String>,
    /// The sequence that breaks it (or the best one of an optimization).
    pub counterexample: Option<Counterexample>,
    /// Kind of test, with its numbers.
    pub kind: TestKind,
    /// `console.log` and DSTest log lines of setUp and of the replay.
    pub logs: Vec<String>,
    /// Traces: deployment, setUp, one per call of the sequence, then the property.
    pub traces: Vec<(TraceKind, Trace)>,
    /// Labels given with `vm.label`, and the built-in ones.
    pub labels: BTreeMap<Address, String>,
    /// Time spent on it.
    pub duration: Duration,
    /// Kind of property, if it is one of Echidna or Medusa, which Forge does not know.
    pub echidna_style: Option<PropertyKind>,
    /// True if a revert of the last call broke it (`fail_on_revert`).
    pub by_revert: bool,
    /// True if the contract has an `afterInvariant`, which Forge calls after the invariant.
    pub after_invariant: bool,
    /// True if a persisted failure was replayed instead of a campaign.
    pub replayed: bool,
    /// True if its sequence is shown as Solidity (`show_solidity`).
    pub show_solidity: bool,
    /// Settings in the comments of its function that applied to its calls, as they were written there.
    pub comments: Vec<String>,
    /// Path of the file in Forge's format that replays it, relative to the root.
    pub forge_file: Option<String>,
    /// Reason for which Forge's replay format cannot express the counterexample, if it cannot.
    pub unforgeable: Option<String>,
    /// Point of the campaign at which it was broken.
    pub found: Option<Found>,
    /// Declaration of its function, or else of its contract.
    pub place: Option<Place>,
}

impl TestReport {
    /// Creates the report of a plain call, which has only a verdict.
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
    /// Top-level EVM transactions after `setUp`: target calls, property calls, and those that were run
    /// again to confirm, shrink or show a failure.
    pub executions: u64,
    /// Distinct path ids seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
    /// Results of predictions.
    pub predictions: Predictions,
    /// Results of those predictions that were for branches of properties.
    pub property_predictions: Predictions,
    /// Number of sequences in Harvey's test suite at the end, and number of calls in them.
    pub kept: (u64, u64),
    /// Cost and yield of each operator of the search.
    pub origins: Vec<OriginStats>,
    /// Coverage at several times.
    pub coverage: Vec<CoveragePoint>,
    /// Functions called, ordered by name.
    pub functions: Vec<FunctionStats>,
}

/// Calls of one function during a campaign, and the reasons of their reverts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionStats {
    /// `path:Name.function`.
    pub name: String,
    /// Numbers of calls.
    pub metrics: CallMetrics,
    /// Reasons of reverts and their numbers, the most frequent first. Custom errors that differ only in their
    /// arguments are the same reason.
    pub reasons: Vec<(String, u64)>,
}

impl Stats {
    /// Adds the calls of a function in another campaign.
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

    /// Returns the name without the path: `Name.function`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(&self.name)
    }
}

/// Results of predictions by the Secant method (Harvey section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predictions {
    /// Branches that predictions tried to flip.
    pub tried: u64,
    /// Branches that the first value flipped.
    pub one_shot: u64,
    /// Branches that a later value flipped.
    pub iterated: u64,
    /// Branches that were not reached with the first value.
    pub unreached: u64,
    /// Branches for which the first value came no nearer than the execution from which it was predicted.
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

/// Cost and yield of an operator of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OriginStats {
    /// Technique of the operator.
    pub technique: &'static str,
    /// Its name.
    pub operator: &'static str,
    /// Sequences run.
    pub sequences: u64,
    /// Transactions executed: calls and properties.
    pub executions: u64,
    /// Cost by which the budget is shared: work of the EVM and other counted work.
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
    /// Adds the figures of the same operator in another campaign.
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

/// Coverage at one time of a campaign.
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

/// Point of the campaign at which something was found, and its source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Target calls made until then.
    pub calls: u64,
    /// Executions of the search until then, without those that confirmed and shrank earlier findings.
    pub executions: u64,
    /// Seconds since the campaign began.
    pub seconds: f64,
    /// CPU seconds of the campaign's threads since the campaign began.
    pub cpu_seconds: f64,
    /// Source of the sequence: an operator of the search, or `replay` for a failure of an earlier run.
    pub operator: &'static str,
}

/// Result of one test contract.
#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Identifier of the test contract.
    pub id: ContractId,
    /// Results ordered by signature.
    pub tests: Vec<TestReport>,
    /// Failed assert properties, and reports of other oracles.
    pub findings: Vec<Finding>,
    /// Settings in the comments of the contract, as they were written there.
    pub comments: Vec<String>,
    /// Warnings, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
    /// Wall-clock time.
    pub duration: Duration,
    /// CPU time of the thread that ran it.
    pub cpu: Duration,
    /// Figures of its campaigns; zero if none ran.
    pub stats: Stats,
    /// Source coverage of its campaigns. It is moved into [`RunReport::covered`] once the suite was reported.
    pub covered: SourceCoverage,
    /// Numbers of that coverage, by path.
    pub sources: BTreeMap<Arc<str>, SourceCounts>,
    /// Share of the kept sequences that were measured for it.
    pub looked: Looked,
    /// Branches that its campaigns are stuck on.
    pub stuck: Vec<Stuck>,
    /// State before the first call, if the contract was called without a test contract.
    pub scene: Option<Scene>,
    /// True if a bug of this program ended it.
    pub panicked: bool,
}

/// Result of the whole command.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Suites in the order they finished.
    pub suites: Vec<SuiteReport>,
    /// Wall-clock time of the tests, compilation not included.
    pub duration: Duration,
    /// Seed that reproduces the run.
    pub seed: U256,
    /// True if Ctrl-C or a termination signal ended it early.
    pub interrupted: bool,
    /// True if a call that did not return, or too little memory, ended it early.
    pub overrun: bool,
    /// Number of suites that were to run.
    pub planned: usize,
    /// Ids of failures that were known before (`--baseline`).
    pub known: BTreeSet<String>,
    /// Source coverage of all campaigns. If a report shows sources, it also has contracts of which nothing
    /// ran.
    pub covered: SourceCoverage,
    /// Branches that no campaign passed; those that have the most code behind them come first.
    pub stuck: Vec<Stuck>,
}

impl SuiteReport {
    /// Creates the report of a suite of which nothing ran yet.
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

    /// Returns the number of tests with the given status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.tests.iter().filter(|test| test.status == status).count()
    }

    /// Tells whether any test failed or anything was found.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.count(Status::Failure) > 0 || !self.findings.is_empty()
    }
}
