//! Tests of mutants, one after the other: unit tests, then the inputs of the corpus, then a search.

use super::{
    choice::ChosenMutant,
    original::{Original, ReachingSuites},
    parts::Part,
    workspace::Workspace,
};
use crate::{
    campaign::{
        self, Build, CancellationToken, InputKey, InputOutcomes, Plan, StoredInputs, explain_difference,
        fails_after,
    },
    model::{Counterexample, DifferenceKind, KillStep, MutantVerdict, OutcomeDifference, RunReport, Status},
    project::{Project, SourceVariants, Suite},
    report,
};
use alloy_primitives::B256;
use anyhow::Result;
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Ids of mutants by their code.
#[derive(Default)]
pub(super) struct Codes(Mutex<HashMap<B256, String>>);

impl Codes {
    /// Enters the code of a mutant. Returns the id of another mutant with the same code.
    pub(super) fn enter(&self, code: B256, id: &str) -> Option<String> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = codes.entry(code).or_insert_with(|| id.to_owned());
        (known != id).then(|| known.clone())
    }
}

/// Parts of a mutant's time.
const PARTS: u32 = 8;
/// Part at which the replay of known inputs ends.
const KNOWN: u32 = 3;
/// Part at which the search ends, whose inputs are replayed in the rest.
const SEARCHED: u32 = 7;

/// Tests mutants in a directory of its own.
pub(super) struct MutantTester<'a> {
    pub(super) original: &'a Original,
    pub(super) codes: &'a Codes,
    pub(super) stop: &'a CancellationToken,
    /// Time of the inputs and the search.
    pub(super) budget: Duration,
    /// False if only stored inputs are run.
    pub(super) searches: bool,
    pub(super) workspace: Workspace,
}

