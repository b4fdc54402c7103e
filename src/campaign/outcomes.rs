//! Effects of stored inputs on the current code, and the statements that they execute. By them, a mutant is compared
//! with the original.

mod effects;
mod statements;

use super::{
    CancellationToken, Plan, SuitePlan,
    corpora::each_group,
    plan::{CampaignPlan, Objective},
    store::corpus::CorpusEntry,
};
use crate::{
    evm::{
        exec::{
            executor::{EvmExecutor, RecordedRun},
            test_env::{ProjectContext, TestEnv},
        },
        trace::coverage::Coverage,
    },
    model::{
        ContractId, Counterexample, DifferenceKind, Sequence, SequenceCall, Transaction, executor::Checks,
    },
    project::StatementId,
};
use effects::{EffectHasher, KINDS, kept, texts};
use statements::statements_of_inputs;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    panic::resume_unwind,
    sync::Arc,
    thread,
};

/// A stored input of a suite, as one of the suite's campaigns runs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputKey {
    /// The suite.
    pub suite: ContractId,
    /// Index of the campaign.
    pub campaign: usize,
    /// Index of the input.
    pub input: usize,
}

/// Outcome of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputOutcome {
    /// Signatures of the properties that do not hold afterwards, and names of failed assertions.
    pub broken: BTreeSet<String>,
    /// Hash of the effects of each call that ran, by kind.
    effects: Vec<[u64; KINDS]>,
}

impl InputOutcome {
    /// Returns the first call whose effects are others than here, with the most important kind in which they differ.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<(usize, DifferenceKind)> {
        let calls = self.effects.iter().zip(&other.effects).enumerate();
        let mut differing = calls.filter_map(|(index, (ours, theirs))| {
            let differs = |kind: &DifferenceKind| ours[*kind as usize] != theirs[*kind as usize];
            let kind = DifferenceKind::ALL.into_iter().rev().find(differs)?;
            Some((index, kind))
        });
        differing.next()
    }
}

/// Stored inputs by suite.
pub type StoredInputs = BTreeMap<ContractId, Vec<CorpusEntry>>;

/// Outcomes of inputs.
pub type InputOutcomes = BTreeMap<InputKey, InputOutcome>;

/// Statements that each input executes, in order.
pub type InputStatements = BTreeMap<InputKey, Box<[StatementId]>>;

/// Campaigns of a build, with the environment in which they run.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// Campaigns.
    pub plan: &'a Plan,
    /// Environment of the campaigns.
    pub context: &'a ProjectContext,
}

impl<'a> Build<'a> {
    fn suite(self, id: &ContractId) -> Option<&'a SuitePlan> {
        self.plan.suites.iter().find(|suite| suite.suite.id() == id)
    }

    /// Returns the signatures of the properties or of the test of the campaign that runs an input.
    #[must_use]
    pub fn tests(self, key: &InputKey) -> Vec<String> {
        let suite = self.suite(&key.suite);
        let campaign = suite.and_then(|suite| Some((suite, suite.groups.get(key.campaign)?)));
        campaign.map(|(suite, campaign)| campaign.tests(&suite.suite)).unwrap_or_default()
    }
}

/// Runs the stored inputs of all suites, those in `first` before others, and shows each outcome to `see`, until it
/// breaks off or `stop` requests the end. Returns the suites that cannot be set up.
pub fn outcomes(
    build: Build<'_>,
    inputs: &StoredInputs,
    first: &BTreeSet<InputKey>,
    stop: &CancellationToken,
    see: &mut dyn FnMut(InputKey, InputOutcome) -> ControlFlow<()>,
) -> BTreeSet<ContractId> {
    each_input(build, inputs, first, stop, &mut |replayer, key, entry| match replayer.outcome(entry) {
        Some(outcome) => see(key, outcome),
        None => ControlFlow::Continue(()),
    })
}

/// Runs the stored inputs of all suites until `stop` requests the end, and returns their outcomes.
#[must_use]
pub fn all_outcomes(build: Build<'_>, inputs: &StoredInputs, stop: &CancellationToken) -> InputOutcomes {
    let mut all = BTreeMap::new();
    outcomes(build, inputs, &BTreeSet::new(), stop, &mut |key, outcome| {
        all.insert(key, outcome);
        ControlFlow::Continue(())
    });
    all
}

/// Returns [`all_outcomes`], and the statements that each input executes.
#[must_use]
pub fn outcomes_and_statements(
    build: Build<'_>,
    inputs: &StoredInputs,
    stop: &CancellationToken,
) -> (InputOutcomes, InputStatements) {
    thread::scope(|scope| {
        let outcomes = scope.spawn(|| all_outcomes(build, inputs, stop));
        let statements = statements_of_inputs(build, inputs, stop);
        (outcomes.join().unwrap_or_else(|panic| resume_unwind(panic)), statements)
    })
}

