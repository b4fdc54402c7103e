//! Context-sensitive targets: covered branches that a run just missed after another call than before.
//!
//! The path of the last call does not include the calls before it, so that a bug may remain although every
//! branch is covered. Examples are a tie that needs votes on both sides, and a vote after the votes were
//! counted. A context is a pair of paths: of the last call and of the call before it. For each context and
//! each covered branch that was just missed in it, the nearest executions are worked on once, however many
//! branches they miss.

use super::{
    frontier::Frontier,
    rng::Rng,
    traced_run::{self, RunPart, TracedRun},
};
use crate::engine::tuning::context_targets::{AT_WORK, CONTESTANTS, KNOWN, WAITING};
use crate::model::{BranchOutcome, Cost, EdgeId, Observation, Outcome, PathId};
use rustc_hash::{FxHashMap, FxHasher};
use std::{
    collections::VecDeque,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Branches that are covered elsewhere and were just missed in this context.
#[derive(Debug, Default)]
pub(super) struct ContextTargets {
    /// Smallest cost seen, approximately, by a hash of context and edge.
    known: FxHashMap<u64, f64>,
    /// Waiting executions, each with the smallest cost for which it was admitted.
    waiting: Vec<(Cost, Arc<TracedRun>)>,
    /// Identifiers of the executions worked on, the oldest first.
    at_work: VecDeque<u64>,
}

impl ContextTargets {
    /// Records the costs of the covered branches that the run just missed. Returns the smallest cost of those
    /// at most half as expensive as ever before in their context; `None` if there are none.
    pub(super) fn improvement(&mut self, seen: &Observation, frontier: &Frontier) -> Option<Cost> {
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        let paths = paths(seen);
        let mut nearest = None;
        for (subject, branch) in traced_run::branches(seen) {
            let Some(missed) = traced_run::missed(branch) else { continue };
            let leads_on = branch.branch_outcomes[usize::from(missed.outcome)] == BranchOutcome::On;
            if !leads_on || missed.urgency < 2 || !frontier.is_covered(missed.edge) {
                continue;
            }
            let cost = branch.cost();
            let place = key(paths(subject), missed.edge);
            let size = f64::from(cost);
            if self.known.get(&place).is_some_and(|known| size > known / 2.0) {
                continue;
            }
            self.known.insert(place, size);
            nearest = Some(nearest.map_or(cost, |nearest: Cost| nearest.min(cost)));
        }
        nearest
    }

    /// Adds `base` to the waiting executions.
    pub(super) fn admit(&mut self, cost: Cost, base: Arc<TracedRun>, rng: &mut Rng) {
        if self.waiting.len() >= WAITING {
            let gone = rng.below(self.waiting.len());
            self.waiting.swap_remove(gone);
        }
        self.waiting.push((cost, base));
    }

    /// Returns the waiting executions.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &TracedRun> {
        self.waiting.iter().map(|(_, run)| &**run)
    }

    /// Forgets the waiting executions that missed their branches by most: half of all.
    pub(super) fn forget_half(&mut self) {
        self.waiting.sort_by_key(|(cost, base)| (*cost, base.id));
        self.waiting.truncate(self.waiting.len() / 2);
    }

    /// Picks an execution to work on: of a few random ones, the one that missed a branch by the smallest
    /// cost.
    pub(super) fn pick(&mut self, rng: &mut Rng) -> Option<Arc<TracedRun>> {
        let cost = |place: &usize| self.waiting[*place].0;
        let nearest = rng.contestants(CONTESTANTS, self.waiting.len()).min_by_key(cost)?;
        let (_, base) = self.waiting.swap_remove(nearest);
        if self.at_work.len() >= AT_WORK {
            self.at_work.pop_front();
        }
        self.at_work.push_back(base.id);
        Some(base)
    }

    /// Tells whether this execution is worked on, so that its covered branches should be flipped, too.
    pub(super) fn is_at_work(&self, base: &TracedRun) -> bool {
        self.at_work.contains(&base.id)
    }
}

/// Returns the context of each part of the run: its own path, and the path of the call before it. For the
/// last call this is the last call before it that succeeded.
fn paths(seen: &Observation) -> impl Fn(RunPart) -> (PathId, PathId) {
    let (last, before) = seen.steps.split_last().map_or((0, 0), |(last, before)| {
        let before = before.iter().rfind(|step| step.outcome == Outcome::Success);
        (last.path, before.map_or(0, |step| step.path))
    });
    let properties: FxHashMap<usize, PathId> =
        seen.properties.iter().map(|run| (run.property, run.path)).collect();
    move |subject| match subject {
        RunPart::Call => (before, last),
        RunPart::Property(property) => (last, properties.get(&property).copied().unwrap_or(0)),
    }
}

fn key(paths: (PathId, PathId), edge: EdgeId) -> u64 {
    let mut hasher = FxHasher::default();
    (paths, edge).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy},
        model::{Footprint, Step},
    };

    const EDGE: EdgeId = 8;

    /// Returns a run whose last call compared `left < 100`, which was false, after a call with the path
    /// `before`.
    fn run(before: PathId, left: u64) -> Observation {
        let footprint = Footprint { branches: vec![toy::missed([7, EDGE], left)], ..Footprint::default() };
        let steps = vec![
            Step { path: before, outcome: Outcome::Success, ..Step::default() },
            Step { path: 99, outcome: Outcome::Revert, ..Step::default() },
            Step { path: 1, footprint: Some(footprint.into()), ..Step::default() },
        ];
        Observation { steps, ..Observation::default() }
    }

    fn base(id: u64) -> Arc<TracedRun> {
        let calls = vec![toy::call("inc", &[])];
        let seed = Arc::new(Seed { calls, born: Arc::default(), extendable: true });
        Arc::new(TracedRun::new(id, seed, &run(1, 500), &toy::generator()))
    }

    #[test]
    fn a_covered_branch_is_news_after_another_call_and_at_half_the_distance() {
        let (mut context_targets, mut frontier) = (ContextTargets::default(), Frontier::default());
        assert_eq!(
            context_targets.improvement(&run(1, 500), &frontier),
            None,
            "what nothing covers is a goal, and no detour"
        );
        frontier.cover(EDGE);
        assert_eq!(context_targets.improvement(&run(1, 500), &frontier), Some(Cost::from(401)));
        assert_eq!(context_targets.improvement(&run(1, 301), &frontier), None);
        assert_eq!(context_targets.improvement(&run(1, 299), &frontier), Some(Cost::from(200)));
        assert_eq!(context_targets.improvement(&run(2, 500), &frontier), Some(Cost::from(401)));
    }

    #[test]
    fn each_execution_is_worked_on_once_the_nearest_of_a_few_first() {
        let (mut context_targets, mut rng) = (ContextTargets::default(), Rng::new(1, 0));
        let [far, near] = [base(1), base(2)];
        context_targets.admit(Cost::from(500), far.clone(), &mut rng);
        context_targets.admit(Cost::from(5), near.clone(), &mut rng);
        assert!(!context_targets.is_at_work(&near));
        let mut picked: Vec<u64> = Vec::new();
        while let Some(base) = context_targets.pick(&mut rng) {
            assert!(context_targets.is_at_work(&base));
            picked.push(base.id);
        }
        assert_eq!(picked, [2, 1]);
    }
}
