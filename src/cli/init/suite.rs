//! First invariant suite for a contract: it is learned from calls of the contract, written, compiled and run.

use super::{Console, project, slashed, token};
use crate::{
    campaign::{self, CancellationToken, RunOptions, learn_handler},
    cli::{Interrupt, project::LazyFork},
    config::{Filter, FilterConfig, Loaded, Scan},
    files::{self, nofollow},
    model::{
        CallMetrics, ContractId, Status, SuiteReport,
        handler::{Fact, HandlerModel},
    },
    project::{Contract, Project, Suite},
    report::{
        count,
        starter::{self, Starter, StarterInput},
    },
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result, anyhow, bail};
use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// Number of invariants that hold.
const INVARIANTS: usize = 3;

/// Maximum number of times that the suite is written, each time without the invariants that do not hold.
const ATTEMPTS: usize = 6;

/// Number of sequences and of calls in each of a run that checks the suite: 10,000 calls.
const RUNS: u32 = 100;
const DEPTH: u32 = 100;

/// Number of such runs, each with another seed. The last one has the figures that are printed.
const CHECKS: u64 = 3;

/// Writes the suite for the named contract, unless its file exists.
///
/// # Errors
/// When the contract is unknown, cannot be deployed, or the suite does not compile or does not pass.
pub(super) fn write(loaded: &Loaded, wanted: &str, console: &mut Console) -> Result<()> {
    let config = &loaded.config;
    let root = &config.paths.root;
    let mut project = project::compile(config, console)?;
    let mut contract = find(&project, loaded, wanted)?.clone();
    if contract.version.minor < 8 {
        let (name, version) = (contract.bare_name(), &contract.version);
        bail!("{name} is compiled by Solidity {version}; suites are written for 0.8.8 and later");
    }
    let test = root.join(&config.paths.test);
    let path = test.join(format!("{}.t.sol", starter::name(contract.bare_name())));
    if path.exists() {
        return console.say(&format!("Left as it is: {}\n", files::shown(&path, root)));
    }
    let token = token::write_missing(&project, &contract, config)?;
    if token.is_some() {
        project = Arc::new(Project::load(config, &mut |_| ())?);
        contract = find(&project, loaded, wanted)?.clone();
    }
    let settled = learn_and_settle(loaded, project, &contract, &path);
    if settled.is_err() {
        // A file that does not compile would break every command.
        [Some(&path), token.as_ref()].into_iter().flatten().for_each(|path| drop(fs::remove_file(path)));
    }
    let (model, report, left_out) = settled?;
    let wrote = token.iter().chain([&path]).map(|path| format!("Wrote {}\n", files::shown(path, root)));
    console.say(&format!("{}{}", wrote.collect::<String>(), summary(&report, &model, &left_out)))
}

/// Learns the handler of a contract, and writes the suite to `path`. Returns the handler, the report of the last run,
/// and the functions that the suite leaves out.
fn learn_and_settle(
    loaded: &Loaded,
    project: Arc<Project>,
    contract: &Arc<Contract>,
    path: &Path,
) -> Result<(HandlerModel, SuiteReport, Vec<String>)> {
    let config = &loaded.config;
    let interrupt = Interrupt::install().context("cannot listen for Ctrl-C")?;
    let stop = CancellationToken::new(interrupt.flag());
    let fork = LazyFork::new(loaded, None);
    let options = || RunOptions::new(config.fuzz.seed.unwrap_or(U256::ZERO));
    let (_, context) = project::plan(project.clone(), &fork, Vec::new(), options())?;
    let model = learn_handler(&context, config, contract, &stop);
    let model = model.map_err(|why| {
        let name = contract.bare_name();
        let takes = contract.abi.constructor().is_some_and(|constructor| !constructor.inputs.is_empty());
        let hint = match takes {
            true => format!(
                "\nWrite a unit test whose setUp creates {name}: what it gives the constructor is tried first."
            ),
            false => String::new(),
        };
        anyhow!("{}: {why}{hint}", contract.id)
    })?;
    let mut draft = Draft { loaded, contract, model: &model, path, facts: model.facts.clone() };
    let (report, left_out) = draft.settle(&project, &stop)?;
    Ok((model, report, left_out))
}

/// A suite that is written and run until its invariants hold.
struct Draft<'a> {
    loaded: &'a Loaded,
    contract: &'a Arc<Contract>,
    model: &'a HandlerModel,
    path: &'a Path,
    /// Facts that may become invariants.
    facts: Vec<Fact>,
}

