//! The project without a change: its tests, what they reach, and the effects of their inputs.

use super::parts::{Part, is_set_up, passing, take_removed, with_tests};
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
    model::{ContractId, Event, FileCoverage, Looked, Mutant, RunReport, SourceCoverage, Status, TestReport},
    project::{FunctionRange, Project, SourceStatements, Statement, StatementId, Suite},
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
/// Time limit for the effects of the stored inputs, in the same unit. It grows with that of the search.
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
    pub(super) known: KnownInputs,
    pub(super) code: B256,
    /// Seconds of the search.
    pub(super) search_seconds: u64,
}

/// Stored inputs, and what they do without a change.
#[derive(Default)]
pub(super) struct KnownInputs {
    pub(super) inputs: StoredInputs,
    pub(super) outcomes: InputOutcomes,
    /// Statements that each input executes.
    statements: InputStatements,
}

/// Suite without the tests that fail, and the code that they run.
struct MeasuredSuite {
    suite: Suite,
    /// Coverage of all tests.
    reached: SourceCoverage,
    /// True if it has fuzz tests or invariants.
    has_search: bool,
    /// Coverage of these; `None` if the time was over before they ran.
    searched: Option<SourceCoverage>,
    /// Hash of the tests and the sources that they depend on.
    key: B256,
}

/// Coverage by path.
type ReachedFiles = BTreeMap<Arc<str>, FileCoverage>;

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
        let time = search_time(args, &suites, &project);
        let first = FirstRun::of(&project, fork, &suites, time, stop, emit)?;
        let FirstRun { failing, findings, covered, mut reached, mut searched, skipped } = first;
        suites.retain(|suite| !skipped.contains(suite.id()));
        let passing = suites.into_iter().filter_map(|suite| passing(suite, &failing));
        let measured = passing.map(|suite| MeasuredSuite {
            key: key(&suite, &project, config),
            reached: reached.remove(suite.id()).unwrap_or_default(),
            has_search: !Part::Searched.of([&suite], &project).is_empty(),
            searched: searched.remove(suite.id()),
            suite,
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
            known: KnownInputs { inputs: inputs.collect(), ..KnownInputs::default() },
            root: config.paths.root.clone(),
            covered: covered.files,
            project,
            plan,
            context,
            suites,
            search_seconds: time.as_secs(),
        };
        let limit = stop.clone().after(Some((budget * REPLAY).max(time * REPLAY / SEARCH)));
        (original.known.outcomes, original.known.statements) =
            campaign::outcomes_and_statements(original.build(), &original.known.inputs, &limit);
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

    /// Returns the source of a mutant, with its index.
    fn source(&self, mutant: &Mutant) -> Option<(usize, &SourceStatements)> {
        self.project.statements().files().iter().enumerate().find(|(_, file)| *file.path == *mutant.path)
    }

    /// Tells whether any contract has code of the function of a change. Those of libraries are only in contracts that
    /// call them.
    pub(super) fn has_code(&self, mutant: &Mutant) -> bool {
        let function = self.source(mutant).and_then(|(_, source)| function_at(source, mutant));
        let path = self.root.join(&mutant.path);
        function.is_none_or(|function| self.project.has_code(&path, &function.range))
    }

    /// Returns the ids of all suites.
    pub(super) fn suite_ids(&self) -> Vec<ContractId> {
        self.suites.iter().map(|measured| measured.suite.id().clone()).collect()
    }

    /// Returns the suites for a mutant.
    pub(super) fn suites_for(&self, mutant: &Mutant) -> ReachingSuites<'_> {
        let (file, source) = self.source(mutant).unzip();
        let statement = source.and_then(|source| statement_at(source, mutant)).map(|(index, _)| index);
        let id = file.zip(statement).map(|(file, statement)| (file as u32, statement as u32));
        let depends = |measured: &&MeasuredSuite| {
            self.project.is_affected(&measured.suite, &BTreeSet::from([self.root.join(&mutant.path)]))
                || measured.reached.files.get(&*mutant.path).is_some_and(FileCoverage::was_run)
        };
        let was_run = |files: &ReachedFiles| was_run(mutant, files.get(&*mutant.path)?, source?);
        // Code that is known to run in a deployed contract has not run in a suite that does not mention it.
        let is_known = was_run(&self.covered).is_some();
        let may_reach = |measured: &&MeasuredSuite| match was_run(&measured.reached.files) {
            Some(was_run) => was_run || !measured.is_whole(),
            None => !is_known || !measured.is_whole(),
        };
        let searches = |measured: &&MeasuredSuite| {
            let searched =
                measured.searched.as_ref().filter(|searched| searched.looked == Looked::Everywhere);
            searched.is_none_or(|searched| was_run(&searched.files).unwrap_or(!is_known))
        };
        let depending: Vec<&MeasuredSuite> = self.suites.iter().filter(depends).collect();
        let reaching: Vec<&MeasuredSuite> = depending.iter().copied().filter(may_reach).collect();
        let searched = reaching.iter().copied().filter(searches).map(|measured| measured.suite.id().clone());
        let text = format!("{:?} {:?}", mutant.range, source.map(|source| &source.text));
        let keys: BTreeSet<B256> = depending.iter().map(|measured| measured.key).collect();
        let keys: Vec<B256> = [keccak256(text)].into_iter().chain(keys).collect();
        ReachingSuites {
            searched: searched.collect(),
            reaching: reaching.iter().map(|measured| &measured.suite).collect(),
            inputs: id.map(|id| self.inputs_that_run(id)).unwrap_or_default(),
            depending: depending.iter().map(|measured| &measured.suite).collect(),
            key: keccak256(keys.concat()),
        }
    }

    /// Returns suites with those tests alone that run the statement of a change, or may run it: an input is known that
    /// runs it, `setUp` does, or no input of the test is known at all.
    pub(super) fn tests_that_run(&self, reaching: &ReachingSuites<'_>, suites: &[Suite]) -> Vec<Suite> {
        let tests = |keys: &mut dyn Iterator<Item = &InputKey>| -> BTreeSet<(ContractId, String)> {
            let campaigns: BTreeMap<_, _> = keys.map(|key| ((&key.suite, key.campaign), key)).collect();
            let mut named = BTreeSet::new();
            for key in campaigns.into_values() {
                named.extend(self.build().tests(key).into_iter().map(|test| (key.suite.clone(), test)));
            }
            named
        };
        let running = tests(&mut reaching.inputs.iter());
        let known = tests(&mut self.known.statements.keys());
        let chosen =
            suites.iter().filter(|suite| reaching.searched.contains(suite.id())).filter_map(|suite| {
                let has_running = running.iter().any(|(id, _)| id == suite.id());
                with_tests(suite.clone(), |test| {
                    let test = (suite.id().clone(), test.to_owned());
                    !has_running || running.contains(&test) || !known.contains(&test)
                })
            });
        let chosen: Vec<Suite> = chosen.collect();
        if chosen.is_empty() { suites.to_vec() } else { chosen }
    }

    fn inputs_that_run(&self, statement: StatementId) -> BTreeSet<InputKey> {
        let all = self.known.statements.iter();
        let running = all.filter(|(_, statements)| statements.binary_search(&statement).is_ok());
        running.map(|(key, _)| key.clone()).collect()
    }
}

