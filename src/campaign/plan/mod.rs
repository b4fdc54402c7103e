//! Plan of a run: the suites, and for each property the configuration that its comments request.

mod grouping;

use super::{
    Partition,
    smt::SmtSolver,
    store::{
        NamedFile,
        hung_calls::{HungCall, HungCallStore},
    },
};
use crate::{
    config::{Config, Filter, InlineError, Loaded, Scan},
    model::{Observation, Sequence},
    project::{FunctionKind, Project, Suite, SuiteFault, TestFunction, is_check},
};
use alloy_primitives::U256;
use grouping::{Comments, suite_plan};
use std::{fmt, path::Path, sync::Arc, time::Duration};

/// Options from the command line that are no part of the configuration.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Seed of all random choices.
    pub seed: U256,
    /// Number of worker threads.
    pub threads: usize,
    /// True if a campaign ends at its first failure, and the run after the first failing suite.
    pub fail_fast: bool,
    /// True if failures are shrunk, within `shrink_run_limit`.
    pub shrinks: bool,
    /// Verbosity, which decides the traces and logs to keep.
    pub verbosity: u8,
    /// Time limit for all suites together.
    pub budget: Option<Duration>,
    /// Failures of earlier runs to replay instead of a search.
    pub replay: Option<ReplayMode>,
    /// True if a report shows sources, so that measuring coverage may take longer.
    pub sources: bool,
    /// Part of the campaigns to run; `None` means all.
    pub partition: Option<Partition>,
    /// External SMT solver.
    pub solver: Option<SmtSolver>,
    /// Observer of the sequences that the search runs.
    pub observer: Option<SequenceObserver>,
}

impl RunOptions {
    /// Creates the options of a search of everything on one thread.
    #[must_use]
    pub fn new(seed: U256) -> Self {
        Self {
            seed,
            threads: 1,
            fail_fast: false,
            shrinks: true,
            verbosity: 0,
            budget: None,
            replay: None,
            sources: false,
            partition: None,
            solver: None,
            observer: None,
        }
    }

    /// Returns the failure file that the user named, if any.
    #[must_use]
    pub fn named_file(&self) -> Option<&Arc<NamedFile>> {
        match &self.replay {
            Some(ReplayMode::NamedFile(named_file)) => Some(named_file),
            Some(ReplayMode::Kept) | None => None,
        }
    }
}

/// Failures that are replayed instead of a search.
#[derive(Clone, Debug)]
pub enum ReplayMode {
    /// All stored failures.
    Kept,
    /// One failure, in a file that the user named.
    NamedFile(Arc<NamedFile>),
}

/// Function that receives each sequence run by the campaign's own thread, with its observation. Runs on
/// tampered storage are left out.
pub type ObserverFn = dyn Fn(&Sequence, &Observation) + Send + Sync;

/// Observer of the sequences that the search runs. Benchmarks use it to run the same sequences again in
/// another way.
#[derive(Clone)]
pub struct SequenceObserver(pub Arc<ObserverFn>);

impl fmt::Debug for SequenceObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SequenceObserver").finish_non_exhaustive()
    }
}

/// Properties or test that a campaign tries to break.
#[derive(Clone, Debug)]
pub enum Objective {
    /// Invariants, as indices into the suite's properties.
    Invariants(Vec<usize>),
    /// A unit, fuzz or table test.
    Test(TestFunction),
}

/// Kind of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CampaignKind {
    /// Search for sequences that break invariants.
    Invariants,
    /// Search for inputs that fail a test.
    Fuzz,
    /// Tests that give the same result with any seed.
    Fixed,
}

/// Plan of a campaign: its configuration and the properties or the test that it tries to break.
#[derive(Clone, Debug)]
pub struct CampaignPlan {
    /// Configuration with inline comments applied. For a test, it is one for sequences of one call.
    pub config: Arc<Config>,
    /// Properties or test to break.
    pub objective: Objective,
    /// Settings in the comments of its first property or its test, as they were written.
    pub comments: Vec<String>,
    /// True for the suite's first campaign of invariants, which also replays failures that belong to no
    /// property.
    pub leads: bool,
    /// Index among the partitions that share the campaign. Each of them has a seed of its own.
    pub copy: u32,
}

