//! From what a moved element did to the costs to predictions, and on from those that failed.

use super::{
    Engine,
    base::{self, Base},
    candidate::{Candidate, Intent, Pursuit},
    input::{self, Element},
    predict::{Aim, Chase, gap, replacements},
};
use crate::config::Feature;
use crate::model::{Branch, BranchKind, EdgeId, Fate, Observation};
use std::sync::Arc;

/// Predictions that one moved element starts.
const PURSUITS: usize = 4;
/// One in this many moves that concern nothing uncovered starts a prediction for a covered edge: other
/// combinations of branches are paths too.
const COVERED: usize = 6;
/// Sequences with replaced operands made of one base.
const REPLACEMENTS: usize = 24;
/// Pursuits remembered, so that none is begun twice.
const REMEMBERED: usize = 1 << 16;

impl Engine {
    /// An element of `base` was moved: predicts values of it that flip branches.
    pub(super) fn predict(
        &mut self,
        candidate: &Candidate,
        base: &Arc<Base>,
        element: Element,
        nudge: bool,
        seen: &Observation,
    ) {
        let mut wanted = Vec::new();
        let mut covered = Vec::new();
        for (_, branch) in base::branches(seen) {
            let Some((outcome, chase)) = self.chase(candidate, base, element, branch) else { continue };
            let edge = branch.edges[usize::from(outcome)];
            let pursuit = (urgency(branch, outcome), branch.edges[0], outcome, chase);
            if self.frontier.is_covered(edge) { covered.push(pursuit) } else { wanted.push(pursuit) }
        }
        if !nudge {
            // Two points far apart say little of a line; where the move led, the slope is worth knowing.
            if !wanted.is_empty() {
                self.nudge_here(candidate, element, seen);
            }
            return;
        }
        if wanted.is_empty() {
            if self.rng.below(COVERED) == 0 {
                let chosen = self.rng.below(covered.len());
                wanted.extend(covered.into_iter().nth(chosen));
            }
        }
        wanted.sort_by_key(|pursuit| std::cmp::Reverse(pursuit.0));
        // What only leads into a revert is pursued where nothing else is.
        if wanted.first().is_some_and(|pursuit| pursuit.0 > 0) {
            wanted.retain(|pursuit| pursuit.0 > 0);
        }
        for (_, key, outcome, chase) in wanted.into_iter().take(PURSUITS) {
            if self.is_new_pursuit(base, element, key, outcome) {
                self.next_value(base, element, key, outcome, chase);
            }
        }
    }

    /// A chase of the outcome that `branch` did not have, where the move of the element changed its cost.
    fn chase(
        &self,
        candidate: &Candidate,
        base: &Base,
        element: Element,
        branch: &Branch,
    ) -> Option<(bool, Chase)> {
        let outcome = base::missed(branch)?;
        let before = base.same(branch).filter(|before| base::missed(before) == Some(outcome))?;
        let aim = Aim::of(branch, outcome)?;
        let points = (gap(before), gap(branch));
        if points.0 == points.1 {
            return None;
        }
        let (old, new) = (base.seed.calls.get(element.step)?, candidate.sequence.get(element.step)?);
        let (i0, i1) = (input::get(old, element.part)?, input::get(new, element.part)?);
        let domain = input::domain(old, element.part, &self.world)?;
        Chase::new(aim, domain, (i0, points.0), (i1, points.1)).map(|chase| (outcome, chase))
    }

    /// The slope where a random move led is worth knowing: the costs are seldom one line everywhere.
    fn nudge_here(&mut self, candidate: &Candidate, element: Element, seen: &Observation) {
        let Some(last) = seen.steps.len().checked_sub(1) else { return };
        let seed = self.prefix(&candidate.sequence, seen, last);
        if seed.calls.len() == candidate.sequence.len() {
            let here = self.new_base(seed, seen);
            let next = self.nudge(&here, element);
            self.urgent.extend(next);
        }
    }

