//! Operations on corpora that need the callable functions of each suite, but no campaign: minimise, import
//! and export.

use super::{
    CancellationToken, Plan, SuitePlan,
    plan::{CampaignPlan, Objective},
    run::{Campaign, CampaignContext, SuiteClock, classify_inputs},
    store::{
        corpus::{CorpusEntry, CorpusStore, Covered},
        forge::ForgeCorpus,
    },
    suite::test_env_for,
    watchdog::Heartbeats,
};
use crate::{
    config::{Config, CorpusConfig},
    evm::exec::test_env::{ProjectContext, TestEnv},
    files::WriteError,
    model::ContractId,
};
use std::{
    path::Path,
    sync::{Arc, atomic::AtomicUsize},
    time::Instant,
};

/// Result of an operation on the inputs of one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The suite.
    pub suite: ContractId,
    /// Number of inputs before.
    pub before: usize,
    /// Number of inputs that were kept or written.
    pub after: usize,
    /// Number of inputs that call nothing that exists today.
    pub stale: usize,
    /// Warnings, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

impl Converted {
    fn new(suite: &SuitePlan, before: usize) -> Self {
        Self { suite: suite.suite.id().clone(), before, after: 0, stale: 0, warnings: Vec::new() }
    }
}

/// Removes from each suite's corpus the inputs that show nothing beyond what shorter ones show, and those
/// that no longer apply. A suite that cannot be set up is not changed. Neither is any further suite once
/// `stop` requests the end.
///
/// # Errors
/// Fails if a corpus cannot be written.
pub fn minimise(
    plan: &Plan,
    context: &ProjectContext,
    stop: &CancellationToken,
) -> Result<Vec<Converted>, WriteError> {
    let mut all = Vec::new();
    for suite in &plan.suites {
        let corpus = CorpusStore::new(&suite.config.paths.corpus, suite.suite.id());
        let loaded = corpus.read();
        let mut entries: Vec<_> = loaded.entries.into_iter().collect();
        let mut converted = Converted::new(suite, entries.len());
        converted.warnings = loaded.warnings;
        entries.sort_by_cached_key(|entry| (entry.len(), entry.line()));
        let mut useful = vec![Use::Stale; entries.len()];
        let outcome = each_group(suite, context, |group, test_env, redeploy| {
            let recorded = Arc::default();
            let share = share(plan, suite, context, stop, redeploy, &recorded);
            let mut emit = |_| {};
            let campaign = Campaign::new(share, &untimed(group), test_env.clone(), &mut emit);
            let found = classify_inputs(campaign, &entries);
            useful.iter_mut().zip(found).for_each(|(known, found)| *known = (*known).max(found));
        });
        converted.stale = useful.iter().filter(|entry| **entry == Use::Stale).count();
        let kept: Vec<_> =
            entries.into_iter().zip(&useful).filter(|(_, known)| **known == Use::New).collect();
        let kept: Vec<_> = kept.into_iter().map(|(entry, _)| entry).collect();
        converted.after = kept.len();
        match outcome {
            _ if stop.is_run_ending() => break,
            Err(why) => {
                converted.after = converted.before;
                converted.warnings.push(why);
            }
            Ok(()) if converted.before > 0 => corpus.replace(&loaded.segments, &kept, loaded.covered)?,
            Ok(()) => continue,
        }
        all.push(converted);
    }
    Ok(all)
}

/// Returns the campaign without a timeout, so that every input is run.
fn untimed(group: &CampaignPlan) -> CampaignPlan {
    let mut config = Config::clone(&group.config);
    config.invariant.timeout = None;
    CampaignPlan { config: Arc::new(config), ..group.clone() }
}

/// Usefulness of an input with the current code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// It calls nothing that exists.
    Stale,
    /// It shows only what other inputs show, too.
    Known,
    /// It shows something new.
    New,
}