impl CampaignPlan {
    /// Returns the campaign without its properties or its test that are among `calls`, which did not end in
    /// earlier runs. Returns `None` if nothing is left.
    pub(super) fn without(&self, suite: &Suite, calls: &[HungCall]) -> Option<Self> {
        let is_out =
            |signature: &str| calls.iter().any(|call| call.is_of(suite.id()) && call.function == signature);
        let mut group = self.clone();
        let is_any = match &mut group.objective {
            Objective::Invariants(all) => {
                all.retain(|index| !is_out(suite.properties[*index].function.signature()));
                !all.is_empty()
            }
            Objective::Test(test) => !is_out(&test.function.signature()),
        };
        is_any.then_some(group)
    }

    /// Returns the maximum number of calls of the campaign; `None` if a time or a number of executions limits it
    /// instead. `has_time` is true if the time of the whole run is limited.
    pub(super) fn most_calls(&self, has_time: bool) -> Option<u64> {
        let (invariant, harvey) = (&self.config.invariant, &self.config.harvey);
        let is_timed = has_time || invariant.timeout.is_some() && !self.is_test();
        (!is_timed && harvey.executions == 0).then(|| u64::from(invariant.runs) * u64::from(invariant.depth))
    }

    /// Returns its kind.
    pub(super) fn kind(&self) -> CampaignKind {
        match &self.objective {
            Objective::Invariants(_) => CampaignKind::Invariants,
            Objective::Test(test) if test.kind == FunctionKind::Fuzz => CampaignKind::Fuzz,
            Objective::Test(_) => CampaignKind::Fixed,
        }
    }

    /// Returns the signatures of its properties, which are those of `suite`, or of its test.
    pub(super) fn tests(&self, suite: &Suite) -> Vec<String> {
        match &self.objective {
            Objective::Invariants(all) => {
                all.iter().map(|index| suite.properties[*index].function.signature().to_owned()).collect()
            }
            Objective::Test(test) => vec![test.function.signature()],
        }
    }

    /// Tells whether it is the campaign of a test.
    pub(super) fn is_test(&self) -> bool {
        matches!(self.objective, Objective::Test(_))
    }
}

/// Display settings of the result of a property. Unlike its other settings, they do not require a campaign of
/// their own.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// `show_solidity`.
    pub solidity: bool,
    /// `show_metrics`.
    pub metrics: bool,
}

/// Plan of one suite.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// The suite, with the properties and tests that match the filter.
    pub suite: Suite,
    /// Properties and tests with invalid inline configuration, as signature and reason. `setUp()` stands for
    /// the configuration of the contract.
    pub invalid: Vec<(String, String)>,
    /// Campaigns: those of properties, in the order of their first property, then those of tests.
    pub groups: Vec<CampaignPlan>,
    /// Display settings of each of the suite's properties.
    pub shown: Vec<Shown>,
    /// Configuration of the suite itself.
    pub config: Arc<Config>,
    /// Settings in the comments of the contract, as they were written.
    pub comments: Vec<String>,
}

impl SuitePlan {
    /// Returns the bytes of code of its contract, a rough measure of what there is to search. The creation code of a
    /// test contract includes that of the contracts that it creates.
    pub(super) fn size(&self) -> usize {
        self.suite.contract.known_code().map_or(0, |code| code.len())
    }

    /// Returns the store of the suite's calls that did not end.
    pub(super) fn hung_calls(&self) -> HungCallStore {
        let code = self.suite.contract.known_code().cloned().unwrap_or_default();
        HungCallStore::new(&self.config.paths.corpus, self.suite.id(), &code)
    }

    /// Tells whether nothing in the suite can run without a call. This is true for a call of the test
    /// contract itself that is neither a test nor a property, such as `setUp`.
    pub(super) fn cannot_do_without(&self, call: &HungCall) -> bool {
        let is_it = |signature: &str| signature == call.function;
        let is_test = |group: &CampaignPlan| match &group.objective {
            Objective::Test(test) => is_it(&test.function.signature()),
            Objective::Invariants(_) => false,
        };
        call.is_of(self.suite.id())
            && !self.suite.properties.iter().any(|property| is_it(property.function.signature()))
            && !self.groups.iter().any(is_test)
    }
}