impl Draft<'_> {
    /// Writes the suite and runs it until it passes. Also returns the functions that it leaves out.
    fn settle(&mut self, first: &Project, stop: &CancellationToken) -> Result<(SuiteReport, Vec<String>)> {
        for _ in 0..ATTEMPTS {
            let written = self.text(first)?;
            nofollow::write(self.path, written.source.as_bytes())?;
            let report = self.run(stop)?;
            let broken = self.useless(&written, &report);
            if broken.is_empty() {
                let other = report.tests.iter().find(|test| test.status == Status::Failure);
                return match other {
                    None => Ok((report, written.left_out)),
                    Some(test) => {
                        let reason = test.reason.clone().unwrap_or_default();
                        bail!("the suite was written, but {} fails: {reason}", test.signature)
                    }
                };
            }
            self.remove(broken);
        }
        bail!("no invariants were found that hold")
    }

    /// Returns the indices of the invariants that failed, or that no call tested. The latter stay if there is nothing
    /// better: without any invariant, nothing is run.
    fn useless(&self, written: &Starter, report: &SuiteReport) -> Vec<usize> {
        let failed = |name: &String| {
            report
                .tests
                .iter()
                .any(|test| test.status == Status::Failure && test.signature.split('(').next() == Some(name))
        };
        let is_vacuous = |name: &String| {
            report.stats.vacuous.iter().any(|vacuous| vacuous.split('(').next() == Some(name))
        };
        let names = &written.invariants;
        let has_better = names.iter().any(|name| !failed(name) && !is_vacuous(name))
            || self.facts.iter().skip(names.len()).any(|fact| !is_weak(fact));
        let is_useless = |name: &String| failed(name) || has_better && is_vacuous(name);
        (0..names.len()).filter(|index| is_useless(&names[*index])).collect()
    }

    /// Removes facts. If one that never changes says nothing, neither do the others.
    fn remove(&mut self, indices: Vec<usize>) {
        let are_weak = indices.iter().any(|index| is_weak(&self.facts[*index]));
        for index in indices.into_iter().rev() {
            self.facts.remove(index);
        }
        if are_weak && !self.facts.iter().all(is_weak) {
            self.facts.retain(|fact| !is_weak(fact));
        }
        if self.facts.is_empty() {
            self.facts.push(Fact::HasCode);
        }
    }

    fn text(&self, project: &Project) -> Result<Starter> {
        let paths = &self.loaded.config.paths;
        let test = paths.root.join(&paths.test);
        let import = |id: &ContractId| relative(&test, &paths.root.join(&id.path));
        let using = Suite::scan(self.contract);
        let is_used = |id: &ContractId| {
            *id == self.contract.id
                || project.is_affected(&using, &BTreeSet::from([paths.root.join(&id.path)]))
        };
        let find = |name: &str| {
            let named = || project.contracts().iter().filter(|contract| contract.bare_name() == name);
            let found = named().find(|contract| is_used(&contract.id)).or_else(|| named().next())?;
            Some(import(&found.id))
        };
        let dependencies = self.model.scene.dependencies.iter();
        let interfaces: Vec<_> = dependencies
            .map(|built| {
                let abi = project.contract(&built.contract).map(|contract| contract.abi.clone());
                (import(&built.contract), abi.unwrap_or_default())
            })
            .collect();
        let input = StarterInput {
            contract: &self.contract.id,
            abi: &self.contract.abi,
            import: &import(&self.contract.id),
            interfaces: &interfaces,
            model: self.model,
            facts: &self.facts[..self.facts.len().min(INVARIANTS)],
            find: &find,
            has_forge_std: paths.remappings.iter().any(|remapping| remapping.starts_with("forge-std/=")),
        };
        starter::suite(&input)
            .map_err(|why| anyhow!("no suite can be written for {}: {why}", self.contract.id))
    }

    /// Compiles the project with the suite, and runs the suite with several seeds, until a test fails.
    fn run(&self, stop: &CancellationToken) -> Result<SuiteReport> {
        let mut loaded = self.loaded.clone();
        let config = &mut loaded.config;
        let scratch = config.paths.cache.join("harvey-init");
        (config.invariant.runs, config.invariant.depth) = (RUNS, DEPTH);
        config.harvey.keep_inputs = false;
        config.paths.corpus = scratch.clone();
        config.invariant.failure_persist_dir = scratch.clone();
        // The first compilation has printed the warnings.
        let project = Arc::new(Project::load(config, &mut |_| ())?);
        let filter = Filter::new(&FilterConfig::default(), &config.paths.root)?;
        let suites = campaign::suites(&project, &filter, false, Scan::None);
        let suite =
            suites.into_iter().find(|suite| loaded.config.paths.root.join(&suite.id().path) == self.path);
        let suite = suite.ok_or_else(|| anyhow!("{} has no tests", self.path.display()))?;
        let mut last = None;
        for check in 0..CHECKS {
            let fork = LazyFork::new(&loaded, None);
            let seed = loaded.config.fuzz.seed.unwrap_or(U256::ZERO).wrapping_add(U256::from(check));
            let options = RunOptions::new(seed);
            let (plan, context) = project::plan(project.clone(), &fork, vec![suite.clone()], options)?;
            let report = campaign::run_plan(&plan, &context, stop, &mut |_| ());
            let _ = fs::remove_dir_all(&scratch);
            let report = report.suites.into_iter().next();
            let is_broken = report
                .as_ref()
                .is_none_or(|report| report.tests.iter().any(|test| test.status == Status::Failure));
            last = report;
            if is_broken {
                break;
            }
        }
        last.ok_or_else(|| anyhow!("interrupted before the suite was run"))
    }
}

