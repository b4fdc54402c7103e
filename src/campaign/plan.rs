//! What to run: suites, and for each property the configuration that its comments ask for.

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

/// What the command line decides beside the configuration.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Seed of everything random.
    pub seed: U256,
    /// Worker threads.
    pub threads: usize,
    /// CancellationToken after the first failing suite.
    pub fail_fast: bool,
    /// Verbosity, for which traces and logs are kept.
    pub verbosity: u8,
    /// Time for all suites together.
    pub budget: Option<Duration>,
    /// Whether failures of earlier runs are all that is run.
    pub replay: Option<ReplayMode>,
    /// Whether a report shows sources, so that looking at what was covered may take its time.
    pub sources: bool,
    /// The part of the campaigns that is run, if not all of them.
    pub partition: Option<Partition>,
    /// Who is shown the sequences of the search, if anybody is.
    pub tap: Option<SequenceObserver>,
}

impl RunOptions {
    /// Options of a search of everything on one thread.
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
            tap: None,
        }
    }

    /// The failure that the user named.
    #[must_use]
    pub fn named_file(&self) -> Option<&Arc<NamedFile>> {
        match &self.replay {
            Some(ReplayMode::NamedFile(named_file)) => Some(named_file),
            Some(ReplayMode::Kept) | None => None,
        }
    }
}

/// What is run in place of a search.
#[derive(Clone, Debug)]
pub enum ReplayMode {
    /// All failures that are kept.
    Kept,
    /// One that the user names.
    NamedFile(Arc<NamedFile>),
}

/// Is called with every sequence that the campaign's own thread ran, but for those on tampered storage, and with what it
/// showed.
pub type ObserverFn = dyn Fn(&Sequence, &Observation) + Send + Sync;

/// Sees what the search runs. For benchmarks, which run the same once more in another way.
#[derive(Clone)]
pub struct SequenceObserver(pub Arc<ObserverFn>);

impl fmt::Debug for SequenceObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SequenceObserver").finish_non_exhaustive()
    }
}

/// What one campaign tries to break.
#[derive(Clone, Debug)]
pub enum Objective {
    /// Invariants, as indices into the suite's properties.
    Invariants(Vec<usize>),
    /// A unit, fuzz or table test.
    Test(TestFunction),
}

/// A campaign of one suite: of the properties that share a configuration, or of one test.
#[derive(Clone, Debug)]
pub struct PropertyGroup {
    /// The configuration with inline comments applied; that of a test is one of sequences of one call.
    pub config: Arc<Config>,
    /// What it tries to break.
    pub subject: Objective,
    /// The settings in the comments of the first of them, as they were written.
    pub comments: Vec<String>,
    /// Whether it is the first of its suite's invariants, which replays failures that are of no property.
    pub leads: bool,
    /// Which of the partitions that share it this is; each searches by a seed of its own.
    pub copy: u32,
}

impl PropertyGroup {
    /// The same without the properties and the test that are not to be called; `None` where nothing is left.
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

    /// Whether it is a test's.
    pub(super) fn is_test(&self) -> bool {
        matches!(self.subject, Objective::Test(_))
    }
}

/// How the result of a property is shown; unlike the rest of its configuration this does not need a campaign of
/// its own.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// `show_solidity`.
    pub solidity: bool,
    /// `show_metrics`.
    pub metrics: bool,
}

/// One suite to run.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// The suite, with the properties and tests that the filter lets through.
    pub suite: Suite,
    /// Properties whose inline configuration is wrong, or `setUp()` where it is that of the contract: signature and
    /// reason.
    pub invalid: Vec<(String, String)>,
    /// Campaigns: of properties in the order of their first, then of tests.
    pub groups: Vec<PropertyGroup>,
    /// How each of the suite's properties is shown.
    pub shown: Vec<Shown>,
    /// Configuration of the suite itself.
    pub config: Arc<Config>,
    /// The settings in the comments of the contract, as they were written.
    pub comments: Vec<String>,
}

impl SuitePlan {
    /// Its calls that did not answer.
    pub(super) fn unanswered(&self) -> UnansweredStore {
        let code = self.suite.contract.creation_code().cloned().unwrap_or_default();
        UnansweredStore::new(&self.config.paths.corpus, self.suite.id(), &code)
    }

    /// Whether nothing of the suite can run without a call: it is one of the test contract itself, but no test or property.
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

/// Everything to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Suites in the order of their ids.
    pub suites: Vec<SuitePlan>,
    /// RunOptions.
    pub options: RunOptions,
}

/// The test contracts of `project` that have properties or tests which `filter` lets through, and the contracts that are
/// called without a test contract; unit tests count only when they are asked for.
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
        // As in Forge, functions that are not wanted spoil nothing.
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

/// A reproducer inherits the tests of the suite that it is of; there is no need to search them twice.
pub(super) fn is_reproducer(suite: &Suite) -> bool {
    suite.id().name.starts_with("Repro_") && suite.tests.iter().any(is_reproduction)
}

fn is_reproduction(test: &TestFunction) -> bool {
    test.function.name.starts_with("test_repro_")
}

/// Gives each suite its campaigns.
///
/// # Errors
/// When any comment in the project configures a profile that does not exist, or is no TOML: then Forge runs
/// nothing.
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

/// Successive `///` lines are one comment.
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

/// A test is a campaign of sequences of one call, to which `[fuzz]` says what `[invariant]` says to others. No calls
/// before it can make another state, and Forge sends it no value.
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

/// Longest sequence of a scan: nothing makes the state deeper than the contract itself does.
const SCAN_DEPTH: u32 = 100;
/// How far one call of a scan may go on in time: a month, and as many blocks of 12 seconds.
const SCAN_DELAYS: [u32; 2] = [31 * 86_400, 31 * 7_200];
/// The block on which a scan begins, where none is configured: contracts that subtract days from a time close to zero would show
/// nothing but that.
const SCAN_BLOCK: [u64; 2] = [1_700_000_000, 18_500_000];

/// Percent: how often a payable function is sent value in a scan, at least.
const SCAN_VALUE: u32 = 50;
/// Gas of a call of a scan at most: that of a block. Tests of a project may need more, and are not to wait for calls that run until
/// it is spent; here nobody wrote the calls.
const SCAN_GAS: u64 = 30_000_000;

/// A contract without a test contract is called as often as invariants would be checked, by sequences that let time pass.
fn of_scan(mut config: Config) -> Config {
    let invariant = &mut config.invariant;
    let calls = u64::from(invariant.runs) * u64::from(invariant.depth);
    invariant.depth = invariant.depth.min(SCAN_DEPTH);
    invariant.runs = calls.div_ceil(u64::from(invariant.depth.max(1))).try_into().unwrap_or(u32::MAX);
    invariant.fail_on_revert = false;
    // Deposits are what most contracts without a test begin with.
    config.harvey.payable_value_weight = config.harvey.payable_value_weight.max(SCAN_VALUE);
    // Without an oracle nobody would see what calling back does.
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

/// Whether two properties can share a campaign: whether it searches and executes alike.
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
