//! Sequences stored by earlier campaigns, in our corpus or in Forge's (`corpus_dir`).

use super::{
    super::{
        corpora::Use,
        store::{
            corpus::{CorpusEntry, Covered},
            forge::ForgeCorpus,
        },
    },
    Campaign,
    epoch::Execution,
    events,
    recorder::CorpusRecorder,
};
use crate::{
    engine::{Candidate, Engine, Learned},
    model::{Event, Observation, Sequence, executor::Checks},
};
use std::sync::Arc;

/// Runs the stored sequences. Their calls do not count, as in Forge. Returns the runs that showed something
/// new, from which other engines learn, and true if the search may go on.
pub(super) fn run_kept(
    campaign: &mut Campaign<'_>,
    forge: Option<&ForgeCorpus>,
    engine: &mut Engine,
) -> (Vec<Arc<Execution>>, bool) {
    let mut sequences = kept_here(campaign);
    if let Some(forge) = forge {
        let (more, warnings) = forge.read(&campaign.test_env.targets);
        sequences.extend(more);
        campaign.results.warnings.extend(warnings);
    }
    let mut checks = campaign.checks();
    let mut new_runs = Vec::new();
    for mut sequence in sequences {
        sequence.truncate(campaign.spec.config.invariant.depth as usize);
        let before = campaign.executor.executions();
        let ran = Execution::of(Candidate::kept(sequence), &mut campaign.executor, &mut checks);
        campaign.usage.stored_executions += campaign.executor.executions() - before;
        let goes_on = campaign.confirm_if_notable(&ran, &mut checks);
        if engine.tell(&ran.candidate, &ran.observation).is_new() {
            new_runs.push(Arc::new(ran));
        }
        if !goes_on || campaign.is_over() {
            return (new_runs, goes_on);
        }
        if campaign.events.is_progress_due() {
            events::emit_progress(campaign, Some("Corpus"));
        }
    }
    (new_runs, true)
}

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

/// Returns the sequences of our corpus, with the calls that the current targets have.
fn kept_here(campaign: &Campaign<'_>) -> Vec<Sequence> {
    let Some(kept) = campaign.context.kept else { return Vec::new() };
    let targets = &campaign.test_env.targets;
    let sequences = kept.entries.iter().map(|entry| entry.sequence(targets));
    sequences.filter(|sequence| !sequence.is_empty()).collect()
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

/// Writes the sequences that covered something for the first time to Forge's corpus.
pub(super) fn keep(campaign: &mut Campaign<'_>, corpus: &ForgeCorpus, engine: &Engine) {
    let covering: Vec<_> = engine.first_coverers().collect();
    let error = corpus.write(covering.iter().copied()).err();
    campaign.results.warnings.extend(error.map(|error| error.to_string()));
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
