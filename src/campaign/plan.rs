//! Plan of a run: the suites, and for each property the configuration that its comments request.

use super::{
    Partition,
    store::{
        NamedFile,
        unanswered::{Unanswered, UnansweredStore},
    },
};
use crate::{
    config::{Config, Feature, Filter, InlineError, InlineItem, InvariantConfig, Loaded, Scan, inline},
    model::{ContractId, MOST_WORDS, Observation, PropertyKind, Sequence, is_bounded},
    project::{DocComment, FunctionKind, Project, Suite, SuiteFault, TestFunction},
};
use alloy_json_abi::Param;
use alloy_primitives::U256;
use std::{collections::BTreeMap, fmt, path::Path, sync::Arc, time::Duration};

/// Options from the command line that are no part of the configuration.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Seed of all random choices.
    pub seed: U256,
    /// Number of worker threads.
    pub threads: usize,
    /// True if the run ends after the first failing suite.
    pub fail_fast: bool,
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
            verbosity: 0,
            budget: None,
            replay: None,
            sources: false,
            partition: None,
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

/// Campaign of a suite: for the properties that share a configuration, or for one test.
#[derive(Clone, Debug)]
pub struct PropertyGroup {
    /// Configuration with inline comments applied. For a test, it is one for sequences of one call.
    pub config: Arc<Config>,
    /// Properties or test to break.
    pub subject: Objective,
    /// Settings in the comments of its first property or its test, as they were written.
    pub comments: Vec<String>,
    /// True for the suite's first campaign of invariants, which also replays failures that belong to no
    /// property.
    pub leads: bool,
    /// Index among the partitions that share the campaign. Each of them has a seed of its own.
    pub copy: u32,
}

impl PropertyGroup {
    /// Returns the campaign without its properties or its test that are among `calls`, which did not end in
    /// earlier runs. Returns `None` if nothing is left.
    pub(super) fn without(&self, suite: &Suite, calls: &[Unanswered]) -> Option<Self> {
        let is_out =
            |signature: &str| calls.iter().any(|call| call.is_of(suite.id()) && call.function == signature);
        let mut group = self.clone();
        let is_any = match &mut group.subject {
            Objective::Invariants(all) => {
                all.retain(|index| !is_out(suite.properties[*index].function.signature()));
                !all.is_empty()
            }
            Objective::Test(test) => !is_out(&test.function.signature()),
        };
        is_any.then_some(group)
    }

    /// Tells whether it is the campaign of a test.
    pub(super) fn is_test(&self) -> bool {
        matches!(self.subject, Objective::Test(_))
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
    pub groups: Vec<PropertyGroup>,
    /// Display settings of each of the suite's properties.
    pub shown: Vec<Shown>,
    /// Configuration of the suite itself.
    pub config: Arc<Config>,
    /// Settings in the comments of the contract, as they were written.
    pub comments: Vec<String>,
}

impl SuitePlan {
    /// Returns the store of the suite's calls that did not end.
    pub(super) fn unanswered(&self) -> UnansweredStore {
        let code = self.suite.contract.creation_code().cloned().unwrap_or_default();
        UnansweredStore::new(&self.config.paths.corpus, self.suite.id(), &code)
    }

