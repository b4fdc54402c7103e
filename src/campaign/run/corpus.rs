//! Storage of sequences that showed something new, in our corpus and in Forge's (`corpus_dir`).

use super::{
    super::{
        corpora::Use,
        store::{
            corpus::{CorpusEntry, Covered},
            forge::ForgeCorpus,
        },
    },
    Campaign, coverage_report,
    epoch::Execution,
    recorder::CorpusRecorder,
    workers::WorkerSetup,
};
use crate::{
    engine::{Candidate, Engine, Learned, Novelty},
    evm::exec::executor::EvmExecutor,
    model::{Event, Observation, Sequence, executor::Checks},
};
use std::cmp::Reverse;

/// Tells for each input whether it shows anything that the inputs before it, which are shorter, do not show.
pub(in crate::campaign) fn classify_inputs(mut campaign: Campaign<'_>, entries: &[CorpusEntry]) -> Vec<Use> {
    let setup = campaign.setup();
    let mut engine = Engine::new(setup.init.clone());
    let mut checks = campaign.checks();
    let mut sift = |entry: &CorpusEntry| {
        let mut sequence = entry.sequence(&campaign.test_env.targets);
        if sequence.is_empty() {
            return Use::Stale;
        }
        if campaign.context.stop.is_run_ending() {
            return Use::New;
        }
        sequence.truncate(campaign.spec.config.invariant.depth as usize);
        let mut is_new = false;
        loop {
            let ran = Execution::of(Candidate::kept(sequence.clone()), &mut campaign.executor, &mut checks);
            is_new |= engine.tell(&ran.candidate, &ran.observation).is_new();
            // A broken property ends a run. It is set aside, as in a campaign, because later calls may show
            // more.
            if campaign.spec.test.is_some() || !set_aside(&mut checks, &ran.observation) {
                break;
            }
        }
        if is_new { Use::New } else { Use::Known }
    };
    entries.iter().map(&mut sift).collect()
}

/// Stores a run from which the engine learned something, for later campaigns.
pub(super) fn record(ran: &Execution, learned: Learned, engine: &Engine, recorder: &CorpusRecorder) {
    if !learned.is_new() {
        return;
    }
    recorder.note(ran.candidate.sequence(), &ran.observation, learned);
    let search = engine.statistics();
    recorder.note_covered(Covered { branches: search.branches, paths: search.paths });
}

/// Warns of a failure to store inputs as soon as it occurs, not at the end of the campaign.
pub(super) fn warn_of_disk_errors(campaign: &mut Campaign<'_>, recorder: &CorpusRecorder) {
    let Some(error) = recorder.first_error() else { return };
    let warning = format!("{error}; the search goes on, and tries again to keep what it reaches");
    campaign
        .events
        .emit(Event::Warned { suite: campaign.test_env.suite.id.clone(), warnings: vec![warning] });
}

/// Maximum number of files that a campaign adds to Forge's corpora.
const MOST_FILES: usize = 1 << 10;

/// Writes a minimal set of the sequences that covered something for the first time to Forge's corpus.
pub(super) fn keep(campaign: &mut Campaign<'_>, corpus: &ForgeCorpus, engine: &Engine, setup: &WorkerSetup) {
    let covering = minimal(campaign, engine, setup);
    let most = MOST_FILES / corpus.directories().max(1);
    let error = corpus.write(covering.into_iter().take(most.max(1))).err();
    campaign.results.warnings.extend(error.map(|error| error.to_string()));
}

/// Returns those of the sequences of an engine that cover something that the others do not. Long ones come first,
/// since they may cover all that others cover. Sequences for which there is no time left are returned, too.
fn minimal<'e>(campaign: &Campaign<'_>, engine: &'e Engine, setup: &WorkerSetup) -> Vec<&'e Sequence> {
    let mut covering: Vec<&Sequence> = engine.first_coverers().collect();
    covering.sort_by_key(|sequence| Reverse(sequence.len()));
    let ends = coverage_report::end_of_report(campaign);
    let mut executor = EvmExecutor::new(campaign.test_env.clone());
    setup.prepare(&mut executor);
    executor.begin_replays(ends.clone());
    let mut judge = Engine::new(setup.init.clone());
    let mut checks = Checks { interval: 0, full_runs_only: false, ..campaign.checks() };
    covering.retain(|sequence| {
        if ends() {
            return true;
        }
        let ran = Execution::of(Candidate::kept((*sequence).clone()), &mut executor, &mut checks);
        ends() || judge.tell(&ran.candidate, &ran.observation).novelty == Novelty::Reach
    });
    covering
}

/// Removes from the checks what a run broke. Returns true if it broke anything.
fn set_aside(checks: &mut Checks, observation: &Observation) -> bool {
    let Some(broken) = observation.broken.first() else { return false };
    if broken.after_invariant {
        checks.after_invariant = false;
    } else if observation.steps.last().is_some_and(|step| step.reason.is_some()) {
        checks.fail_on_revert = false;
    } else {
        let is_broken = |property| observation.broken.iter().any(|broken| broken.property == property);
        checks.properties.retain(|property| !is_broken(*property));
    }
    true
}
