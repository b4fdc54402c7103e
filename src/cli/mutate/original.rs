//! The project without a change: its tests, what they reach, and the effects of their inputs.

use crate::{
    campaign::{
        self, Build, CancellationToken, InputKey, InputOutcomes, InputStatements, Plan, RunOptions,
        StoredInputs, store::corpus::CorpusStore,
    },
    cli::{
        args::MutantTestArgs,
        project::{self, LazyFork},
    },
    config::{Config, Filter, Scan},
    evm::exec::test_env::ProjectContext,
    model::{ContractId, Event, FileCoverage, Looked, Mutant, RunReport, SourceCoverage, Status},
    project::{
        FunctionKind, FunctionRange, Project, SourceStatements, Statement, StatementId, Suite, SuiteFault,
    },
};
use alloy_primitives::{B256, U256, keccak256};
use anyhow::Result;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// Time of the search without a change, in multiples of the time for a mutant.
const SEARCH: u32 = 6;
/// Time limit for the effects of the stored inputs, in the same unit.
const REPLAY: u32 = 2;

/// The project without a change.
pub(super) struct Original {
    root: PathBuf,
    pub(super) project: Arc<Project>,
    /// Plan of the fuzz tests and invariants that do not fail.
    pub(super) plan: Arc<Plan>,
    pub(super) context: ProjectContext,
    /// Suites with tests that do not fail. Those that run the least code come first.
    suites: Vec<MeasuredSuite>,
    /// Coverage of all suites together, with the contracts of which nothing ran.
    covered: ReachedFiles,
    /// Tests that fail without a change: suite and signature.
    pub(super) failing: Vec<(ContractId, String)>,
    /// Functions with failed assertions without a change.
    pub(super) findings: BTreeSet<String>,
    pub(super) inputs: StoredInputs,
    pub(super) outcomes: InputOutcomes,
    /// Statements that each input executes.
    statements: InputStatements,
    pub(super) code: B256,
}

/// Suite without the tests that fail, and the code that they run.
struct MeasuredSuite {
    suite: Suite,
    reached: SourceCoverage,
    /// False if it has fuzz tests or invariants and the time was over before they ran.
    was_searched: bool,
    /// Hash of the tests and the sources that they depend on.
    key: B256,
}

/// Coverage by path.
type ReachedFiles = BTreeMap<Arc<str>, FileCoverage>;

/// Suites of a part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Tests without random inputs: unit and table tests.
    Fixed,
    /// Fuzz tests and invariants.
    Searched,
}

impl Original {
    /// Runs the tests, with a search of the time that the flags say, or `SEARCH` times that of a mutant. The inputs
    /// that the search keeps are stored. Then it runs all stored inputs.
    ///
    /// # Errors
    /// When the plan cannot be made.
    pub(super) fn measure(
        project: Arc<Project>,
        fork: &LazyFork<'_>,
        args: &MutantTestArgs,
        stop: &CancellationToken,
        emit: &mut dyn FnMut(&Event),
    ) -> Result<Self> {
        let config = &fork.loaded.config;
        let filter = Filter::new(&config.filter, &config.paths.root)?;
        let scan = if args.scan { Scan::All } else { Scan::None };
        let mut suites = campaign::suites(&project, &filter, true, scan);
        let removed = take_removed(&mut suites);
        let budget = Duration::from_secs(args.budget.into());
        let first = FirstRun::of(&project, fork, &suites, search_time(args, &suites, &project), stop, emit)?;
        let FirstRun { failing, findings, covered, mut reached, searched } = first;
        let passing = suites.into_iter().filter_map(|suite| passing(suite, &failing));
        let measured = passing.map(|suite| {
            let has_search = !Part::Searched.of([&suite], &project).is_empty();
            MeasuredSuite {
                key: key(&suite, &project, config),
                reached: reached.remove(suite.id()).unwrap_or_default(),
                was_searched: !has_search || searched.contains(suite.id()),
                suite,
            }
        });
        let mut suites: Vec<MeasuredSuite> = measured.collect();
        suites.sort_by_cached_key(|measured| size(&measured.reached.files));
        let searched = Part::Searched.of(suites.iter().map(|measured| &measured.suite), &project);
        let seed = config.fuzz.seed.unwrap_or(U256::ZERO);
        let (plan, context) = project::plan(project.clone(), fork, searched, RunOptions::new(seed))?;
        let inputs = suites.iter().map(|MeasuredSuite { suite, .. }| {
            let stored = CorpusStore::new(&config.paths.corpus, suite.id()).read().entries;
            (suite.id().clone(), stored.into_iter().collect())
        });
        let mut original = Self {
            findings,
            failing: failing.into_iter().chain(removed).collect(),
            code: project.code_fingerprint(),
            inputs: inputs.collect(),
            outcomes: BTreeMap::new(),
            statements: BTreeMap::new(),
            root: config.paths.root.clone(),
            covered: covered.files,
            project,
            plan,
            context,
            suites,
        };
        let limit = stop.clone().after(Some(budget * REPLAY));
        (original.outcomes, original.statements) =
            campaign::outcomes_and_statements(original.build(), &original.inputs, &limit);
        Ok(original)
    }