/// Suites to run, with the options of the run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Suites in the order of their ids.
    pub suites: Vec<SuitePlan>,
    /// Options of the run.
    pub options: RunOptions,
}

/// Returns the test contracts of `project` that have properties or tests matching `filter`, and the contracts
/// that are called without a test contract. Unit tests are included only if `unit` is true.
#[must_use]
pub fn suites(project: &Project, filter: &Filter, unit: bool, scan: Scan) -> Vec<Suite> {
    let mut suites = project.suites();
    if scan != Scan::None {
        let is_left_out =
            |suite: &Suite| !filter.names_contracts() && project.is_scaffolding(&suite.id().path);
        suites.extend(project.scans(scan == Scan::All).into_iter().filter(|suite| !is_left_out(suite)));
        suites.sort_by(|a, b| a.id().cmp(b.id()));
    }
    suites.retain(|suite| {
        filter.matches_path(Path::new(&suite.id().path))
            && filter.matches_contract(suite.contract.bare_name())
    });
    for suite in &mut suites {
        let own = own_prefix(suite);
        let id = suite.id().to_string();
        let matches = |signature: &str| filter.matches_test(&id, signature);
        suite.properties.retain(|property| own.is_none() && matches(property.function.signature()));
        suite.tests.retain(|test| {
            let name = &test.function.name;
            let runs = match test.kind {
                // Who enables checks wants those without parameters, too.
                FunctionKind::Unit => (unit || is_check(name)) && own.is_none_or(|own| name.starts_with(own)),
                FunctionKind::Fuzz | FunctionKind::Table => own.is_none(),
                _ => false,
            };
            runs && matches(&test.function.signature())
        });
        if suite.tests.iter().any(|test| is_check(&test.function.name)) {
            suite.warnings.push(SEARCHED.to_owned());
        }
        // As in Forge, functions that do not match the filter cause no fault.
        if let Some(SuiteFault::Removed { signatures, .. }) = &mut suite.fault {
            signatures.retain(|signature| matches(signature));
            if signatures.is_empty() {
                suite.fault = None;
            }
        }
    }
    suites.retain(|suite| !suite.properties.is_empty() || !suite.tests.is_empty());
    suites
}

/// Warning about tests of Forge's symbolic mode.
const SEARCHED: &str = "`check*` and `prove*` are searched like fuzz tests, not proved: a failure is real, \
                        but that none is found does not exclude one";

/// Tells whether a suite was generated from the failure of another suite, by us or by Forge.
pub(super) fn is_reproducer(suite: &Suite) -> bool {
    own_prefix(suite).is_some()
}

/// Function by which Forge 1.8 marks the contracts that its symbolic mode generates.
const REGRESSION_MARKER: &str = "__foundry_symbolic_regression_marker";

/// Returns the prefix of the tests of a generated suite. All its other tests are inherited from the suite for which it
/// was generated, so there is no need to search them twice.
fn own_prefix(suite: &Suite) -> Option<&'static str> {
    const OURS: &str = "test_regression_";
    if suite.contract.abi.function(REGRESSION_MARKER).is_some() {
        return Some(OURS);
    }
    let is_ours = |test: &TestFunction| test.function.name.starts_with(OURS);
    (suite.id().name.starts_with("Repro_") && suite.tests.iter().any(is_ours)).then_some(OURS)
}

/// Creates the plan, with the campaigns of each suite.
///
/// # Errors
/// Fails if any comment in the project configures a profile that does not exist, or is not valid TOML. Forge
/// then runs nothing, either.
pub fn plan(
    project: &Project,
    loaded: &Loaded,
    suites: Vec<Suite>,
    options: RunOptions,
) -> Result<Plan, InlineError> {
    let comments = Comments::read(&project.doc_comments(), loaded)?;
    let mut suites = suites.into_iter().map(|suite| suite_plan(suite, &comments, loaded)).collect();
    if let Some(partition) = options.partition {
        partition.retain(&mut suites);
    }
    Ok(Plan { suites, options })
}