    /// Tells whether nothing in the suite can run without a call. This is true for a call of the test
    /// contract itself that is neither a test nor a property, such as `setUp`.
    pub(super) fn cannot_do_without(&self, call: &Unanswered) -> bool {
        let is_it = |signature: &str| signature == call.function;
        let is_test = |group: &PropertyGroup| match &group.subject {
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
        suites.extend(project.scans(scan == Scan::All));
        suites.sort_by(|a, b| a.id().cmp(b.id()));
    }
    suites.retain(|suite| {
        filter.matches_path(Path::new(&suite.id().path))
            && filter.matches_contract(suite.contract.bare_name())
    });
    for suite in &mut suites {
        let inherits = is_reproducer(suite);
        suite.properties.retain(|property| !inherits && filter.matches_test(property.function.signature()));
        suite.tests.retain(|test| {
            let runs = match test.kind {
                FunctionKind::Unit => unit && (!inherits || is_reproduction(test)),
                FunctionKind::Fuzz | FunctionKind::Table => !inherits,
                _ => false,
            };
            runs && filter.matches_test(&test.function.signature())
        });
        // As in Forge, functions that do not match the filter cause no fault.
        if let Some(SuiteFault::Removed { signatures, .. }) = &mut suite.fault {
            signatures.retain(|signature| filter.matches_test(signature));
            if signatures.is_empty() {
                suite.fault = None;
            }
        }
    }
    suites.retain(|suite| !suite.properties.is_empty() || !suite.tests.is_empty());
    suites
}

/// Tells whether a suite is a reproducer. It inherits the tests of the suite for which it was generated, so
/// there is no need to search them twice.
pub(super) fn is_reproducer(suite: &Suite) -> bool {
    suite.id().name.starts_with("Repro_") && suite.tests.iter().any(is_reproduction)
}

fn is_reproduction(test: &TestFunction) -> bool {
    test.function.name.starts_with("test_repro_")
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

/// Inline configuration by contract and function.
struct Comments(BTreeMap<(ContractId, Option<String>), Vec<InlineItem>>);

impl Comments {
    fn read(comments: &[DocComment], loaded: &Loaded) -> Result<Self, InlineError> {
        let mut items: BTreeMap<_, Vec<InlineItem>> = BTreeMap::new();
        for comment in joined(comments) {
            let item = inline::parse(&comment.text, Path::new(&comment.path), comment.line, comment.column)?;
            let Some(item) = item else { continue };
            loaded.check_inline(&item)?;
            let id = ContractId { path: comment.path.clone(), name: comment.contract.clone() };
            items.entry((id, comment.function.clone())).or_default().push(item);
        }
        Ok(Self(items))
    }

    fn of(&self, suite: &Suite, function: Option<&str>) -> impl Iterator<Item = &InlineItem> {
        let name = suite.contract.bare_name().to_owned();
        let id = ContractId { path: suite.id().path.clone(), name };
        self.0.get(&(id, function.map(str::to_owned))).into_iter().flatten()
    }
}

/// Joins successive `///` lines to one comment.
fn joined(comments: &[DocComment]) -> Vec<DocComment> {
    let mut joined: Vec<DocComment> = Vec::new();
    for comment in comments {
        match joined.last_mut() {
            Some(last)
                if (&last.path, &last.contract, &last.function)
                    == (&comment.path, &comment.contract, &comment.function)
                    && last.line + last.text.lines().count().max(1) == comment.line =>
            {
                last.text = format!("{}\n{}", last.text, comment.text);
            }
            _ => joined.push(comment.clone()),
        }
    }
    joined
}

fn suite_plan(mut suite: Suite, comments: &Comments, loaded: &Loaded) -> SuitePlan {
    let of_contract: Vec<&InlineItem> = comments.of(&suite, None).collect();
    let mut invalid = Vec::new();
    let mut groups: Vec<PropertyGroup> = Vec::new();
    let (mut kept, mut shown) = (Vec::new(), Vec::new());
    let (mut properties, mut tests) =
        (std::mem::take(&mut suite.properties), std::mem::take(&mut suite.tests));
    let config = loaded.with_inline(&of_contract).unwrap_or_else(|error| {
        invalid.push(("setUp()".to_owned(), error.to_string()));
        properties.clear();
        tests.clear();
        loaded.config.clone()
    });
    let mut configured = |name: &str, signature: &str, inputs: &[Param]| {
        let of_function: Vec<&InlineItem> = comments.of(&suite, Some(name)).collect();
        let config = loaded.with_inline(&[&of_contract[..], &of_function].concat());
        let config = config.map_err(|error| error.to_string());
        let config = config.and_then(|config| match is_bounded(inputs) {
            true => Ok(config),
            false => Err(format!("its arguments have more than {MOST_WORDS} words")),
        });
        let config = config.map_err(|reason| invalid.push((signature.to_owned(), reason))).ok()?;
        Some((config, written(&of_function)))
    };
    for property in properties {
        let function = &property.function;
        let configured = configured(&function.name, function.signature(), &function.inputs);
        let Some((config, comments)) = configured else { continue };
        let config = if property.kind == PropertyKind::Scan { of_scan(config) } else { config };
        let InvariantConfig { show_solidity, show_metrics, .. } = config.invariant;
        shown.push(Shown { solidity: show_solidity, metrics: show_metrics });
        let index = kept.len();
        kept.push(property);
        let same = groups.iter_mut().find(|group| same_campaign(&group.config, &config));
        match same.map(|group| &mut group.subject) {
            Some(Objective::Invariants(indices)) => indices.push(index),
            _ => {
                let subject = Objective::Invariants(vec![index]);
                let leads = groups.is_empty();
                groups.push(PropertyGroup { config: Arc::new(config), subject, comments, leads, copy: 0 });
            }
        }
    }
    for test in tests {
        let function = &test.function;
        let configured = configured(&function.name, &function.signature(), &function.inputs);
        let Some((config, comments)) = configured else { continue };
        let config = Arc::new(of_one_call(config));
        groups.push(PropertyGroup {
            config,
            subject: Objective::Test(test),
            comments,
            leads: false,
            copy: 0,
        });
    }
    let comments = written(&of_contract);
    suite.properties = kept;
    let config = if suite.is_scan() { of_scan(config) } else { config };
    SuitePlan { suite, invalid, groups, shown, config: Arc::new(config), comments }
}

/// Returns the configuration of a test, which is a campaign with sequences of one call. `[fuzz]` provides the
/// settings that `[invariant]` provides for others. No earlier call can change the state, so demand-driven
/// fuzzing is off. As in Forge, calls send no value.
fn of_one_call(mut config: Config) -> Config {
    let fuzz = &config.fuzz;
    config.invariant = InvariantConfig {
        runs: fuzz.runs,
        depth: 1,
        fail_on_revert: fuzz.fail_on_revert,
        dictionary_weight: fuzz.dictionary_weight,
        include_storage: fuzz.include_storage,
        include_push_bytes: fuzz.include_push_bytes,
        shrink_run_limit: config.invariant.shrink_run_limit,
        max_assume_rejects: fuzz.max_test_rejects,
        timeout: fuzz.timeout,
        call_override: false,
        failure_persist_dir: fuzz.failure_persist_dir.clone(),
        corpus: fuzz.corpus.clone(),
        show_metrics: false,
        show_solidity: false,
        max_time_delay: None,
        max_block_delay: None,
        check_interval: 0,
    };
    config.harvey.without.push(Feature::DemandDriven);
    config.harvey.payable_value_weight = 0;
    config
}

/// Maximum length of a sequence in a scan, in calls. There is no test contract that builds up a state over
/// many calls.
const SCAN_DEPTH: u32 = 100;
/// Maximum delays of a call in a scan: a month in seconds, and as many blocks of 12 seconds.
const SCAN_DELAYS: [u32; 2] = [31 * 86_400, 31 * 7_200];
/// Timestamp and number of the block in which a scan begins, unless they are configured. If the time were
/// close to zero, contracts that subtract days from it would only show that failure.
const SCAN_BLOCK: [u64; 2] = [1_700_000_000, 18_500_000];

/// Minimum probability that a call of a payable function in a scan sends value, in percent.
const SCAN_VALUE: u32 = 50;
/// Maximum gas of a call in a scan, which is that of a block. Tests of a project may need more. In a scan the
/// calls are random, and the campaign should not wait until they have used up more gas.
const SCAN_GAS: u64 = 30_000_000;

/// Returns the configuration for a contract without a test contract. It allows as many calls as for
/// invariants, in sequences that let time pass.
fn of_scan(mut config: Config) -> Config {
    let invariant = &mut config.invariant;
    let calls = u64::from(invariant.runs) * u64::from(invariant.depth);
    invariant.depth = invariant.depth.min(SCAN_DEPTH);
    invariant.runs = calls.div_ceil(u64::from(invariant.depth.max(1))).try_into().unwrap_or(u32::MAX);
    invariant.fail_on_revert = false;
    // Most contracts need a deposit first.
    config.harvey.payable_value_weight = config.harvey.payable_value_weight.max(SCAN_VALUE);
    // Without an oracle, the effects of calling back would go unnoticed.
    invariant.call_override |= config.harvey.tracks_taint();
    invariant.max_time_delay.get_or_insert(SCAN_DELAYS[0]);
    invariant.max_block_delay.get_or_insert(SCAN_DELAYS[1]);
    let env = &mut config.env;
    env.gas_limit = env.gas_limit.min(SCAN_GAS);
    let begins = [&mut env.block_timestamp, &mut env.block_number];
    for (begin, usual) in begins.into_iter().zip(SCAN_BLOCK) {
        if *begin == U256::ONE {
            *begin = U256::from(usual);
        }
    }
    config
}

fn written(items: &[&InlineItem]) -> Vec<String> {
    items.iter().flat_map(|item| item.lines()).cloned().collect()
}

/// Tells whether two properties can share a campaign: search and execution must have the same settings.
fn same_campaign(a: &Config, b: &Config) -> bool {
    let campaign = |config: &Config| InvariantConfig {
        show_solidity: false,
        show_metrics: true,
        ..config.invariant.clone()
    };
    campaign(a) == campaign(b)
        && a.harvey == b.harvey
        && a.fuzz.seed == b.fuzz.seed
        && a.cheats == b.cheats
        && a.env.evm_version == b.env.evm_version
}
