//! Mutation of kept sequences.

use super::{
    bounded_queue::BoundedQueue,
    candidate::{Candidate, Intent, Parent},
    job::Job,
    mutate::{self, MutationContext},
    search_state::SearchState,
    seed::{Seed, SequenceBuilder},
    technique::Technique,
    value::tree,
};
use crate::engine::tuning::mutation::{BEST, FAVORED, MOST_BYTES};
use crate::model::{Input, PathId, Transaction};

/// Mutation technique.
pub(super) struct Mutator {
    /// Job in progress.
    job: Option<Job>,
    /// Paths that covered something for the first time; they are picked first.
    favored: BoundedQueue<PathId>,
}

impl Default for Mutator {
    fn default() -> Self {
        Self { job: None, favored: BoundedQueue::new(FAVORED) }
    }
}

impl Mutator {
    /// Adds a path to the favored queue.
    pub(super) fn favor(&mut self, path: PathId) {
        self.favored.push(path);
    }

    /// Makes a mutant of a kept sequence.
    pub(super) fn mutation(&mut self, state: &mut SearchState) -> Option<Candidate> {
        let mut job = match self.job.take() {
            Some(job) => job,
            None => self.pick_for_mutation(state)?,
        };
        job.spend();
        state.corpus.refresh(&mut job);
        let candidate = if job.trims > 0 {
            job.trims -= 1;
            Some(self.trim(state, &job))
        } else {
            self.mutant(state, &job)
        };
        self.job = Some(job).filter(|job| job.energy > 0);
        candidate.filter(|candidate| !candidate.sequence.is_empty())
    }

    fn pick_for_mutation(&mut self, state: &mut SearchState) -> Option<Job> {
        while let Some(path) = self.favored.pop() {
            if let Some(job) = state.corpus.pick_path(path) {
                return Some(job);
            }
        }
        if state.rng.percent(BEST)
            && let Some(job) = state.corpus.pick_best(&mut state.rng)
        {
            return Some(job);
        }
        let job = state.corpus.pick(&mut state.rng)?;
        let energy = state.generator.functions.tempered(job.energy, &job.seed.calls);
        Some(Job { energy, ..job })
    }

    /// Makes the sequence of a job without some of the calls before its last call.
    fn trim(&mut self, state: &mut SearchState, job: &Job) -> Candidate {
        let mut builder = SequenceBuilder::new(Some(&job.seed), state.depth);
        mutate::trim(&mut builder, &mut state.rng);
        let (sequence, from) = builder.finish(&state.generator.functions);
        let candidate = Candidate::new(sequence, Technique::Mutation, "trim");
        Candidate { from, parent: job.path.map(Parent::Path), ..candidate }
    }

    /// Makes the sequence of a job, changed by some operators. Operators that make it longer need a marked
    /// function (Harvey section 5).
    fn mutant(&mut self, state: &mut SearchState, job: &Job) -> Option<Candidate> {
        let lengthens = job.path.is_none() || state.may_lengthen(job);
        let candidate = mutant(state, &job.seed, lengthens)?;
        Some(Candidate { parent: job.path.map(Parent::Path), ..candidate })
    }
}

/// Makes a sequence changed by some operators; `None` if none can be applied, or if it grows too large.
pub(super) fn mutant(state: &mut SearchState, seed: &Seed, lengthens: bool) -> Option<Candidate> {
    let mut builder = SequenceBuilder::new(Some(seed), state.depth);
    let mut context = MutationContext {
        generator: &state.generator,
        corpus: &state.corpus,
        rng: &mut state.rng,
        lengthens,
    };
    let operator = mutate::mutate(&mut builder, &mut context)?;
    let (sequence, from) = builder.finish(&state.generator.functions);
    let size = |calls: &[Transaction]| calls.iter().map(arguments_size).max().unwrap_or_default();
    if size(&sequence) > MOST_BYTES.max(size(&seed.calls)) {
        return None;
    }
    Some(Candidate::new(sequence, Technique::Mutation, operator).traced(from, Intent::Explore))
}

/// Returns the approximate size of a call's arguments in bytes.
fn arguments_size(call: &Transaction) -> usize {
    match &call.input {
        Input::Typed { args, .. } => tree::size(args),
        Input::Raw(data) => data.len(),
    }
}
