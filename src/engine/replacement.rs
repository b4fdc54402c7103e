//! Replacement of operands of comparisons that stand in the input.

use super::{
    WAITING,
    bounded_queue::BoundedQueue,
    bounded_set::BoundedSet,
    candidate::{Candidate, Intent},
    predict::replacements,
    prediction::affordable,
    search_state::SearchState,
    technique::Technique,
    traced_run::{self, Missed, TracedRun},
};
use crate::engine::tuning::replacement::{ATTEMPTS, REPLACEMENT_CALLS, REPLACEMENTS};
use crate::model::{Branch, EdgeId};
use std::sync::Arc;

/// Replacement technique (REDQUEEN, NDSS 2019).
pub(super) struct Replacer {
    /// Sequences with replaced operands that have not run yet.
    replaced: BoundedQueue<Candidate>,
    /// Traced runs whose operands have not been replaced yet.
    replaceable: BoundedQueue<Arc<TracedRun>>,
    /// Comparisons whose operands were replaced, by traced run and place.
    done: BoundedSet<(u64, EdgeId)>,
}

impl Default for Replacer {
    fn default() -> Self {
        Self {
            replaced: BoundedQueue::new(WAITING),
            replaceable: BoundedQueue::new(WAITING),
            done: BoundedSet::default(),
        }
    }
}

impl Replacer {
    /// Adds a run that came nearer to a goal than all before.
    pub(super) fn add(&mut self, run: Arc<TracedRun>) {
        self.replaceable.push(run);
    }

    /// Returns the runs that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &TracedRun> {
        self.replaceable.iter().map(|run| &**run)
    }

    /// Forgets the runs that wait.
    pub(super) fn forget_waiting(&mut self) {
        self.replaceable.clear();
    }

    /// Makes a sequence with a replaced operand, from a run that came nearest to a goal or, if there is none,
    /// from any other.
    pub(super) fn replacement(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if let Some(candidate) = self.pending_replacement(state) {
            return Some(candidate);
        }
        for _ in 0..ATTEMPTS {
            let base = self.any_base(state)?;
            let made = self.replace_operands(state, &base, |_, _| true);
            self.replaced.extend(made);
            if let Some(candidate) = self.replaced.pop() {
                return Some(candidate);
            }
        }
        None
    }

    /// Makes such a sequence from a run that came nearest to a goal and was not examined yet.
    pub(super) fn pending_replacement(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if let Some(candidate) = self.replaced.pop() {
            return Some(candidate);
        }
        while let Some(base) = self.replaceable.pop_newest() {
            let made =
                self.replace_operands(state, &base, |state, missed| !state.frontier.is_covered(missed.edge));
            self.replaced.extend(made);
            if let Some(candidate) = self.replaced.pop() {
                return Some(candidate);
            }
        }
        None
    }

    /// Returns a traced run that just missed a goal, or one of the corpus.
    fn any_base(&mut self, state: &mut SearchState) -> Option<Arc<TracedRun>> {
        let of_suite = state.rng.coin();
        let entry = of_suite.then(|| state.corpus.suite.any(&mut state.rng)).flatten();
        match entry.and_then(|entry| entry.base.clone()) {
            Some(base) => Some(base),
            None => state.frontier.any(&mut state.rng).map(|goal| goal.base.clone()),
        }
    }

    /// Makes copies of a traced run's sequence in which operands are replaced, for the edges that it just
    /// missed and that are wanted. Each comparison is used once.
    fn replace_operands(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        is_wanted: impl Fn(&SearchState, Missed) -> bool,
    ) -> Vec<Candidate> {
        let mut goals: Vec<(EdgeId, &Branch, Missed)> = base
            .branches()
            .filter_map(|branch| traced_run::missed(branch).map(|missed| (branch.place(), branch, missed)))
            .filter(|(_, _, missed)| is_wanted(state, *missed))
            .collect();
        goals.sort_by_key(|(_, _, missed)| std::cmp::Reverse(missed.urgency));
        let affordable = affordable(base, REPLACEMENT_CALLS).min(REPLACEMENTS);
        let mut made = Vec::new();
        for (place, branch, missed) in goals {
            if !self.done.is_new((base.id, place)) {
                continue;
            }
            for (sequence, from) in
                replacements(branch, missed.outcome, &base.seed.calls, &base.elements, &state.generator)
            {
                let candidate = Candidate::new(sequence, Technique::Replacement, "operand");
                made.push(candidate.traced(from, Intent::Explore));
            }
            if made.len() >= affordable {
                break;
            }
        }
        made
    }
}