/// Tells whether a fact is about what hardly any call changes.
fn is_weak(fact: &Fact) -> bool {
    matches!(fact, Fact::Constant(_) | Fact::NoWei | Fact::HasCode)
}

/// Returns how often the handler's functions succeed, and what the author has to do.
fn summary(report: &SuiteReport, model: &HandlerModel, left_out: &[String]) -> String {
    let width =
        report.stats.functions.iter().map(|function| function.short().len()).max().unwrap_or_default();
    let rows = report.stats.functions.iter().map(|function| {
        let CallMetrics { calls, reverts, discards } = function.metrics;
        let all = calls + discards;
        let rate = (calls.saturating_sub(reverts) * 100).checked_div(all).unwrap_or_default();
        let reason = function.reasons.first().filter(|_| rate < 50);
        let reason = reason.map(|(reason, _)| format!("  mostly: {reason}")).unwrap_or_default();
        format!("  {:width$}  {rate:3} % of {}{reason}\n", function.short(), count_calls(all))
    });
    let rows: String = rows.collect();
    let left_out = match left_out.is_empty() {
        true => String::new(),
        false => format!("Not called, as their parameters cannot be written: {}.\n", left_out.join(", ")),
    };
    let holding = report.tests.iter().filter(|test| test.status == Status::Success).count();
    format!(
        "\nCalls that succeed:\n{rows}{left_out}\n{} held in {}, and in {} of the runs.\nWrite the last one yourself: it is \
         skipped until you do.\n",
        count(holding, "invariant"),
        count(model.states, "state"),
        count_calls(CHECKS * u64::from(RUNS * DEPTH)),
    )
}

fn count_calls(calls: u64) -> String {
    count(usize::try_from(calls).unwrap_or(usize::MAX), "call")
}

/// Finds the contract named by `Name` or `path:Name` among the project's own contracts that can be deployed.
fn find<'a>(project: &'a Project, loaded: &Loaded, wanted: &str) -> Result<&'a Arc<Contract>> {
    let config = &loaded.config;
    let src = config.paths.root.join(&config.paths.src);
    let own = project.contracts().iter().filter(|contract| {
        config.paths.root.join(&contract.id.path).starts_with(&src) && contract.creation_code().is_some()
    });
    let own: Vec<_> = own.collect();
    let named =
        own.iter().filter(|contract| contract.bare_name() == wanted || contract.id.to_string() == wanted);
    match named.collect::<Vec<_>>()[..] {
        [only] => Ok(only),
        [] => {
            let names: Vec<_> = own.iter().map(|contract| format!("\n  {}", contract.id)).collect();
            bail!(
                "{wanted} is no contract of this project that can be deployed; there are:{}",
                names.concat()
            )
        }
        ref several => {
            let names: Vec<_> = several.iter().map(|contract| format!("\n  {}", contract.id)).collect();
            bail!("{wanted} may be any of these:{}", names.concat())
        }
    }
}

/// Returns the path by which a file in `from` imports `to`.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    let path = slashed(&path);
    if path.starts_with("..") { path } else { format!("./{path}") }
}