    fn is_new_pursuit(&mut self, base: &Arc<Base>, element: Element, key: EdgeId, outcome: bool) -> bool {
        let failures = self.futile.get(&(key, outcome)).copied().unwrap_or(0);
        // What has failed often is tried less, the more so where it leads nowhere new.
        let branch = base.at(key);
        let edge = branch.map_or(0, |branch| branch.edges[usize::from(outcome)]);
        let is_idle =
            self.frontier.is_covered(edge) || branch.is_some_and(|branch| urgency(branch, outcome) == 0);
        let odds = if is_idle { failures * failures } else { failures / 8 };
        if self.rng.below(1 + odds as usize) > 0 {
            return false;
        }
        if self.pursued.len() >= REMEMBERED {
            self.pursued.clear();
        }
        self.pursued.insert((base.id, element, key, outcome))
    }

    /// Hands out the next value of a chase.
    fn next_value(
        &mut self,
        base: &Arc<Base>,
        element: Element,
        key: EdgeId,
        outcome: bool,
        mut chase: Chase,
    ) {
        while let Some(value) = chase.next() {
            let Some(candidate) = self.moved(base, element, value, false, "predict") else {
                chase.learn(value, None);
                continue;
            };
            let pursuit = Pursuit { base: base.clone(), element, key, outcome, chase, value };
            let intent = Intent::Chase(Box::new(pursuit));
            self.urgent.push_back(Candidate { intent, ..candidate });
            return;
        }
    }

    /// A predicted value was tried.
    pub(super) fn follow(&mut self, pursuit: &Pursuit, seen: &Observation) {
        let Pursuit { base, element, key, outcome, chase, value } = pursuit;
        let branch = base::branches(seen).map(|(_, branch)| branch).find(|branch| branch.edges[0] == *key);
        let flipped =
            branch.is_some_and(|branch| branch.taken[usize::from(*outcome)]) || self.breaks(base, *key, seen);
        let first = chase.steps() == 1;
        self.statistics.predicted += u64::from(first);
        self.statistics.one_shot += u64::from(first && flipped);
        self.statistics.iterated += u64::from(!first && flipped);
        if first && !flipped {
            *self.futile.entry((*key, *outcome)).or_insert(0) += 1;
        }
        if flipped || !self.features.has(Feature::Iteration) {
            return;
        }
        let mut chase = chase.clone();
        chase.learn(*value, branch.map(gap));
        self.next_value(base, *element, *key, *outcome, chase);
    }

    /// Whether the run ended in a failure of what compared at `key`: then nothing was recorded behind it.
    fn breaks(&self, base: &Base, key: EdgeId, seen: &Observation) -> bool {
        let failing = base.at(key).is_some_and(|branch| {
            branch.kind == BranchKind::Assertion || branch.fates.contains(&Fate::Assert)
        });
        failing && (!seen.broken.is_empty() || seen.steps.iter().any(|step| step.assertion.is_some()))
    }

    /// Copies of a base in which operands were replaced, for all that it just missed.
    pub(super) fn replace_operands(&mut self, base: &Arc<Base>) {
        if !self.features.has(Feature::InputToState) {
            return;
        }
        let mut goals: Vec<(&Branch, bool)> = base
            .branches()
            .filter_map(|branch| base::missed(branch).map(|outcome| (branch, outcome)))
            .filter(|(branch, outcome)| !self.frontier.is_covered(branch.edges[usize::from(*outcome)]))
            .collect();
        goals.sort_by_key(|(branch, outcome)| std::cmp::Reverse(urgency(branch, *outcome)));
        let mut made = Vec::new();
        for (branch, outcome) in goals {
            for (sequence, from) in
                replacements(branch, outcome, &base.seed.calls, &base.elements, &self.world)
            {
                let intent = Intent::Replace { key: branch.edges[0], outcome };
                made.push(Candidate::tracked(sequence, "replace", from, intent));
            }
            if made.len() >= REPLACEMENTS {
                break;
            }
        }
        self.urgent.extend(made);
    }
}

/// Which branches are pursued first: assertions, then what leads on.
fn urgency(branch: &Branch, outcome: bool) -> u8 {
    match (branch.kind, branch.fates[usize::from(outcome)]) {
        (BranchKind::Assertion, _) | (_, Fate::Assert) => 4,
        (BranchKind::Assumption, _) => 3,
        (BranchKind::Jump, Fate::On) => 2,
        (BranchKind::Store, _) => 1,
        (_, Fate::Revert) => 0,
    }
}
