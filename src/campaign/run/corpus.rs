//! Sequences that an earlier campaign kept, in our corpus or in Forge's (`corpus_dir`).

use super::{
    super::{
        corpora::Use,
        store::{
            corpus::{CorpusEntry, Covered},
            forge::ForgeCorpus,
        },
    },
    Campaign,
    recorder::CorpusRecorder,
    workers::Execution,
};
use crate::{
    engine::{Candidate, Engine, Learned},
    model::{Event, Observation, Sequence, executor::Checks},
};
use std::sync::Arc;

impl Campaign<'_> {
    /// Runs what was kept, which counts for no calls, as in Forge. Returned are what was new in it, for other engines, and
    /// whether there is a reason to go on.
    pub(super) fn run_kept(
        &mut self,
        forge: Option<&ForgeCorpus>,
        engine: &mut Engine,
    ) -> (Vec<Arc<Execution>>, bool) {
        let mut sequences = self.kept_here();
        if let Some(forge) = forge {
            let (more, damaged) = forge.read(&self.test_env.targets);
            sequences.extend(more);
            self.warnings.extend(damaged.iter().map(|path| {
                format!("{} holds no sequence of calls that can be read; remove it", path.display())
            }));
        }
        let mut checks = self.checks();
        let mut news = Vec::new();
        for mut sequence in sequences {
            sequence.truncate(self.config.invariant.depth as usize);
            let before = self.executor.executions();
            let ran = Execution::of(Candidate::kept(sequence), &mut self.executor, &mut checks);
            self.kept_executions += self.executor.executions() - before;
            let goes_on = self.look_at(&ran, &mut checks);
            if engine.tell(&ran.candidate, &ran.observation).is_news() {
                news.push(Arc::new(ran));
            }
            if !goes_on || self.is_over() {
                return (news, goes_on);
            }
            if self.is_time_to_tell() {
                self.tell_progress(Some("Corpus"));
            }
        }
        (news, true)
    }

    /// Says of each input, shorter ones first, whether it shows anything that those before it do not.
    pub(in crate::campaign) fn sift(mut self, entries: &[CorpusEntry]) -> Vec<Use> {
        let setup = self.setup();
        let mut engine = Engine::new(setup.init.clone());
        let mut checks = self.checks();
        let mut sift = |entry: &CorpusEntry| {
            let mut sequence = entry.sequence(&self.test_env.targets);
            if sequence.is_empty() {
                return Use::Stale;
            }
            if self.context.stop.requested() {
                return Use::New;
            }
            sequence.truncate(self.config.invariant.depth as usize);
            let mut is_news = false;
            loop {
                let ran = Execution::of(Candidate::kept(sequence.clone()), &mut self.executor, &mut checks);
                is_news |= engine.tell(&ran.candidate, &ran.observation).is_news();
                // What is broken ends a run, and is set aside as in a campaign: there is more behind it.
                if self.test.is_some() || !set_aside(&mut checks, &ran.observation) {
                    break;
                }
            }
            if is_news { Use::New } else { Use::Known }
        };
        entries.iter().map(&mut sift).collect()
    }

    /// What our corpus has for the functions that are called here.
    fn kept_here(&self) -> Vec<Sequence> {
        let Some(kept) = self.context.kept else { return Vec::new() };
        let targets = &self.test_env.targets;
        let sequences = kept.entries.iter().map(|entry| entry.sequence(targets));
        sequences.filter(|sequence| !sequence.is_empty()).collect()
    }

    /// Keeps what a run taught, for the campaigns to come.
    pub(super) fn record(
        &self,
        ran: &Execution,
        learned: Learned,
        engine: &Engine,
        recorder: &CorpusRecorder,
    ) {
        if !learned.is_news() {
            return;
        }
        recorder.note(ran.candidate.sequence(), &ran.observation, learned);
        let search = engine.statistics();
        recorder.note_covered(Covered { branches: search.branches, paths: search.paths });
    }

    /// Says at once that nothing can be kept, and not hours later.
    pub(super) fn warn_of_the_disk(&mut self, recorder: &CorpusRecorder) {
        let Some(error) = recorder.first_error() else { return };
        let warning = format!("{error}; the search goes on, and tries again to keep what it reaches");
        self.tell(Event::Warned { suite: self.test_env.suite.id.clone(), warnings: vec![warning] });
    }

    /// Keeps what covered something for the first time, where Forge looks for it.
    pub(super) fn keep(&mut self, corpus: &ForgeCorpus, engine: &Engine) {
        let covering: Vec<_> = engine.coverage_corpus().collect();
        let error = corpus.write(covering.iter().copied()).err();
        self.warnings.extend(error.map(|error| error.to_string()));
    }
}

/// Leaves out of the checks what a run broke; says whether it broke anything.
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