    /// Returns the campaigns without a change.
    pub(super) fn build(&self) -> Build<'_> {
        Build { plan: &self.plan, context: &self.context }
    }

    /// Returns the sources that import that of a mutant and that no suite needs, by absolute path: suites that depend
    /// on the mutant neither import nor name nor run them.
    pub(super) fn unneeded_importers<'a>(&'a self, mutant: &Mutant) -> impl Iterator<Item = PathBuf> + 'a {
        let changed = self.root.join(&mutant.path);
        let files = self.project.statements().files().iter();
        let others = files.filter(|file| !self.covered.get(&file.path).is_some_and(FileCoverage::was_run));
        let paths = others.map(|file| self.root.join(&*file.path));
        paths.filter(move |path| {
            let is_needed = |measured: &MeasuredSuite| {
                self.project.is_affected(&measured.suite, &BTreeSet::from([path.clone()]))
            };
            *path != changed && self.project.depends(path, &changed) && !self.suites.iter().any(is_needed)
        })
    }

    /// Tells whether any contract has code of the function of a change. Those of libraries are only in contracts that
    /// call them.
    pub(super) fn has_code(&self, mutant: &Mutant) -> bool {
        let source = self.project.statements().files().iter().find(|file| *file.path == *mutant.path);
        let function = source.and_then(|source| function_at(source, mutant));
        let path = self.root.join(&mutant.path);
        function.is_none_or(|function| self.project.has_code(&path, &function.range))
    }

    /// Returns the ids of all suites.
    pub(super) fn suite_ids(&self) -> Vec<ContractId> {
        self.suites.iter().map(|measured| measured.suite.id().clone()).collect()
    }

    /// Returns the suites for a mutant.
    pub(super) fn suites_for(&self, mutant: &Mutant) -> ReachingSuites<'_> {
        let files = self.project.statements().files();
        let file = files.iter().position(|file| *file.path == *mutant.path);
        let source = file.map(|file| &files[file]);
        let statement = source.and_then(|source| statement_at(source, mutant)).map(|(index, _)| index);
        let id = file.zip(statement).map(|(file, statement)| (file as u32, statement as u32));
        let depends = |measured: &&MeasuredSuite| {
            self.project.is_affected(&measured.suite, &BTreeSet::from([self.root.join(&mutant.path)]))
        };
        let was_run = |files: &ReachedFiles| was_run(mutant, files.get(&*mutant.path)?, source?);
        // Code that is known to run in a deployed contract has not run in a suite that does not mention it.
        let is_known = was_run(&self.covered).is_some();
        let may_reach = |measured: &&MeasuredSuite| match was_run(&measured.reached.files) {
            Some(was_run) => was_run || !measured.was_searched,
            None => !is_known || !measured.is_whole(),
        };
        let depending: Vec<&MeasuredSuite> = self.suites.iter().filter(depends).collect();
        let reaching = depending.iter().copied().filter(may_reach).map(|measured| &measured.suite);
        let text = format!("{:?} {:?}", mutant.range, source.map(|source| &source.text));
        let keys = depending.iter().map(|measured| measured.key);
        let keys: Vec<B256> = [keccak256(text)].into_iter().chain(keys).collect();
        ReachingSuites {
            reaching: reaching.collect(),
            inputs: id.map(|id| self.inputs_that_run(id)).unwrap_or_default(),
            depending: depending.iter().map(|measured| &measured.suite).collect(),
            key: keccak256(keys.concat()),
        }
    }

    fn inputs_that_run(&self, statement: StatementId) -> BTreeSet<InputKey> {
        let all = self.statements.iter();
        let running = all.filter(|(_, statements)| statements.binary_search(&statement).is_ok());
        running.map(|(key, _)| key.clone()).collect()
    }
}