impl MutantTester<'_> {
    /// Compiles and tests a mutant. Returns the verdict with the hash of its code, if it was compiled; no verdict if
    /// the run was interrupted, or a call used up the time or the memory of the run.
    ///
    /// # Errors
    /// When the mutant cannot be compiled for another reason than its text.
    pub(super) fn verdict(
        &mut self,
        chosen: &ChosenMutant,
        suites: &ReachingSuites<'_>,
        variants: &SourceVariants,
    ) -> Result<Option<(MutantVerdict, Option<B256>)>> {
        let project = match self.workspace.compile(&chosen.mutant, variants, &self.original.project)? {
            Ok(project) => Arc::new(project),
            Err(error) => return Ok(Some((MutantVerdict::Invalid { error }, None))),
        };
        let code = project.code_fingerprint();
        let verdict = if code == self.original.code {
            // Code that no test needs may differ, and a function may be in no code.
            let is_compiled = variants.is_whole() || !suites.reaching.is_empty();
            let is_equal = is_compiled && self.original.has_code(&chosen.mutant);
            Some(if is_equal { MutantVerdict::Equivalent } else { MutantVerdict::NotReached })
        } else if let Some(of) = self.codes.enter(code, &chosen.id) {
            Some(MutantVerdict::Duplicate { of })
        } else if suites.reaching.is_empty() {
            // Constructors may run it, which the coverage does not show.
            let fixed = Part::Fixed.of(suites.depending.iter().copied(), &project);
            let killed = self.run(&project, fixed, Part::Fixed, None)?;
            killed.or_verdict(|| MutantVerdict::NotReached)
        } else {
            self.test(&project, suites)?
        };
        Ok(verdict.filter(|_| !self.stop.is_interrupted()).map(|verdict| (verdict, Some(code))))
    }

    /// Runs the unit tests, then the stored inputs, then the search, until a test fails.
    fn test(&self, project: &Arc<Project>, suites: &ReachingSuites<'_>) -> Result<Option<MutantVerdict>> {
        let ReachingSuites { reaching, inputs: first, .. } = suites;
        let fixed = Part::Fixed.of(reaching.iter().copied(), project);
        match self.run(project, fixed, Part::Fixed, None)? {
            TestRunEnd::Passed => {}
            ended => return Ok(ended.or_verdict(|| MutantVerdict::Survived { difference: None })),
        }
        let searched = Part::Searched.of(reaching.iter().copied(), project);
        if searched.is_empty() {
            return Ok(Some(MutantVerdict::Survived { difference: None }));
        }
        let aimed = self.original.tests_that_run(suites, &searched);
        let (plan, context) = self.workspace.plan(project, searched, None, true)?;
        let start = Instant::now();
        let rest = |parts: u32| (self.budget * parts / PARTS).saturating_sub(start.elapsed());
        let build = Build { plan: &plan, context: &context };
        let originals = &self.original.known.outcomes;
        let known = self.replay(build, &self.original.known.inputs, first, originals, rest(KNOWN));
        if known.killed.is_some() {
            return Ok(known.killed);
        }
        if self.searches {
            self.workspace.store_seeds(&self.seeds(&plan, &known.differing, first))?;
            let time = rest(SEARCHED).max(self.budget / 4);
            match self.run(project, aimed, Part::Searched, Some(time))? {
                TestRunEnd::Passed => {}
                ended => return Ok(ended.or_verdict(|| MutantVerdict::Survived { difference: None })),
            }
        }
        let difference = match known.differing.is_empty() {
            false => self.describe(build, &self.original.known.inputs, known),
            true if !self.searches => None,
            true => {
                let found = self.workspace.found_inputs(&plan, &self.original.known.inputs);
                let half = rest(PARTS) / 2;
                let originals = campaign::all_outcomes(
                    self.original.build(),
                    &found,
                    &self.stop.clone().after(Some(half)),
                );
                let replayed = self.replay(build, &found, &BTreeSet::new(), &originals, half);
                self.describe(build, &found, replayed)
            }
        };
        Ok(Some(MutantVerdict::Survived { difference }))
    }

    /// Runs suites, with tests of one part, until a test fails that does not fail without the change.
    fn run(
        &self,
        project: &Arc<Project>,
        suites: Vec<Suite>,
        part: Part,
        budget: Option<Duration>,
    ) -> Result<TestRunEnd> {
        if suites.is_empty() {
            return Ok(TestRunEnd::Passed);
        }
        let by = if part == Part::Fixed { KillStep::UnitTest } else { KillStep::Search };
        let start = Instant::now();
        // Findings of the original would end the search, and so does a bug that it finds of the original.
        let mut fail_fast = self.original.findings.is_empty();
        loop {
            let time = budget.map(|budget| budget.saturating_sub(start.elapsed()));
            let (plan, context) = self.workspace.plan(project, suites.clone(), time, fail_fast)?;
            let report = campaign::run_plan(&plan, &context, &self.stop.clone().after(None), &mut |_| ());
            // The call that runs when the process needs too much memory may be that of another mutant.
            if report.overrun {
                return Ok(TestRunEnd::CutOff);
            }
            if let Some((suite, test)) = self.failure(&report, part) {
                return Ok(TestRunEnd::Killed(MutantVerdict::Killed { suite, test, by }));
            }
            let has_ended_early = fail_fast && part == Part::Searched && has_failed(&report);
            if !has_ended_early || self.stop.is_interrupted() {
                return Ok(TestRunEnd::Passed);
            }
            fail_fast = false;
        }
    }

    /// Returns the suite and the name of the first failure that does not occur without the change.
    fn failure(&self, report: &RunReport, part: Part) -> Option<(String, String)> {
        let mut failures = report.suites.iter().flat_map(|suite| {
            let failed = suite.tests.iter().filter(|test| test.status == Status::Failure);
            let new =
                suite.findings.iter().filter(|found| !self.original.findings.contains(&found.entry.function));
            let tests = failed.map(|test| (test.signature.clone(), test.counterexample.as_ref()));
            let found = new
                .map(|found| (campaign::assertion_name(&found.entry.function), Some(&found.counterexample)));
            tests.chain(found).map(|(name, shown)| (&suite.id, name, shown))
        });
        let is_new = |shown: Option<&Counterexample>, suite, test: &str| {
            // What a search finds may be a bug of the original.
            let shown = shown.filter(|_| part == Part::Searched);
            shown.is_none_or(|shown| !fails_after(self.original.build(), suite, test, shown))
        };
        let found = failures.find(|(suite, test, shown)| is_new(*shown, suite, test));
        found.map(|(suite, test, _)| (suite.to_string(), test))
    }

    /// Runs inputs, those in `first` before others, for a time, until a property does not hold that holds without the
    /// change.
    fn replay(
        &self,
        build: Build<'_>,
        inputs: &StoredInputs,
        first: &BTreeSet<InputKey>,
        originals: &InputOutcomes,
        time: Duration,
    ) -> ReplayedInputs {
        let stop = self.stop.clone().after(Some(time));
        let mut replayed = ReplayedInputs::default();
        let killed = |suite: String, test: String, by| Some(MutantVerdict::Killed { suite, test, by });
        let failed = campaign::outcomes(build, inputs, first, &stop, &mut |key, outcome| {
            let Some(original) = originals.get(&key) else { return ControlFlow::Continue(()) };
            if let Some(test) = outcome.broken.difference(&original.broken).next() {
                replayed.killed = killed(key.suite.to_string(), test.clone(), KillStep::Corpus);
                return ControlFlow::Break(());
            }
            if let Some((call, kind)) = original.difference(&outcome) {
                replayed.differing.push(Differing { key, call, kind });
            }
            ControlFlow::Continue(())
        });
        if let Some(suite) = failed.first() {
            replayed.killed = killed(suite.to_string(), "setUp()".to_owned(), KillStep::UnitTest);
        }
        replayed
    }

    /// Returns the seeds of the search, for each suite: the inputs whose effects differ, or else those that run the
    /// statement of the change, or else all.
    fn seeds(&self, plan: &Plan, differing: &[Differing], first: &BTreeSet<InputKey>) -> StoredInputs {
        let seeds = plan.suites.iter().filter_map(|suite| {
            let id = suite.suite.id();
            let entries = self.original.known.inputs.get(id)?;
            let of_suite = |keys: &mut dyn Iterator<Item = &InputKey>| -> BTreeSet<usize> {
                keys.filter(|key| key.suite == *id).map(|key| key.input).collect()
            };
            let chosen = [
                of_suite(&mut differing.iter().map(|differing| &differing.key)),
                of_suite(&mut first.iter()),
                (0..entries.len()).collect(),
            ];
            let seeds = chosen.into_iter().find(|indices| !indices.is_empty()).unwrap_or_default();
            Some((id.clone(), seeds.into_iter().map(|index| entries[index].clone()).collect()))
        });
        seeds.collect()
    }

    /// Describes the most important difference that the calls show again; of these, the one with the fewest calls.
    fn describe(
        &self,
        build: Build<'_>,
        inputs: &StoredInputs,
        mut replayed: ReplayedInputs,
    ) -> Option<OutcomeDifference> {
        replayed.differing.sort_by_key(|differing| (Reverse(differing.kind), differing.call));
        let stop = self.stop.clone().after(Some(self.budget));
        let described = |Differing { key, call, kind }: &Differing| {
            let entry = inputs.get(&key.suite)?.get(key.input)?;
            let found = explain_difference(self.original.build(), build, entry, key, (*call, *kind), &stop)?;
            Some(OutcomeDifference {
                suite: key.suite.to_string(),
                kind: found.kind,
                original: found.original,
                mutant: found.mutant,
                calls: found.calls.iter().map(report::call_line).collect(),
            })
        };
        replayed.differing.iter().take(MOST_DESCRIBED).find_map(described)
    }
}