/// Adds inputs to the corpora of all suites that have at least one of the called functions.
///
/// # Errors
/// Fails if a corpus cannot be written.
pub fn import(
    plan: &Plan,
    context: &ProjectContext,
    entries: &[CorpusEntry],
) -> Result<Vec<Converted>, WriteError> {
    let mut all = Vec::new();
    for suite in &plan.suites {
        let mut converted = Converted::new(suite, entries.len());
        let mut applied: Vec<Option<CorpusEntry>> = vec![None; entries.len()];
        let outcome = each_group(suite, context, |_, test_env, _| {
            for (entry, applied) in entries.iter().zip(&mut applied) {
                let sequence = entry.sequence(&test_env.targets);
                if !sequence.is_empty() && applied.is_none() {
                    *applied = Some(CorpusEntry::new(&sequence, &test_env.targets));
                }
            }
        });
        converted.warnings.extend(outcome.err());
        let applied: Vec<_> = applied.into_iter().flatten().collect();
        CorpusStore::new(&suite.config.paths.corpus, suite.suite.id()).write(&applied, Covered::default())?;
        converted.after = applied.len();
        converted.stale = converted.before - converted.after;
        all.push(converted);
    }
    Ok(all)
}

/// Writes all inputs in Forge's format, below `dir`.
///
/// # Errors
/// Fails if a file cannot be written.
pub fn export(plan: &Plan, context: &ProjectContext, dir: &Path) -> Result<Vec<Converted>, WriteError> {
    let mut all = Vec::new();
    for suite in &plan.suites {
        let loaded = CorpusStore::new(&suite.config.paths.corpus, suite.suite.id()).read();
        let mut converted = Converted::new(suite, loaded.entries.len());
        converted.warnings = loaded.warnings;
        let mut written = Ok(());
        let mut applies = vec![false; loaded.entries.len()];
        let outcome = each_group(suite, context, |group, test_env, _| {
            let sequences: Vec<_> =
                loaded.entries.iter().map(|entry| entry.sequence(&test_env.targets)).collect();
            applies.iter_mut().zip(&sequences).for_each(|(some, calls)| *some |= !calls.is_empty());
            let all = &test_env.suite.properties;
            let properties: Vec<_> = match &group.objective {
                Objective::Invariants(indices) => indices.iter().map(|index| &all[*index]).collect(),
                Objective::Test(_) => all.iter().collect(),
            };
            let config = CorpusConfig { dir: dir.to_owned(), gzip: false };
            let version = group.config.harvey.forge;
            let forge = ForgeCorpus::new(&config, &suite.suite.id().name, properties, version);
            if written.is_ok() {
                written = forge.write(sequences.iter().filter(|sequence| !sequence.is_empty()));
            }
        });
        written?;
        converted.warnings.extend(outcome.err());
        converted.after = applies.iter().filter(|some| **some).count();
        converted.stale = converted.before - converted.after;
        all.push(converted);
    }
    all.retain(|converted| converted.before > 0);
    Ok(all)
}

/// Function that deploys a suite again, as one of its campaigns sees it.
type Redeploy<'a> = &'a dyn Fn() -> Option<Arc<TestEnv>>;

/// Calls `show` with each campaign of a suite and the test environment in which the campaign begins. The
/// error is the reason that there is no test environment.
pub(super) fn each_group(
    suite: &SuitePlan,
    context: &ProjectContext,
    mut show: impl FnMut(&CampaignPlan, &Arc<TestEnv>, Redeploy<'_>),
) -> Result<(), String> {
    let id = suite.suite.id();
    if suite.suite.fault.is_some() || !suite.invalid.is_empty() {
        return Err(format!("{id} cannot run as it is, so nothing was done; `forge-harvey test` says why"));
    }
    if suite.groups.is_empty() {
        return Err(format!("{id} has nothing that runs, so nothing was done"));
    }
    let build = || TestEnv::build(context, &suite.config, &suite.suite);
    let test_env = build()
        .map_err(|failure| format!("{id} cannot be set up, so nothing was done: {}", failure.reason))?;
    for group in &suite.groups {
        let under = |test_env: &TestEnv| Arc::new(test_env_for(test_env, context, group, suite));
        show(group, &under(&test_env), &|| build().ok().map(|test_env| under(&test_env)));
    }
    Ok(())
}

fn share<'a>(
    plan: &'a Plan,
    suite: &'a SuitePlan,
    context: &'a ProjectContext,
    stop: &'a CancellationToken,
    redeploy: Redeploy<'a>,
    recorded: &'a Arc<AtomicUsize>,
) -> CampaignContext<'a> {
    CampaignContext {
        stop,
        clock: SuiteClock { start: Instant::now(), timed: 1 },
        threads: 1,
        first: false,
        suite,
        options: &plan.options,
        project: context.project(),
        kept: None,
        examples: &[],
        recorded,
        redeploy,
        watch: &|| Heartbeats::default().watch(0),
    }
}