/// Calls `see` with each stored input of all suites, as [`outcomes`] does.
fn each_input(
    build: Build<'_>,
    inputs: &StoredInputs,
    first: &BTreeSet<InputKey>,
    stop: &CancellationToken,
    see: &mut dyn FnMut(&mut Replayer<'_>, InputKey, &CorpusEntry) -> ControlFlow<()>,
) -> BTreeSet<ContractId> {
    let mut failed = BTreeSet::new();
    for are_first in [true, false] {
        for suite in &build.plan.suites {
            let id = suite.suite.id();
            let Some(entries) = inputs.get(id) else { continue };
            if failed.contains(id) || are_first && !first.iter().any(|key| key.suite == *id) {
                continue;
            }
            let mut is_over = false;
            let ran = each_replayer(suite, build, stop, |campaign, replayer| {
                let keys = (0..entries.len()).map(|input| InputKey { suite: id.clone(), campaign, input });
                for key in keys.filter(|key| first.contains(key) == are_first) {
                    if is_over || stop.is_run_ending() {
                        return;
                    }
                    let entry = &entries[key.input];
                    is_over = see(replayer, key, entry).is_break();
                }
            });
            if ran.is_err() {
                failed.insert(id.clone());
            }
            if is_over || stop.is_run_ending() {
                return failed;
            }
        }
    }
    failed
}

/// Tells whether a test fails after the calls of a counterexample. `test` is the signature of a test, or the name of an
/// assertion.
#[must_use]
pub fn fails_after(build: Build<'_>, suite: &ContractId, test: &str, shown: &Counterexample) -> bool {
    let sequence: Sequence = shown.calls.iter().map(|call| call.tx.clone()).collect();
    let Some(suite) = build.suite(suite) else { return false };
    let stop = CancellationToken::new(Arc::default());
    let mut fails = false;
    // A suite that cannot be set up fails another test.
    _ = each_replayer(suite, build, &stop, |_, replayer| {
        let entry = CorpusEntry::new(&sequence, &replayer.test_env.targets);
        fails |= replayer.outcome(&entry).is_some_and(|outcome| outcome.broken.contains(test));
    });
    fails
}

/// Returns the name under which failed assertions in calls of a function are reported.
#[must_use]
pub fn assertion_name(function: &str) -> String {
    format!("assertion in {function}")
}

/// First difference between two builds.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Calls, the last of which has other effects.
    pub calls: Vec<SequenceCall>,
    /// Kind of the effects.
    pub kind: DifferenceKind,
    /// Effect of the original.
    pub original: String,
    /// Effect of the mutant.
    pub mutant: String,
}

/// Removes the calls of an input that its difference does not need, until `stop` requests the end, and describes it.
/// `call` and `kind` are those of [`InputOutcome::difference`]. If no effect of this kind can be named, because
/// accounts are only called in another order, it describes a less important kind. Returns `None` if the calls show none
/// again.
#[must_use]
pub fn explain_difference(
    original: Build<'_>,
    mutant: Build<'_>,
    entry: &CorpusEntry,
    key: &InputKey,
    (call, kind): (usize, DifferenceKind),
    stop: &CancellationToken,
) -> Option<Difference> {
    let mut found = None;
    with_replayer(original, key, stop, |theirs| {
        with_replayer(mutant, key, stop, |ours| {
            let mut entry = theirs.normal(entry).truncated(call + 1);
            let mut differs = |entry: &CorpusEntry| {
                let (ours, theirs) = (ours.outcome(entry), theirs.outcome(entry));
                let difference = ours.zip(theirs).and_then(|(ours, theirs)| theirs.difference(&ours));
                difference == Some((entry.len() - 1, kind))
            };
            if !differs(&entry) {
                return;
            }
            for index in (0..call).rev().take_while(|_| !stop.is_run_ending()) {
                let shorter = entry.without(index);
                if differs(&shorter) {
                    entry = shorter;
                }
            }
            let less = DifferenceKind::ALL.into_iter().rev().skip_while(|other| *other != kind);
            found = less.into_iter().find_map(|kind| described(theirs, ours, &entry, kind));
        });
    });
    found
}