/// Number of differences of which it is tried at most to describe one.
const MOST_DESCRIBED: usize = 8;

/// Tells whether a test failed, or an assertion.
fn has_failed(report: &RunReport) -> bool {
    report.suites.iter().any(|suite| {
        !suite.findings.is_empty() || suite.tests.iter().any(|test| test.status == Status::Failure)
    })
}

/// End of a run of tests.
enum TestRunEnd {
    Killed(MutantVerdict),
    Passed,
    /// A call used up the time or the memory of the run, which says nothing.
    CutOff,
}

impl TestRunEnd {
    /// Returns the verdict of a run that ended with one, or that of tests that passed.
    fn or_verdict(self, passed: impl FnOnce() -> MutantVerdict) -> Option<MutantVerdict> {
        match self {
            Self::Killed(verdict) => Some(verdict),
            Self::Passed => Some(passed()),
            Self::CutOff => None,
        }
    }
}

/// Input whose effects differ from those without the change.
struct Differing {
    key: InputKey,
    /// Index of the first call whose effects differ.
    call: usize,
    /// Most important kind of effect that differs.
    kind: DifferenceKind,
}

/// Result of inputs.
#[derive(Default)]
struct ReplayedInputs {
    /// Verdict, if a property does not hold.
    killed: Option<MutantVerdict>,
    differing: Vec<Differing>,
}