impl MeasuredSuite {
    /// Tells whether the coverage has all that the suite runs.
    fn is_whole(&self) -> bool {
        (!self.has_search || self.searched.is_some()) && self.reached.looked == Looked::Everywhere
    }
}

/// Suites for a mutant, those that run the least code first.
pub(super) struct ReachingSuites<'a> {
    /// Suites that run the statement of the change, or may run it, if that is not known.
    pub(super) reaching: Vec<&'a Suite>,
    /// Those of them whose fuzz tests or invariants run it, or may run it, also in `setUp`.
    searched: BTreeSet<ContractId>,
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
    /// Coverage of the search of each suite for which there was time.
    searched: BTreeMap<ContractId, SourceCoverage>,
    /// Suites that skip themselves when they are set up.
    skipped: BTreeSet<ContractId>,
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
            let FirstRun { reached, searched, .. } = &mut first;
            // The report of the whole run has the coverage of all suites together only.
            let report = campaign::run_plan(&plan, &context, stop, &mut |event| {
                if let Event::SuiteFinished(suite) = event {
                    let sources = &suite.coverage.sources;
                    reached.entry(suite.id.clone()).or_default().add(sources.clone());
                    if part == Part::Searched {
                        searched.insert(suite.id.clone(), sources.clone());
                    }
                }
                emit(event);
            });
            first.add(report);
        }
        Ok(first)
    }

    /// Adds the report of a part.
    fn add(&mut self, report: RunReport) {
        self.covered.add(report.covered);
        for suite in report.suites {
            let failed = suite.tests.iter().filter(|test| test.status == Status::Failure);
            self.failing.extend(failed.map(|test| (suite.id.clone(), test.signature.clone())));
            self.findings.extend(suite.findings.iter().map(|finding| finding.entry.function.clone()));
            let skips = |test: &TestReport| test.status == Status::Skipped && is_set_up(&test.signature);
            self.skipped.extend(suite.tests.iter().any(skips).then_some(suite.id));
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