/// Calls `f` with a runner of the inputs of a campaign, unless its suite cannot be set up.
fn with_replayer(
    build: Build<'_>,
    key: &InputKey,
    stop: &CancellationToken,
    mut f: impl FnMut(&mut Replayer<'_>),
) {
    let Some(suite) = build.suite(&key.suite) else { return };
    // The suites of both builds could be set up before.
    _ = each_replayer(suite, build, stop, |campaign, replayer| {
        if campaign == key.campaign {
            f(replayer);
        }
    });
}

/// Calls `f` with the index of each campaign of a suite, and a runner of its inputs.
///
/// # Errors
/// As those of [`each_group`].
fn each_replayer(
    suite: &SuitePlan,
    build: Build<'_>,
    stop: &CancellationToken,
    mut f: impl FnMut(usize, &mut Replayer<'_>),
) -> Result<(), String> {
    let mut campaign = 0;
    each_group(suite, build.context, |group, test_env, _| {
        f(campaign, &mut Replayer::new(group, test_env, stop));
        campaign += 1;
    })
}

fn described(
    theirs: &mut Replayer<'_>,
    ours: &mut Replayer<'_>,
    entry: &CorpusEntry,
    kind: DifferenceKind,
) -> Option<Difference> {
    let (original, mutant) = (theirs.last_effects(entry, kind)?, ours.last_effects(entry, kind)?);
    let only_in =
        |some: &[String], others: &[String]| some.iter().find(|effect| !others.contains(effect)).cloned();
    let (without, with) = (only_in(&original, &mutant), only_in(&mutant, &original));
    if without.is_none() && with.is_none() {
        return None;
    }
    let shown = |effect: Option<String>| effect.unwrap_or_else(|| "nothing of this kind".to_owned());
    Some(Difference { calls: ours.calls(entry), kind, original: shown(without), mutant: shown(with) })
}

/// Runner of inputs in one campaign of a suite.
struct Replayer<'a> {
    test_env: &'a Arc<TestEnv>,
    executor: EvmExecutor,
    checks: Checks,
}

impl<'a> Replayer<'a> {
    fn new(group: &CampaignPlan, test_env: &'a Arc<TestEnv>, stop: &CancellationToken) -> Self {
        let invariant = &group.config.invariant;
        let mut executor = EvmExecutor::new(test_env.clone());
        let stop = stop.clone();
        executor.begin_replays(Arc::new(move || stop.is_run_ending()));
        let properties = match &group.objective {
            Objective::Invariants(properties) => properties.clone(),
            Objective::Test(_) => vec![0],
        };
        let checks = Checks {
            fail_on_revert: invariant.fail_on_revert,
            after_invariant: test_env.suite.after_invariant.is_some(),
            depth: invariant.depth,
            ..Checks::at_the_end(properties)
        };
        Self { test_env, executor, checks }
    }

    /// Returns an input with the calls that exist.
    fn normal(&self, entry: &CorpusEntry) -> CorpusEntry {
        let targets = &self.test_env.targets;
        CorpusEntry::new(&entry.sequence(targets), targets)
    }

    /// Runs an input; none if it calls nothing, or the end was requested meanwhile.
    fn run(&mut self, entry: &CorpusEntry) -> Option<(Sequence, RecordedRun)> {
        let sequence = entry.sequence(&self.test_env.targets);
        if sequence.is_empty() {
            return None;
        }
        let run = self.executor.replay(&sequence, &self.checks);
        (!self.executor.was_ended()).then_some((sequence, run))
    }

    /// Returns the code that an input executes; none as in [`Self::run`].
    fn coverage(&mut self, entry: &CorpusEntry) -> Option<Coverage> {
        let sequence = entry.sequence(&self.test_env.targets);
        let coverage = self.executor.covered_by(&sequence, &self.checks);
        (!sequence.is_empty() && !self.executor.was_ended()).then_some(coverage)
    }

    fn outcome(&mut self, entry: &CorpusEntry) -> Option<InputOutcome> {
        let (sequence, run) = self.run(entry)?;
        let properties = &self.test_env.suite.properties;
        let broken = run.observation.broken.iter();
        let broken = broken.map(|broken| properties[broken.property].function.signature().to_owned());
        let asserted =
            run.observation.steps.iter().zip(&sequence).filter(|(step, _)| step.assertion.is_some());
        let asserted = asserted.map(|(_, tx)| assertion_name(&self.test_env.entered(tx).1));
        let calls = run.traces.iter().take(run.observation.steps.len());
        let mut hasher = EffectHasher::default();
        Some(InputOutcome {
            broken: broken.chain(asserted).collect(),
            effects: calls.map(|trace| hasher.hashes(trace)).collect(),
        })
    }

    /// Describes the effects of the last call, of one kind and in the order of execution.
    fn last_effects(&mut self, entry: &CorpusEntry, kind: DifferenceKind) -> Option<Vec<String>> {
        let (_, run) = self.run(entry)?;
        let last = run.traces.get(run.observation.steps.len().checked_sub(1)?)?;
        let trace = self.test_env.decode(last.clone());
        Some(kept(&trace).flat_map(|(frame, is_kept)| texts(frame, is_kept, kind)).collect())
    }

    fn calls(&self, entry: &CorpusEntry) -> Vec<SequenceCall> {
        let sequence = entry.sequence(&self.test_env.targets).into_iter();
        let call = |tx: Transaction| {
            let contract = self.test_env.identifier(tx.target).map(str::to_owned);
            SequenceCall::new(tx, contract)
        };
        sequence.map(call).collect()
    }
}
