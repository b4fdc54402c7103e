//! Operators on kept sequences.

use super::{
    Engine,
    candidate::{Candidate, Intent, Parent},
    job::Job,
    mutate::{self, MutationContext},
    seed::SequenceBuilder,
    technique::Technique,
    value::tree,
};
use crate::model::{Input, Transaction};

/// Percent of the jobs on the best sequences of optimizations, where there are such.
const BEST: u32 = 60;

/// Most bytes that the arguments of a call grow to: nodes take no larger transactions into their pools.
const MOST_BYTES: usize = 128 << 10;

impl Engine {
    /// A mutant of a kept sequence.
    pub(super) fn mutation(&mut self) -> Option<Candidate> {
        let mut job = match self.mutating.take() {
            Some(job) => job,
            None => self.pick_for_mutation()?,
        };
        job.spend();
        self.corpus.refresh(&mut job);
        let candidate = if job.trims > 0 {
            job.trims -= 1;
            Some(self.trim(&job))
        } else {
            self.mutant(&job)
        };
        self.mutating = Some(job).filter(|job| job.energy > 0);
        candidate.filter(|candidate| !candidate.sequence.is_empty())
    }

    fn pick_for_mutation(&mut self) -> Option<Job> {
        while let Some(path) = self.favored.pop() {
            if let Some(job) = self.corpus.pick_path(path) {
                return Some(job);
            }
        }
        if self.rng.percent(BEST)
            && let Some(job) = self.corpus.pick_best(&mut self.rng)
        {
            return Some(job);
        }
        self.corpus.pick(&mut self.rng)
    }

    /// The sequence of a job with a part of what precedes its last call removed.
    fn trim(&mut self, job: &Job) -> Candidate {
        let mut builder = SequenceBuilder::new(Some(&job.seed), self.depth);
        mutate::trim(&mut builder, &mut self.rng);
        let (sequence, from) = builder.finish(&self.generator.functions);
        let candidate = Candidate::new(sequence, Technique::Mutation, "trim");
        Candidate { from, parent: job.path.map(Parent::Path), ..candidate }
    }

    /// The sequence of a job after some operators; those that make it longer need a mark (Harvey section 5).
    fn mutant(&mut self, job: &Job) -> Option<Candidate> {
        let mut builder = SequenceBuilder::new(Some(&job.seed), self.depth);
        let lengthens = job.path.is_none() || self.may_lengthen(job);
        let mut material = MutationContext {
            generator: &self.generator,
            corpus: &self.corpus,
            rng: &mut self.rng,
            lengthens,
        };
        let operator = mutate::mutate(&mut builder, &mut material)?;
        let (sequence, from) = builder.finish(&self.generator.functions);
        let size = |calls: &[Transaction]| calls.iter().map(arguments_size).max().unwrap_or_default();
        if size(&sequence) > MOST_BYTES.max(size(&job.seed.calls)) {
            return None;
        }
        let candidate = Candidate::new(sequence, Technique::Mutation, operator);
        Some(Candidate { parent: job.path.map(Parent::Path), ..candidate.traced(from, Intent::Explore) })
    }
}

/// Bytes of a call's arguments, roughly.
fn arguments_size(call: &Transaction) -> usize {
    match &call.input {
        Input::Typed { args, .. } => tree::size(args),
        Input::Raw(data) => data.len(),
    }
}