impl MeasuredSuite {
    /// Tells whether the coverage has all that the suite runs.
    fn is_whole(&self) -> bool {
        self.was_searched && self.reached.looked == Looked::Everywhere
    }
}

/// Suites for a mutant, those that run the least code first.
pub(super) struct ReachingSuites<'a> {
    /// Suites that run the statement of the change, or may run it, if that is not known.
    pub(super) reaching: Vec<&'a Suite>,
    /// Inputs that are known to run the statement.
    pub(super) inputs: BTreeSet<InputKey>,
    /// Suites that depend on the source.
    pub(super) depending: Vec<&'a Suite>,
    /// Hash of all that decides the verdict.
    pub(super) key: B256,
}

/// Returns the time of the search without a change.
fn search_time(args: &MutantTestArgs, suites: &[Suite], project: &Project) -> Duration {
    let searched = u32::try_from(Part::Searched.of(suites, project).len()).unwrap_or(u32::MAX);
    let enough = Duration::from_secs(args.budget.into()) * SEARCH;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    args.corpus_budget.map_or(enough.max(seconds(searched)), seconds)
}

/// Run of all tests without a change: first those without random inputs, which no time limits, then the search.
#[derive(Default)]
struct FirstRun {
    /// Tests that failed: suite and signature.
    failing: BTreeSet<(ContractId, String)>,
    /// Functions with failed assertions.
    findings: BTreeSet<String>,
    /// Coverage of all suites together.
    covered: SourceCoverage,
    /// Coverage of each suite.
    reached: BTreeMap<ContractId, SourceCoverage>,
    /// Suites whose search began before the time was over.
    searched: BTreeSet<ContractId>,
}

impl FirstRun {
    /// Runs the tests of suites with a search of this time.
    fn of(
        project: &Arc<Project>,
        fork: &LazyFork<'_>,
        suites: &[Suite],
        time: Duration,
        stop: &CancellationToken,
        emit: &mut dyn FnMut(&Event),
    ) -> Result<Self> {
        let config = &fork.loaded.config;
        let seed = config.fuzz.seed.unwrap_or(U256::ZERO);
        let threads = project::threads(config);
        let mut first = Self::default();
        for (part, budget) in [(Part::Fixed, None), (Part::Searched, Some(time))] {
            let suites = part.of(suites, project);
            if suites.is_empty() {
                continue;
            }
            let options = RunOptions { threads, sources: true, budget, ..RunOptions::new(seed) };
            let (plan, context) = project::plan(project.clone(), fork, suites, options)?;
            let reached = &mut first.reached;
            // The report of the whole run has the coverage of all suites together only.
            let report = campaign::run_plan(&plan, &context, stop, &mut |event| {
                if let Event::SuiteFinished(suite) = event {
                    reached.entry(suite.id.clone()).or_default().add(suite.coverage.sources.clone());
                }
                emit(event);
            });
            first.add(report, part);
        }
        Ok(first)
    }

    /// Adds the report of a part.
    fn add(&mut self, report: RunReport, part: Part) {
        self.covered.add(report.covered);
        for suite in report.suites {
            let failed = suite.tests.iter().filter(|test| test.status == Status::Failure);
            self.failing.extend(failed.map(|test| (suite.id.clone(), test.signature.clone())));
            self.findings.extend(suite.findings.iter().map(|finding| finding.entry.function.clone()));
            self.searched.extend((part == Part::Searched).then_some(suite.id));
        }
    }
}

