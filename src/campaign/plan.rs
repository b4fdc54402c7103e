//! What to run: suites, and for each property the configuration that its comments ask for.

use crate::{
    config::{Config, Filter, InlineError, InlineItem, InvariantConfig, Loaded, inline},
    model::ContractId,
    project::{DocComment, FunctionKind, Project, Suite},
};
use alloy_primitives::U256;
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// What the command line decides beside the configuration.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of everything random.
    pub seed: U256,
    /// Worker threads.
    pub threads: usize,
    /// Stop after the first failing suite.
    pub fail_fast: bool,
    /// Verbosity, for which traces and logs are kept.
    pub verbosity: u8,
}

/// Properties of one suite that share a configuration, and so a campaign.
#[derive(Clone, Debug)]
pub struct Group {
    /// The configuration with inline comments applied.
    pub config: Arc<Config>,
    /// Indices into the suite's properties.
    pub properties: Vec<usize>,
    /// The settings in the comments of the first of them, as they were written.
    pub comments: Vec<String>,
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
    /// The suite, with the properties that the filter lets through.
    pub suite: Suite,
    /// Properties whose inline configuration is wrong, or `setUp()` where it is that of the contract: signature and
    /// reason.
    pub invalid: Vec<(String, String)>,
    /// Campaigns, in the order of their first property.
    pub groups: Vec<Group>,
    /// How each of the suite's properties is shown.
    pub shown: Vec<Shown>,
    /// Configuration of the suite itself.
    pub config: Arc<Config>,
    /// The settings in the comments of the contract, as they were written.
    pub comments: Vec<String>,
}

/// Everything to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Suites in the order of their ids.
    pub suites: Vec<SuitePlan>,
    /// Options.
    pub options: Options,
}

/// The test contracts of `project` that have invariants which `filter` lets through.
pub fn suites(project: &Project, filter: &Filter) -> Vec<Suite> {
    let mut suites = project.suites();
    suites.retain(|suite| {
        let id = suite.id();
        !is_reproducer(suite)
            && filter.matches_path(Path::new(&id.path))
            && filter.matches_contract(suite.contract.bare_name())
    });
    for suite in &mut suites {
        suite.properties.retain(|property| filter.matches_test(property.function.signature()));
    }
    suites.retain(|suite| !suite.properties.is_empty());
    suites
}

/// How many tests that are no invariants `filter` lets through: those are for Forge.
#[must_use]
pub fn other_tests(project: &Project, filter: &Filter) -> usize {
    let matching = project.suites().into_iter().filter(|suite| {
        filter.matches_path(Path::new(&suite.id().path))
            && filter.matches_contract(suite.contract.bare_name())
    });
    let others = |suite: Suite| {
        let tests = suite.tests.into_iter().filter(|test| test.kind != FunctionKind::Invariant);
        tests.filter(|test| filter.matches_test(&test.function.signature())).count()
    };
    matching.map(others).sum()
}

/// A reproducer inherits the invariants of the suite that it is of; there is no need to search them twice.
fn is_reproducer(suite: &Suite) -> bool {
    suite.id().name.starts_with("Repro_")
        && suite.tests.iter().any(|test| test.function.name.starts_with("test_repro_"))
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
    options: Options,
) -> Result<Plan, InlineError> {
    let comments = Comments::read(&project.doc_comments(), loaded)?;
    let suites = suites.into_iter().map(|suite| suite_plan(suite, &comments, loaded)).collect();
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
    let mut groups: Vec<Group> = Vec::new();
    let (mut kept, mut shown) = (Vec::new(), Vec::new());
    let properties = std::mem::take(&mut suite.properties);
    let (config, properties) = match loaded.with_inline(&of_contract) {
        Ok(config) => (config, properties),
        Err(error) => {
            invalid.push(("setUp()".to_owned(), error.to_string()));
            (loaded.config.clone(), Vec::new())
        }
    };
    for property in properties {
        let of_function: Vec<&InlineItem> = comments.of(&suite, Some(&property.function.name)).collect();
        let config = match loaded.with_inline(&[&of_contract[..], &of_function].concat()) {
            Ok(config) => config,
            Err(error) => {
                invalid.push((property.function.signature().to_owned(), error.to_string()));
                continue;
            }
        };
        let InvariantConfig { show_solidity, show_metrics, .. } = config.invariant;
        shown.push(Shown { solidity: show_solidity, metrics: show_metrics });
        let index = kept.len();
        kept.push(property);
        match groups.iter_mut().find(|group| same_campaign(&group.config, &config)) {
            Some(group) => group.properties.push(index),
            None => {
                let comments = written(&of_function);
                groups.push(Group { config: Arc::new(config), properties: vec![index], comments });
            }
        }
    }
    let comments = written(&of_contract);
    suite.properties = kept;
    SuitePlan { suite, invalid, groups, shown, config: Arc::new(config), comments }
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
