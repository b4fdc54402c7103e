//! Operands of comparisons that stand in the input, replaced in place.

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
use crate::model::{Branch, EdgeId};
use std::sync::Arc;

/// Most sequences with replaced operands made of one base, and the calls that they may cost.
const REPLACEMENTS: usize = 24;
const REPLACEMENT_CALLS: usize = 96;
/// Executions looked at for something to replace where none waits.
const ATTEMPTS: usize = 4;

/// Replacement of operands that stand in the input (REDQUEEN, NDSS 2019).
pub(super) struct Replacer {
    /// Sequences with replaced operands that were not run yet.
    replaced: BoundedQueue<Candidate>,
    /// Traced runs whose operands were not replaced yet.
    replaceable: BoundedQueue<Arc<TracedRun>>,
    /// Comparisons whose operands were replaced: traced run and place.
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
    /// Adds a run that came nearer to something than all before.
    pub(super) fn add(&mut self, run: Arc<TracedRun>) {
        self.replaceable.push(run);
    }

    /// A sequence in which an operand is replaced: of an execution that came nearest to something, else of any.
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

    /// The same, of an execution that came nearest to something and was not looked at yet.
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

    /// An execution that just missed something, or one of the suite.
    fn any_base(&mut self, state: &mut SearchState) -> Option<Arc<TracedRun>> {
        let of_suite = state.rng.coin();
        let entry = of_suite.then(|| state.corpus.suite.any(&mut state.rng)).flatten();
        match entry.and_then(|entry| entry.base.clone()) {
            Some(base) => Some(base),
            None => state.frontier.any(&mut state.rng).map(|goal| goal.base.clone()),
        }
    }

    /// Copies of a base in which operands were replaced, for what it just missed and is wanted; each once.
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