/// Returns a hash of a suite, its tests, its settings and the sources that it depends on.
fn key(suite: &Suite, project: &Project, config: &Config) -> B256 {
    let mut text = format!("{} {} {config:?}\0", env!("CARGO_PKG_VERSION"), suite.id());
    let tests = suite.tests.iter().map(|test| test.function.signature());
    let properties = suite.properties.iter().map(|property| property.function.signature().to_owned());
    tests.chain(properties).for_each(|signature| text += &format!("{signature}\0"));
    project.each_source(|path, _, source| {
        if project.is_affected(suite, &BTreeSet::from([config.paths.root.join(path)])) {
            text += &format!("{path}\0{source}\0");
        }
    });
    keccak256(text)
}

impl Part {
    /// Returns the suites of the project with their tests of this part.
    pub(super) fn of<'a>(self, suites: impl IntoIterator<Item = &'a Suite>, project: &Project) -> Vec<Suite> {
        let suite = |suite: &'a Suite| {
            let contract = project.contract(suite.id())?;
            let mut suite = Suite { contract: contract.clone(), ..Suite::clone(suite) };
            let is_searched =
                |kind: FunctionKind| kind == FunctionKind::Fuzz || kind == FunctionKind::Invariant;
            suite.tests.retain(|test| is_searched(test.kind) == (self == Self::Searched));
            if self == Self::Fixed {
                suite.properties.clear();
            }
            has_tests(&suite).then_some(suite)
        };
        suites.into_iter().filter_map(suite).collect()
    }
}

/// Removes the `testFail*` functions of suites, because of which their other tests would not run. Returns each with its
/// suite.
fn take_removed(suites: &mut [Suite]) -> Vec<(ContractId, String)> {
    let mut removed = Vec::new();
    for suite in suites {
        let fault = suite.fault.take_if(|fault| matches!(fault, SuiteFault::Removed { .. }));
        let Some(SuiteFault::Removed { signatures, .. }) = fault else { continue };
        suite.tests.retain(|test| !signatures.contains(&test.function.signature()));
        removed.extend(signatures.into_iter().map(|signature| (suite.id().clone(), signature)));
    }
    removed
}

/// Returns a suite without the tests that failed, if others are left. A suite whose deployment or `setUp` failed has
/// none.
fn passing(mut suite: Suite, failing: &BTreeSet<(ContractId, String)>) -> Option<Suite> {
    let id = suite.id().clone();
    let failed = |signature: &str| failing.contains(&(id.clone(), signature.to_owned()));
    suite.tests.retain(|test| !failed(&test.function.signature()));
    suite.properties.retain(|property| !failed(property.function.signature()));
    let is_set_up = !["constructor()", "setUp()"].into_iter().any(failed);
    (suite.fault.is_none() && is_set_up && has_tests(&suite)).then_some(suite)
}

fn has_tests(suite: &Suite) -> bool {
    !suite.tests.is_empty() || !suite.properties.is_empty()
}

/// Returns the number of statements that were run.
fn size(files: &ReachedFiles) -> usize {
    let statements = files.values().flat_map(|file| file.statements.values());
    statements.filter(|was_run| **was_run).count()
}

/// Returns the statement of a change, with its index.
fn statement_at<'a>(source: &'a SourceStatements, mutant: &Mutant) -> Option<(usize, &'a Statement)> {
    let statements = source.statements.iter().enumerate().rev();
    statements.into_iter().find(|(_, statement)| statement.range.contains(&mutant.range.start))
}

/// Returns the function of a change.
fn function_at<'a>(source: &'a SourceStatements, mutant: &Mutant) -> Option<&'a FunctionRange> {
    source.functions.iter().find(|function| function.range.contains(&mutant.range.start))
}

/// Tells whether the code of a change was run; none if that is not known, as for constructors.
fn was_run(mutant: &Mutant, file: &FileCoverage, source: &SourceStatements) -> Option<bool> {
    let around = statement_at(source, mutant);
    let statement = around.and_then(|(_, statement)| file.statements.get(&source.extent(&statement.range)));
    let function = || {
        let around = function_at(source, mutant)?;
        file.functions.get(&source.position(around.range.start)).map(|(_, was_run)| *was_run)
    };
    // A whole block, or the head of a function, is no statement.
    statement.copied().or_else(function)
}
